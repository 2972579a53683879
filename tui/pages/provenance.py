"""Why a value is what it is: the shares of what made it, and its backups, newest first.

A row is a backup and what its target read: the result, or another value at that time. Enter opens
the same page for that value, so you walk back, value by value, to results and first guesses.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final, NamedTuple

from afterstate_lab.game import space
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.kernel.memory import Table as MemoryTable
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.run import Run, Stop
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.cells import marked
from afterstate_lab.tui.blocks.lists import Cell, Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.blocks.text import Bar, Bars, Card, Share, Split, Text
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import board_row, side_role
from afterstate_lab.tui.lab.microscope.reading import board_of
from afterstate_lab.tui.lab.outcomes import Work, sentence
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import count, decimals, percents, signed

COLUMNS: Final = (
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
            return why.explained(self.run, row.read.place, progress=lambda part: None, stop=stop)
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
        return why.explained(self.run, place, progress=lambda part: None, stop=stop, seconds=inf)

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
            COLUMNS,
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


def open_on(lab: LabController, data: why.Why, text: str) -> Opened:
    page = WhyPage(lab.session.run, data)
    if text:
        page.open_path(text)
    entry = data.links[0].backup.entry
    return page.page, lambda place: lab.step_to(place, entry)
