"""A value: its card with the commands that start there, and the backups that made it.

A row of these is a backup and what its target read: the result, or another value at that time.
Enter shows the backups of that value, so you walk back to results and first guesses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import pairwise
from math import inf
from typing import Final, NamedTuple

from afterstate_lab.game import Side, space
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.ask.conditions import find, parse
from afterstate_lab.learners.ask.table import TableRows
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.judge.evaluated_state import optimum
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.kernel.memory import Table as MemoryTable
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run, Stop
from afterstate_lab.learners.tape.timeline import Sweep
from afterstate_lab.tui.blocks.block import Beside, Room, Stack, Window
from afterstate_lab.tui.blocks.cells import marked
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.lists import Cell, Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import places_for, spoken
from afterstate_lab.tui.blocks.text import Bar, Bars, Card, Share, Split, Text
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import board_label, board_row, owner_of, side_role
from afterstate_lab.tui.lab.microscope import (
    name_of,
    table_of_entry,
    wrote_condition,
)
from afterstate_lab.tui.lab.microscope.reading import Update, board_of, update_at
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Work, command_key, search, sentence
from afterstate_lab.tui.lab.panes import fields
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.pages.table import bars
from afterstate_lab.tui.theme.numerals import count, count_in, decimals, percents, signed
from afterstate_lab.tui.verbs.step import prediction

LEFT: Final = Room(29, 52, 0.37)
MENU: Final = (Column("", 24), Column("", 20, 1, grows=True, role="dim"))
ANYWHERE: Final = (
    ("table", "its row in the table", "next to all others"),
    ("what_if", "what if another rule", "played this game"),
    ("fork", "play another move here", "in a branch"),
    ("breaks", "stop when it changes", "a breakpoint"),
    ("predict", "predict its next backup", "before you see it"),
    ("address", "copy a link", "to this moment"),
)
"""The commands that start at any value: each name, with its description."""


MASKED: Final = "Hidden until you have said what is written."
REPLAYED: Final = "replaying the run …"


class ValueCard:
    """A value at the lab's moment; `entry` is its index into memory."""

    def __init__(self, lab: LabController, entry: int) -> None:
        self.lab, self.session, self.entry, self.at = lab, lab.session, entry, Window()
        update = update_at(self.session.timeline, asks=self.session.predictions.wanted)
        assert update is not None
        self.update, self.table = update, table_of_entry(update, entry)
        place = board_of(self.table, entry)
        assert place is not None
        self.board, self.cell = place
        self.owner = owner_of(self.table, self.board)
        self.name = name_of(self.table, entry)
        self.condition = wrote_condition(update, entry)
        self.now = float(update.after[entry])
        self.visits = int(update.after[len(update.after) // 2 + entry])
        self.is_here = update.is_written and getattr(update.event, "entry", -1) == entry
        """Whether the current backup is this one."""
        self.made: why.Why | None = None
        """Its last backup and the shares of what made it, once found."""
        self.seconds = why.SOON if self.visits else 0.0
        """How long to look for the shares next; 0 for not at all."""

    def look(self, stop: Stop) -> why.Why | None:
        game, row = self.session.timeline.place
        run, until = self.session.run, TapePosition(game, row + self.is_here)
        place = why.last_write(run, self.entry, until, stop=stop)
        if place is None:
            return None
        return why.explained(run, place, stop=stop, seconds=self.seconds, limit=1)

    def take(self, made: why.Why | None) -> None:
        is_rough = made is not None and made.is_rough
        self.seconds = inf if is_rough and self.seconds == why.SOON else 0.0
        self.made = made or self.made

    @property
    def last(self) -> why.BackupLink | None:
        """Its last backup, once found."""
        return None if self.made is None else self.made.links[0]

    @property
    def shares(self) -> why.Shares | None:
        """The shares of what made it, once found, if it has any; every game begins at the start."""
        is_start = self.table.spec.rule.by_state and not self.board
        return None if self.made is None or is_start else self.made.shares

    @property
    def items(self) -> list[tuple[str, str, str]]:
        """The commands that start here."""
        found = list(ANYWHERE)
        if self.visits:
            found.insert(0, ("provenance", "why this value", "the games that made it"))
        if self.visits > self.is_here:
            at = "" if self.last is None else f"game {self.last.place.game + 1:,}"
            at = "the one before this" if self.is_here else at
            found.insert(0, ("last_writer", "last backup of it", at))
        return found

    def begin(self, name: str) -> Outcome:
        waiting = self.session.backup_to_predict
        if name == "predict" and (waiting is None or waiting.entry != self.entry):
            place = self.session.timeline.place
            look = partial(find, self.session.run, parse(self.condition), place, forwards=True)
            return search(self.session.run, "its next backup", look, self.predict)
        self.lab.note(name)
        if name == "predict":
            return prediction(self.lab)
        outcome = self.lab.perform(name)
        if isinstance(outcome, Key) and name == "breaks":
            outcome = outcome.do(self.condition)
        elif name == "table":
            outcome = Open("table", board_label(self.board, self.cell))
        return outcome

    def predict(self, place: TapePosition | None) -> Outcome:
        """Ask what a backup will write."""
        if place is None:
            raise UsageError(f"No later game updates it; {command_key('train')} trains more.")
        self.session.timeline.go_to_place(place)
        self.session.timeline.step_phase_back()
        return prediction(self.lab)

    # what is shown

    @property
    def said(self) -> str:
        """The owner's expectation, and the last change."""
        last, now, rows = self.last, self.now, self.rows
        old = now if last is None else last.backup.old
        places = places_for(old, now, 3)
        expects = (
            f"expects {decimals(now, places)} of" if rows.estimates else f"holds {many(now)} for"
        )
        where = "this board" if self.cell < 0 else f"playing {self.cell + 1} here"
        said = f"{self.owner} {expects} {where}."
        if last is None:
            return said if self.visits else f"{said} No game has changed it yet."
        by = told(self.session.run.layout, last, last.source)
        by = by.replace("the ", "a ", 1) if by.startswith("the ") else "a later value"
        way = (now > old) - (now < old)
        if rows.estimates:
            did = ("left it there", "pulled it up", "pulled it down")[way]
            return f"{said} It was {decimals(old, places)}; {by} {did}."
        did = ("changed nothing", "added", "took")[way] + f" {abs(now - old):,.0f}" * bool(way)
        return f"{said} It held {old:,.0f}; {by} {did}."

    @property
    def lent(self) -> str:
        """The games that it learns from, and how many of them Monte Carlo would not."""
        shares = self.shares
        if shares is None or shares.borrowed <= SHOWN:
            return ""
        own, more = (
            count_in(many, 7)
            for many in (self.visits, len(shares.games.keys() - shares.came_through))
        )
        return f"{own} games came here: Monte Carlo uses only them, {self.name} borrows {more} more"

    @cached_property
    def rows(self) -> TableRows:
        layout, game = self.update.recording.layout, self.update.event.game
        return TableRows(layout, self.update.after, Side.parse(self.owner), game)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The value and its exact value; for beads, those of each colour in the box."""
        rows = self.rows
        if rows.estimates:
            own = (self.entry - self.table.base) % len(self.table.entries.boards)
            return bars(rows, int(rows.index()[own]))
        box = rows.boards == self.board
        whole, cells = float(rows.values[box].sum()) or 1.0, zip(rows.cells[box], rows.values[box])  # noqa: B905
        return tuple(
            Bar(f"for {cell + 1}", f"{n:,.0f}", n / whole, f"bead {cell}")
            for cell, n in sorted(cells, key=lambda one: one[0] != self.cell)
        )

    def page(self) -> Page:
        replayed = self.session.sweep_work()
        head = ((f"{self.name} of ", "title"), (self.owner, side_role(self.owner, strong=True)))
        board = marked(space().text(self.board), self.cell)

        split = () if self.shares is None else (whose(self.shares, self.owner),)

        def open_row(row: int) -> Leave:
            return Leave(self.items[row][0])

        return Page(
            "VALUE",
            Stack(
                (
                    Card(
                        (Text((((self.said, "strong"),),), least=1), *split),
                        title=head,
                        right=decimals(self.now, 6 * self.rows.estimates),
                        footer=self.lent,
                    ),
                    Beside(
                        (
                            Stack(
                                (
                                    replace(
                                        board,
                                        title="this board",
                                        width=LEFT,
                                        least_columns=LEFT.least,
                                    ),
                                    Bars(
                                        self.bars,
                                        title="its numbers",
                                        right=f"visits {self.visits:,}",
                                    ),
                                )
                            ),
                            Stack(
                                (
                                    life_curve(self.session.sweep, self.update, self.entry),
                                    Table(
                                        MENU,
                                        self.items,
                                        lambda item: item[1:],
                                        self.at,
                                        heads=False,
                                        title="from here",
                                        rank=-1,
                                        clicked=open_row,
                                    ),
                                )
                            ),
                        )
                    ),
                )
            ),
            title=fields(self.session),
            of_run=True,
            work=Work(self.look, then=self.take) if self.seconds else replayed,
            keys=(
                Key("enter", "open", lambda: open_row(self.at.cursor), "do what is chosen"),
                BACK,
            ),
        )


def staircase(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return the levels of a value and the steps between them."""
    steps = list(points[:1])
    for (_, y), (x2, y2) in pairwise(points):
        steps += [(x2, y), (x2, y2)] if y2 != y else [(x2, y2)]
    return tuple(steps)


def life_curve(sweep: Sweep | None, u: Update, entry: int) -> Curve:
    """Return a value over the games of a sweep, with its exact value and the current game."""
    table, layout = table_of_entry(u, entry), u.recording.layout
    place = board_of(table, entry)
    if u.is_masked or place is None or sweep is None or sweep.values is None:
        return Curve(series=(), title="its history", note=MASKED if u.is_masked else REPLAYED)
    started = [] if sweep.is_log else [(0, layout.fresh()[entry])]
    points = [*started, *zip(sweep.shown.tolist(), sweep.values[:, entry].tolist(), strict=True)]
    here, player, (board, cell) = float(min(u.event.game + 1, sweep.games)), table.side.mark, place
    exact = float(u.exact(player)[board if cell < 0 else space().successor[board, cell]])
    optimal = optimum(layout, table.side)
    visits, backups = (int(v[layout.values + entry]) for v in (u.after, sweep.run.memory))
    return Curve(
        series=(Series(staircase(points), role=side_role(player)),),
        x_range=(float(sweep.is_log), float(sweep.games)),
        log_x=sweep.is_log,
        cursor=here,
        point=(here, float(u.after[entry])),
        levels=(Level(exact, f"{optimal} {decimals(exact)}"),) if table.spec.rule.estimates else (),
        title="its history",
        right=f"{count(visits)} of {count(backups)} backup{'s' * (backups != 1)} so far",
    )


def many(number: float) -> str:
    return f"{number:,.0f} bead{'s' * (round(number) != 1)}"


BACKUPS: Final = (
    Column("made of", 30),
    Column("weight", 7, 1, left=False, say="{} of the value", role="strong"),
    Column("worth", 8, 2, left=False, say="worth {}"),
    Column("by", 8, 4, left=False, say="moved by {}"),
    Column("new", 8, 3, left=False, say="to {}", role="dim"),
    Column("game.ply", 11, 5, left=False, role="dim"),
)
PATH: Final = re.compile(r"[1-9]\d{0,5}(\.[1-9]\d{0,5}){0,8}", re.ASCII)
USE: Final = "why 2 opens the second row, why 2.1 the first row inside it"
WEIGHTY: Final = 3
"""Maximum number of games named, weightiest first."""
SHOWN: Final = 0.0005
"""Smaller shares are not shown."""


class Row(NamedTuple):
    """A backup of the value, one of several numbers that a backup read, or what lies before."""

    weight: float | None
    """Its share of the value, if fixed."""
    link: why.BackupLink | None = None
    read: why.Source | None = None
    """The number that the target read; None if none or several."""
    older: int = 0
    """Number of backups not listed yet."""

    @property
    def can_open(self) -> bool:
        has_writer = self.read is not None and self.read.place is not None
        is_many = self.read is None and self.link is not None and len(self.link.sources) > 1
        return bool(self.older) or is_many or has_writer


class WhyPage:
    """The backups of a value, and the values that led to it."""

    def __init__(self, run: Run, made: why.Why) -> None:
        self.run, self.made, self.at = run, made, Window()
        self.reader: why.BackupLink | None = None
        """The backup whose numbers are the rows, if it read several."""
        self.behind: list[tuple[why.Why, why.BackupLink | None, int, bool]] = []
        self.is_refined = not made.is_rough

    @property
    def table(self) -> MemoryTable:
        return self.run.layout.table_of(self.made.links[0].backup.entry)

    @property
    def rows(self) -> list[Row]:
        """Each known backup, then the first guess or the number of older backups."""
        if self.reader is not None:
            return [Row(None, self.reader, source) for source in self.reader.sources]
        links, rule = self.made.links, self.table.spec.rule
        is_mean = rule.estimates and not rule.shares_error
        weights = why.weights(links) if is_mean else [None] * len(links)
        told = [weight for weight in weights if weight is not None]
        rows = [Row(weight, link, link.source) for weight, link in zip(weights, links, strict=True)]
        older = links[-1].writes - 1
        if not (older and links[-1].is_refill):
            rows.append(Row(1.0 - sum(told) if len(told) == len(rows) else None, older=older))
        return rows

    @property
    def selected(self) -> Row:
        return self.rows[self.at.cursor]

    # what can be asked for

    def look(self, row: Row, stop: Stop = lambda: False) -> why.Why:
        """Find older backups, or the backups of the value that a target read, by replaying."""
        if row.read is not None and row.read.place is not None:
            return why.explained(self.run, row.read.place, stop=stop)
        last = self.made.links[-1]
        place = why.last_write(self.run, last.backup.entry, last.place, stop=stop)
        more = () if place is None else why.chain(self.run, place, stop=stop)
        return replace(self.made, links=(*self.made.links, *more))

    def take(self, row: Row, found: why.Why) -> None:
        """Show the backups that were found."""
        if row.older:
            self.made = found
        else:
            self.walk(found, None)
            self.is_refined = not found.is_rough

    def walk(self, made: why.Why, reader: why.BackupLink | None) -> None:
        self.behind.append((self.made, self.reader, self.at.cursor, self.is_refined))
        self.made, self.reader, self.at = made, reader, Window()

    def open(self) -> str | Work | None:
        """Open the value that this row read, list its several values, or list older backups."""
        row = self.selected
        if not row.can_open:
            return self.ending(row)
        if row.link is not None and row.read is None:
            self.walk(self.made, row.link)
            return None
        says = "Looking for the backups inside it."
        return Work(partial(self.look, row), says=says, then=partial(self.take, row))

    def close(self) -> None:
        """Go back to the value that this one was opened from."""
        self.made, self.reader, self.at.cursor, self.is_refined = self.behind.pop()
        self.at.hold(len(self.rows))

    def open_path(self, path: str) -> None:
        """Open the row of a path such as `2` or `2.1`."""
        if not PATH.fullmatch(path):
            raise UsageError(f"{shown(path)} is not a row: {USE}")
        for number in map(int, path.split(".")):
            if number > len(self.rows):
                raise UsageError(f"there is no row {shown(path)}: why shows them from the start")
            self.at.cursor = number - 1
            found = self.open()
            if isinstance(found, str):
                raise UsageError(found)
            if found is not None:
                self.take(self.selected, self.look(self.selected))

    def step(self) -> Leave | str:
        row = self.selected
        place = row.link.place if row.link and not self.reader else row.read and row.read.place
        return Leave(place) if place else "No backup made it, so there is nothing to step through."

    def refine(self, stop: Stop) -> why.Why:
        place = self.made.links[0].place
        return why.explained(self.run, place, stop=stop, seconds=inf)

    def take_refined(self, made: why.Why) -> None:
        if made.links[0].place == self.made.links[0].place:
            self.is_refined = True
            self.made = replace(self.made, shares=made.shares or self.made.shares)

    # what is shown

    def page(self) -> Page:
        close = Key("left", "close", self.close, "show the previous value")
        return Page(
            "WHY",
            Stack((self.shares(), Beside((self.backups(), self.board())))),
            title=(("backups", count(self.made.links[0].writes)),),
            of_run=True,
            keys=(
                Key("enter right", "open", self.open, "show what made the value that it read"),
                *((close,) if self.behind else ()),
                Key("g", "step", self.step, "step from this backup"),
                BACK,
            ),
            work=None if self.is_refined else Work(self.refine, then=self.take_refined),
        )

    def shares(self) -> Card:
        backup, shares = self.made.links[0].backup, self.made.shares
        said = Text((((note(self.made), "dim"),),), least=1)
        value = decimals(backup.new, 4) if self.made.beads is None else f"{backup.new:,.0f} beads"
        is_start = backup.cell is None and not backup.board
        split = () if shares is None or is_start else (whose(shares, backup.player),)
        is_known = shares is not None or self.made.beads is not None
        return Card(
            (*split, Bars(parts(self.made)), said) if is_known else (said,),
            rank=-1,
            title=f"why is it {value}?",
            right="shares of what made it",
        )

    def backups(self) -> Table:
        title = "where this value comes from"
        if self.reader is not None:
            title = f"what the backup in game {self.reader.place.game + 1:,} read"
        return Table(
            BACKUPS,
            self.rows,
            self.cells,
            self.at,
            title=title,
            right="" if self.reader else "newest first",
            least_columns=76,
            clicked=self.click,
        )

    def click(self, row: int) -> str | Work | None:
        """Select a row; a second click opens it."""
        if row == self.at.cursor:
            return self.open()
        self.at.cursor = row
        return None

    def board(self) -> Card:
        """Return the board of the value, before and after the selected backup."""
        backup = (self.selected.link or self.made.links[0]).backup
        places = 4 if self.made.beads is None else 0
        facts: list[Words] = [
            ((f"{name} ", "dim"), (decimals(number, places), role))
            for name, number, role in (("old", backup.old, "dim"), ("new", backup.new, "strong"))
        ]
        board = marked(space().text(backup.board), backup.cell)
        title = f"updated in game {backup.game + 1:,}"
        return Card((board, Text(facts)), title=title, least_columns=36)

    def cells(self, row: Row) -> tuple[Cell | Words, ...]:
        """Return what a row is made of, its weight, its worth, and its backup."""
        source, places = row.read, 5 if self.table.spec.rule.estimates else 0
        name = said = self.told(row)
        if source is not None and source.place is not None:
            said = f"the value of game {source.place.game + 1:,}"
        worth = None if source is None else source.value
        by = new = ""
        where: Cell | Words = ""
        if row.link is None:
            worth = None if row.older else self.made.links[-1].backup.old
        elif self.reader is not None:
            where = "the target" if worth == row.link.backup.target else ""
        else:
            backup = row.link.backup
            worth = backup.target if worth is None and places else worth
            by = signed(backup.new - backup.old, min(places, 4))
            new = decimals(backup.new, places) if places else f"{backup.new:,.0f}"
            place = f"{backup.game + 1:,}.{backup.ply}"
            where = Cell(place, f"game {backup.game + 1:,}, ply {backup.ply}")
        role = "dim" if row.link is None else side_role(self.table.side.mark)
        return (
            Cell(((f"{'+' if row.can_open else ' '} {name}", role),), spoken(said)),
            "" if row.weight is None else f"{row.weight:.1%}",
            "" if worth is None else decimals(worth, places),
            by,
            new,
            where,
        )

    def told(self, row: Row) -> str:
        """Return what a row was read from."""
        if row.older:
            return f"{row.older:,} older backup{'s' * (row.older != 1)}"
        if row.link is None:
            return "the first guess" if self.table.spec.rule.estimates else "a new box"
        return told(self.run.layout, row.link, row.read)

    def ending(self, row: Row) -> str:
        """Return why a row opens to nothing."""
        if row.link is None:
            return "This is what was there before the first backup."
        if row.link.is_refill:
            return "The box was refilled: these beads have no other source."
        name = self.told(row)
        if name.startswith("the "):
            return f"This is {name}: it is made of nothing else."
        return f"{name} was a first guess: no backup had changed it."


def told(layout: Layout, link: why.BackupLink, source: why.Source | None) -> str:
    """Return what the target of a backup read: a result, a value, or the number of values."""
    rule = layout.table_of(link.backup.entry).spec.rule
    if not rule.estimates:
        return "the refill" if link.is_refill else result_word(link)
    if source is None:
        return f"{len(link.sources)} values"
    where = board_of(layout.table_of(source.entry), source.entry)
    is_reply = rule.equation.kind is TargetKind.BEST_REPLY
    if where is None or (where[1] < 0 and space().outcome[where[0]] and not is_reply):
        return result_word(link)
    return f"{'V' if where[1] < 0 else 'Q'}({board_row(*where)})"


def result_word(link: why.BackupLink) -> str:
    """Return the result of a backup's game, for its player."""
    if link.result == "draw":
        return "the draw"
    return "the win" if link.result == link.backup.player else "the loss"


def parts(made: why.Why) -> list[Bar]:
    """Return the parts that add up to the value; of beads, as shares of the largest part."""
    player = made.links[0].backup.player
    loser = "O" if player == "X" else "X"
    results = (
        (player, "win", "wins", "better"),
        ("draw", "draw", "draws", "text"),
        (loser, "loss", "losses", "worse"),
    )
    if made.beads is not None:
        beads, refill = made.beads, made.beads.refill
        began = "a new box" if refill is None else f"the refill in game {refill.game + 1:,}"
        added = [(began, f"{beads.start:,.0f}", beads.start, "dim")]
        for result, word, plural, role in results:
            if many := beads.games[result]:
                moved, name = beads.moved[result], word if many == 1 else plural
                added.append((f"{many:,} {name}", signed(moved, 0), moved, role))
        most = max(1.0, *(abs(number) for _, _, number, _ in added))
        return [Bar(name, told, abs(number) / most, role) for name, told, number, role in added]
    shares = made.shares
    if shares is None:
        return []
    told = [(name, shares.results[result], role) for result, _, name, role in results]
    is_cut = shares.since > 0 and shares.earlier > SHOWN
    told.append(
        (f"before game {shares.since + 1:,}", shares.earlier, "dim")
        if is_cut
        else ("first guess", shares.first, "dim")
    )
    if shares.discounted:
        told.append(("discounted", shares.discounted, "dim"))
    rounded = percents([weight for _, weight, _ in told], 1)
    return [
        Bar(name, f"{percent:.1f}%", weight, role)
        for (name, weight, role), percent in zip(told, rounded, strict=True)
    ]


def note(made: why.Why) -> str:
    """Return a note on the sum, or the explanation instead of a sum."""
    if made.beads is not None:
        many = made.beads.refills
        if not many:
            return "Beads are a sum, not a mean: early games count as much as late ones."
        times = "once" if many == 1 else f"{many:,} times"
        return f"Refilled {times}: the earlier beads are gone."
    if made.shares is None:
        return sentence(made.instead)
    games = sorted(made.shares.games.items(), key=lambda item: -item[1])[:WEIGHTY]
    told = ", ".join(f"game {game + 1:,} {weight:.1%}" for game, weight in games)
    return f"Most: {told}." if told else "No result is in it yet."


def whose(shares: why.Shares, player: str) -> Split:
    """Return a bar: the weight of games that came through a board, of others, of first guesses."""
    side = player.lower()
    looks = (("█", side), ("▒", side), ("░", "dim"), ("─", "dim"), ("·", "faint"))
    told = [
        Share(fill, {"guess": "first guess"}.get(name, name), part, role)
        for (fill, role), (name, part) in zip(looks, shares.parts.items(), strict=True)
        if part > SHOWN or name in ("own", "borrowed")
    ]
    return Split("whose games", told)


def open_on(lab: LabController, data: int | why.Why, text: str) -> Opened:
    if not isinstance(data, why.Why):
        card = ValueCard(lab, data)
        return card.page, card.begin
    page = WhyPage(lab.session.run, data)
    if text:
        page.open_path(text)
    entry = data.links[0].backup.entry
    return page.page, lambda place: lab.step_to(place, entry)
