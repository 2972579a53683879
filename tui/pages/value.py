"""A value: its card with the commands that start there, and the backups that made it.

A row of these is a backup and what its target read: the result, or another value at that time.
Enter shows the backups of that value, so you walk back to results and first guesses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from afterstate_lab.game import Side, space
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.ask.table import TableRows
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run, Stop
from afterstate_lab.tui.blocks import (
    Bar,
    Bars,
    Beside,
    Card,
    Cell,
    Column,
    Room,
    Stack,
    Table,
    Text,
    Window,
    Words,
    figure,
    marked,
    spoken,
)
from afterstate_lab.tui.blocks.curve import Curve, Level, Series
from afterstate_lab.tui.blocks.span import stacked
from afterstate_lab.tui.lab.labels import board_label, board_row, owner_of, side_role
from afterstate_lab.tui.lab.microscope.reading import update_at
from afterstate_lab.tui.lab.outcomes import Open, command_key, sentence
from afterstate_lab.tui.lab.panes import fields
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page, Work
from afterstate_lab.tui.theme.numerals import aligned, decimals, percents, signed

LEFT: Final = Room(29, 52, 0.37)
MENU: Final = (Column("", 24), Column("", 20, 1, grows=True, role="dim"))
ANYWHERE: Final = (
    ("table", "its row in the table", "next to all others"),
    ("what_if", "what if another rule", "played this game"),
    ("fork", "play another move here", "in a branch"),
    ("breaks", "stop when it changes", "a breakpoint"),
    ("address", "copy a link", "to this moment"),
)
"""The commands that start at any value: each name, with its description."""


MOST_PLACES: Final = 6
MASKED: Final = "Hidden until you have said what is written."
REPLAYED: Final = "replaying the run …"


class ValueCard:
    """A value at the lab's moment; `entry` is its index into memory."""

    def __init__(self, lab: LabController, entry: int) -> None:
        self.lab, self.session, self.entry, self.at = lab, lab.session, entry, Window()
        u = update_at(self.session.timeline, asks=self.session.predictions.wanted)
        assert u is not None
        self.update, self.table = u, u.table_with(entry)
        place = self.table.place_of(entry)
        assert place is not None
        self.board, self.cell = place
        self.owner = owner_of(self.table, self.board)
        self.condition = u.condition(entry)
        layout = u.recording.layout
        self.rows = TableRows(layout, u.after, Side.parse(self.owner), u.event.game)
        self.row = self.rows.row(entry)
        self.now, self.visits = float(u.after[entry]), int(u.after[layout.values + entry])
        self.is_here = u.is_written and getattr(u.event, "entry", -1) == entry
        """Whether the current backup is this one."""
        self.made: why.Why | None = None
        """Its last backup and the shares of what made it, once found."""
        self.is_looking = bool(self.visits)
        """Whether its last backup and the shares are still to be found."""

    def look(self, stop: Stop) -> why.Why | None:
        game, row = self.session.timeline.place
        run, until = self.session.run, TapePosition(game, row + self.is_here)
        place = why.last_write(run, self.entry, until, stop=stop)
        if place is None:
            return None
        return why.explained(run, why.chain(run, place, limit=1), stop=stop)

    def take(self, made: why.Why | None) -> None:
        self.made, self.is_looking = made, False

    @property
    def last(self) -> why.BackupLink | None:
        """Its last backup, once found."""
        return None if self.made is None else self.made.links[0]

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

    def begin(self, row: object = None) -> Leave:
        """Leave for the selected command; a click has selected its own."""
        name = self.items[self.at.cursor][0]
        self.lab.note(name)
        outcome = self.lab.perform(name)
        if isinstance(outcome, Key) and name == "breaks":
            outcome = outcome.do(self.condition)
        elif name == "table":
            outcome = Open("table", text=f"{self.owner} {board_label(self.board, self.cell)}")
        return Leave(outcome)

    # what is shown

    @property
    def said(self) -> str:
        """The owner's expectation, and the last change."""
        last, now, estimates = self.last, self.now, self.rows.estimates
        old = now if last is None else last.backup.old
        if not estimates:
            places = 0
        elif old == now:
            places = 3
        else:
            seen = (n for n in range(3, MOST_PLACES) if figure(old, n) != figure(now, n))
            places = next(seen, MOST_PLACES)
        told_now, told_old = decimals(now, places), decimals(old, places)
        where = "this board" if self.cell < 0 else f"playing {self.cell + 1} here"
        said = f"{self.owner} expects {told_now} of {where}."
        if not estimates:
            said = f"{self.owner} holds {told_now} bead{'s' * (now != 1)} for {where}."
        if last is None:
            return said if self.visits else f"{said} No game has changed it yet."
        by = told(self.session.run.layout, last)
        by = by.replace("the ", "a ", 1) if by.startswith("the ") else "a later value"
        did = ("left it there", "pulled it up", "pulled it down")[(now > old) - (now < old)]
        return f"{said} It was {told_old}; {by} {did}."

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The value and its exact value; for beads, those of each colour in the box."""
        rows, row = self.rows, self.row
        if rows.estimates:
            of_two = zip("₁₂", rows.parts[:, row], strict=False) if len(rows.parts) > 1 else ()
            own = side_role(self.owner)
            numbers = [
                (rows.symbol, float(rows.values[row]), own, "it believes"),
                *((f"Q{n}", float(part), "draw", "") for n, part in of_two),
                (rows.optimum, float(rows.truth[row]), "truth", "exact"),
                ("vπ", float(rows.policy[row]), "draw", "as both play now"),
            ]
            return tuple(
                Bar(label, aligned(number, 4), (number - rows.low) / rows.span, role, said)
                for label, number, role, said in numbers
            )
        box = rows.boards == self.board
        told = rows.cells[box], rows.values[box], rows.columns["share"][box]
        return tuple(
            Bar(f"for {cell + 1}", f"{beads:,.0f}", share, f"bead {cell}")
            for cell, beads, share in zip(*told, strict=True)
        )

    def page(self) -> Page:
        replayed = self.session.sweep_work()
        which = (self.entry - self.table.base) // len(self.table.entries.boards)
        name = self.rows.symbol + "₁₂"[which] * (self.table.rule.tables > 1)
        said = Text((((self.said, "strong"),),), least=1)
        card = Card(
            (said, *whose(self.made)),
            title=((f"{name} of ", "title"), (self.owner, side_role(self.owner, strong=True))),
            right=decimals(self.now, 6 * self.rows.estimates),
        )
        board = marked(
            space().text(self.board),
            self.cell,
            title="this board",
            width=LEFT,
            least_columns=LEFT.least,
        )
        numbers = Bars(self.bars, title="its numbers", right=f"visits {self.visits:,}")
        menu = Table(
            MENU,
            self.items,
            lambda item: item[1:],
            self.at,
            heads=False,
            title="from here",
            rank=-1,
            clicked=self.begin,
        )
        return Page(
            "VALUE",
            Stack((card, Beside((Stack((board, numbers)), Stack((self.curve(), menu)))))),
            title=fields(self.session),
            of_run=True,
            work=Work(self.look, then=self.take) if self.is_looking else replayed,
            keys=(Key("enter", "open", self.begin, "do what is chosen"), BACK),
        )

    def curve(self) -> Curve:
        """Return the value over the games, with its exact value and the current game."""
        u, sweep, entry, rows = self.update, self.session.sweep, self.entry, self.rows
        if u.is_masked or sweep is None or sweep.values is None:
            return Curve(title="its history", note=MASKED if u.is_masked else REPLAYED)
        points = [*zip(sweep.shown.tolist(), sweep.values[:, entry].tolist(), strict=True)]
        if not sweep.is_log:
            points = [(0, u.recording.layout.fresh()[entry]), *points]
        steps = points[:1]
        for (_, before), (x, after) in pairwise(points):
            steps += [(x, before), (x, after)]
        here, exact = float(min(u.event.game + 1, sweep.games)), float(rows.truth[self.row])
        level = Level(exact, f"{rows.optimum} {decimals(exact)}")
        backups = int(sweep.run.memory[u.recording.layout.values + entry])
        return Curve(
            series=(Series(steps, role=side_role(self.owner)),),
            x_range=(float(sweep.is_log), float(sweep.games)),
            log_x=sweep.is_log,
            cursor=here,
            point=(here, self.now),
            levels=(level,) if rows.estimates else (),
            title="its history",
            right=f"{self.visits:,} of {backups:,} backup{'s' * (backups != 1)} so far",
        )


BACKUPS: Final = (
    Column("made of", 30),
    Column("weight", 7, 1, left=False, say="{} of the value", role="strong"),
    Column("worth", 8, 2, left=False, say="worth {}"),
    Column("by", 8, 4, left=False, say="moved by {}"),
    Column("new", 8, 3, left=False, say="to {}", role="dim"),
    Column("game.ply", 11, 5, left=False, role="dim"),
)
WEIGHTY: Final = 3
"""Maximum number of games named, weightiest first."""
SHOWN: Final = 0.0005
"""Smaller shares are not shown."""
WHOSE: Final = 24
"""Columns of a bar within a text."""


class Row(NamedTuple):
    """A backup of the value, or what lies before the listed backups."""

    weight: float | None
    """Its share of the value, if fixed."""
    link: why.BackupLink | None = None
    older: int = 0
    """Number of backups that are not listed."""

    @property
    def inside(self) -> TapePosition | None:
        """The backup that made what the target read, if that is one value with a backup."""
        return None if self.link is None else self.link.inside


class WhyPage:
    """The backups of a value; Enter opens the value that one of them read as another page.

    Args:
        run: the run.
        made: the latest backups of the value, and its shares.
        go: leaves this page, and those below it, for a moment.
    """

    def __init__(self, run: Run, made: why.Why, go: Callable[[TapePosition], Leave]) -> None:
        self.run, self.made, self.go, self.at = run, made, go, Window()
        self.table = run.layout.table_of(made.links[0].backup.entry)

    @property
    def rows(self) -> list[Row]:
        """Each known backup, then the first guess or the number of older backups."""
        links, rule = self.made.links, self.table.rule
        is_mean = rule.estimates and not rule.shares_error
        weights = why.weights(links) if is_mean else [None] * len(links)
        told = [weight for weight in weights if weight is not None]
        rows = [Row(weight, link) for weight, link in zip(weights, links, strict=True)]
        older = links[-1].writes - 1
        if not (older and links[-1].is_refill):
            rows.append(Row(1.0 - sum(told) if len(told) == len(rows) else None, older=older))
        return rows

    @property
    def selected(self) -> Row:
        return self.rows[self.at.cursor]

    # what can be asked for

    def open(self) -> str | Work:
        """Open the value that this row read, by replaying."""
        row, place = self.selected, self.selected.inside
        if row.older:
            return f"{command_key('provenance')} at the oldest of these backups lists the others."
        if place is None:
            return "This row opens to nothing: it read no single value that a backup made."

        def look(stop: Stop) -> why.Why:
            links = why.chain(self.run, place, stop=stop)
            return why.explained(self.run, links, stop=stop, seconds=why.SOON)

        return Work(
            look,
            says="Looking for the backups inside it.",
            then=lambda made: WhyPage(self.run, made, lambda place: Leave(self.go(place))).page,
        )

    def step(self) -> Leave | str:
        """Leave this page, and those below it, for a backup."""
        link = self.selected.link
        if link is None:
            return "No backup made it, so there is nothing to step through."
        return self.go(link.place)

    # what is shown

    def page(self) -> Page:
        links = self.made.links
        latest = links[0].backup
        board = marked(space().text(latest.board), latest.cell, title="its board", least_columns=36)
        backups = Table(
            BACKUPS,
            self.rows,
            self.cells,
            self.at,
            title="where this value comes from",
            right="newest first",
            least_columns=76,
        )
        look = Work(
            lambda stop: why.explained(self.run, links, stop=stop),
            then=partial(setattr, self, "made"),
        )
        return Page(
            "WHY",
            Stack((self.shares(), Beside((backups, board)))),
            title=(("backups", f"{links[0].writes:,}"),),
            of_run=True,
            keys=(
                Key("enter right", "open", self.open, "show what made the value that it read"),
                Key("g", "step", self.step, "step from this backup"),
                BACK,
            ),
            work=None if self.made.is_known else look,
        )

    def shares(self) -> Card:
        said = Text((((note(self.made), "dim"),),), least=1)
        new = self.made.links[0].backup.new
        value = decimals(new, 4) if self.table.rule.estimates else f"{new:,.0f} beads"
        return Card(
            (*whose(self.made), Bars(parts(self.made)), said) if parts(self.made) else (said,),
            rank=-1,
            title=f"why is it {value}?",
            right="shares of what made it",
        )

    def cells(self, row: Row) -> tuple[Cell | Words, ...]:
        """Return what a row is made of, its weight, its worth, and its backup."""
        estimates = self.table.rule.estimates
        places, link = 5 if estimates else 0, row.link
        weight = "" if row.weight is None else f"{row.weight:.1%}"
        if link is None:
            name = "the first guess" if estimates else "a new box"
            first = decimals(self.made.links[-1].backup.old, places)
            if row.older:
                name, first = f"{row.older:,} older backup{'s' * (row.older != 1)}", ""
            return ((f"  {name}", "dim"),), weight, first, "", "", ""
        backup, read = link.backup, link.read
        name = said = told(self.run.layout, link)
        if row.inside is not None:
            said = f"the value of game {row.inside.game + 1:,}"
        worth = read[1] if read is not None else backup.target if estimates else None
        return (
            Cell(
                ((f"{'+' if row.inside else ' '} {name}", side_role(backup.player)),), spoken(said)
            ),
            weight,
            "" if worth is None else decimals(worth, places),
            signed(backup.new - backup.old, min(places, 4)),
            decimals(backup.new, places) if places else f"{backup.new:,.0f}",
            Cell(
                f"{backup.game + 1:,}.{backup.ply}", f"game {backup.game + 1:,}, ply {backup.ply}"
            ),
        )


def told(layout: Layout, link: why.BackupLink) -> str:
    """Return what the target of a backup read: a result, a value, or the number of values."""
    read, rule = link.read, layout.table_of(link.backup.entry).rule
    if not rule.estimates:
        return "the refill" if link.is_refill else result_word(link)
    if read is None:
        return f"{len(link.reads)} values"
    where = layout.table_of(read[0]).place_of(read[0])
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
    """Return the parts that add up to the value."""
    player = made.links[0].backup.player
    loser = "O" if player == "X" else "X"
    results = (player, "wins", "better"), ("draw", "draws", "text"), (loser, "losses", "worse")
    shares = made.shares
    if shares is None:
        return []
    told = [(name, shares.results[result], role) for result, name, role in results]
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
    if not made.is_known:
        return "Looking for the games that made it."
    if made.shares is None:
        return sentence(made.instead)
    games = sorted(made.shares.games.items(), key=lambda item: -item[1])[:WEIGHTY]
    told = ", ".join(f"game {game + 1:,} {weight:.1%}" for game, weight in games)
    return f"Most: {told}." if told else "No result is in it yet."


def whose(made: why.Why | None) -> tuple[Text, ...]:
    """Return a bar: the weight of games that came through a board, of others, of first guesses.

    Without shares there is none; nor of the empty board, through which every game comes.
    """
    if made is None or made.shares is None:
        return ()
    backup = made.links[0].backup
    if backup.cell is None and not backup.board:
        return ()
    shares, side = made.shares, backup.player.lower()
    parts = [("█", shares.own, side, "own"), ("▒", shares.borrowed, side, "borrowed")]
    others = (
        ("░", shares.first, "dim", "first guess"),
        ("─", shares.earlier, "dim", "older"),
        ("▁", shares.discounted, "faint", "discounted"),
    )
    parts += [one for one in others if one[1] > SHOWN]
    words = [("Whose games: ", "dim"), *stacked([one[:3] for one in parts], WHOSE)]
    told = percents([part for _, part, *_ in parts])
    for n, ((fill, _, role, name), percent) in enumerate(zip(parts, told, strict=True)):
        words += (f"{', ' if n else ' '}{fill} ", role), (f"{name} {percent:.0f}%", "text")
    return (Text((tuple(words),), least=1),)


def open_on(lab: LabController, data: int | why.Why, text: str) -> Opened:
    if not isinstance(data, why.Why):
        return ValueCard(lab, data).page

    def go(place: TapePosition) -> Leave:
        lab.step_to(place, data.links[0].backup.entry)
        return Leave()

    return WhyPage(lab.session.run, data, go).page
