"""Why a value is what it is: its shares of results and initial values, and a tree of backups.

A row of the tree is a backup, a value that a target read, or an initial value. Each opens to the
backups of the value that its target read, down to results of games and initial values. The weight
of a row is its share of the value at the root, if every value is a mean of targets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from math import inf
from typing import Final

from afterstate_lab.game import space
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.kernel.memory import Table as MemoryTable
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run, Stop
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.cells import marked
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.blocks.table import Cell, Column, Table
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
DEEPEST: Final = 7
"""Maximum number of indented levels."""
PATH: Final = re.compile(r"[1-9]\d{0,5}(\.[1-9]\d{0,5}){0,8}", re.ASCII)
USE: Final = "why 2 opens the second row, why 2.1 the first row inside it"
WEIGHTY: Final = 3
"""Maximum number of games named, weightiest first."""
SHOWN: Final = 0.0005
"""Smaller shares are not shown."""
SMALL: Final = 0.0005
"""Two or more backups in a row that move a value by less are one row."""
LOOKS: Final = 24
"""Maximum number of values to unroll while looking for a game that never came through."""


@dataclass(eq=False)
class WhyNode:
    """A row of the tree."""

    of: why.Links
    """The backups that it belongs to."""
    weight: float | None
    """Its share of the value at the root, if fixed."""
    parent: WhyNode | None = None
    link: why.BackupLink | None = None
    source: why.Source | None = None
    """The value itself, if it is read from the table."""
    reader: why.BackupLink | None = None
    """The backup that reads it, if that reads several."""
    older: int = 0
    """Number of backups not listed yet."""
    inner: list[WhyNode] | None = None
    """The rows under it; None until they are looked up."""
    is_open: bool = False
    is_fold: bool = False
    """Whether it stands for the small steps inside it."""

    @property
    def depth(self) -> int:
        return -1 if self.parent is None else self.parent.depth + 1

    @property
    def sources(self) -> tuple[why.Source, ...]:
        """The values that its target read."""
        if self.source is not None:
            return (self.source,)
        return () if self.link is None else self.link.sources

    @property
    def read(self) -> why.Source | None:
        """The value that it opens to; None if none or several."""
        return self.sources[0] if len(self.sources) == 1 else None

    @property
    def can_open(self) -> bool:
        """Whether there are rows under it."""
        has_writer = self.read is not None and self.read.place is not None
        return bool(self.older) or self.is_fold or len(self.sources) > 1 or has_writer

    @property
    def place(self) -> TapePosition | None:
        """The moment to step from."""
        if self.is_fold and self.inner:
            return self.inner[0].place
        return self.link.place if self.link else None if self.source is None else self.source.place


class WhyPage:
    """The tree of a value, with its open rows and the selected one."""

    def __init__(self, run: Run, made: why.Why) -> None:
        self.run, self.made = run, made
        self.root = WhyNode(made.links, 1.0)
        self.root.inner = self.rows_for(self.root, made.links, 1.0)
        self.at = Window()
        self.is_refined = not made.is_rough
        self.seeks_merge = False
        """Whether it was opened to show where games merge."""

    @property
    def rows(self) -> list[WhyNode]:
        """The visible rows, from the top."""

        def seen(nodes: Sequence[WhyNode]) -> Iterator[WhyNode]:
            for node in nodes:
                yield node
                if node.is_open:
                    yield from seen(node.inner or ())

        return list(seen(self.root.inner or ()))

    # the tree

    def rows_for(
        self, parent: WhyNode, made: why.Links, weight: float | None, skip: int = 0
    ) -> list[WhyNode]:
        """Return the rows of a value: each backup, then the start or the number of older ones.

        Args:
            skip: leave out the newest rows.
        """
        rule = self.run.layout.table_of(made[0].backup.entry).spec.rule
        is_mean = rule.estimates and not rule.shares_error
        known = why.weights(made) if is_mean else [None] * len(made)
        parts = [None if part is None or weight is None else part * weight for part in known]
        rows = [WhyNode(made, part, parent, link)
                for link, part in zip(made, parts, strict=True)]  # fmt: skip
        told = [part for part in parts if part is not None]
        left = weight - sum(told) if weight is not None and len(told) == len(rows) else None
        rows = folded(rows[skip:], keep=not skip) if rule.estimates else rows[skip:]
        older, first = made[-1].writes - 1, made[-1].backup
        if not older:
            start = why.Source(first.entry, first.old, None)
            rows.append(WhyNode(made, left, parent, source=start))
        elif not made[-1].is_refill:
            rows.append(WhyNode(made, left, parent, older=older))
        return rows

    def look(self, node: WhyNode, stop: Stop = lambda: False) -> why.Links | None:
        """Find the backups under a row, or older ones, by replaying games."""
        place = None if node.read is None else node.read.place
        if node.older:
            last = node.of[-1]
            place = why.last_write(self.run, last.backup.entry, last.place, stop=stop)
        found = () if place is None else why.chain(self.run, place, stop=stop)
        return (*node.of, *found) if node.older else found or None

    def inside(self, node: WhyNode, made: why.Links | None) -> list[WhyNode]:
        """Return the rows under a row: the values that it read, or the backups of its value."""
        if made is None:
            return [WhyNode(node.of, None, node, source=source, reader=node.link)
                    for source in node.sources]  # fmt: skip
        weight = node.weight
        if weight is not None and node.read is not None:
            weight *= why.discount(table_of(self.run.layout, node))
        return self.rows_for(node, made, weight)

    def take(self, node: WhyNode, made: why.Links | None) -> list[WhyNode]:
        """Put the found backups under a row, or replace the row of older ones."""
        if not node.older:
            node.inner, node.is_open = self.inside(node, made), True
            return node.inner
        assert made is not None and node.parent is not None and node.parent.inner is not None
        rows = node.parent.inner
        known = [row.weight for row in rows if row.weight is not None]
        whole = sum(known) if len(known) == len(rows) else None
        kept = rows.index(node)
        rows[kept:] = self.rows_for(node.parent, made, whole, len(node.of))
        return rows[kept:]

    def merge(self, stop: Stop) -> WhyNode | None:
        """Return a row of a game that never came through the value's board, if it is found in the
        weightiest rows; those are looked up on the way.
        """
        entry, ways = self.made.links[0].backup.entry, weightiest(self.root)
        for row in islice(ways, LOOKS):  # which grow
            if row.inner is None and (links := self.look(row, stop)):
                row.inner = self.inside(row, links)
            if stop():
                return None
            for one in unfolded(row.inner or ()):
                game = -1 if one.link is None else one.link.place.game
                if game >= 0 and not why.passing(self.run.record(game, game + 1), entry):
                    return one
            ways += weightiest(row)
        return None

    # what can be asked for

    def refine(self, stop: Stop) -> why.Why:
        place = self.made.links[0].place
        return why.explained(self.run, place, progress=lambda part: None, stop=stop, seconds=inf)

    def take_refined(self, made: why.Why) -> None:
        self.is_refined = True
        if made.shares is not None:
            self.made = replace(self.made, shares=made.shares)

    def borrowed(self) -> str | Work:
        """Open the tree where a game comes in that never came through this board."""
        self.seeks_merge, shares = False, self.made.shares
        if shares is None:
            return note(self.made)
        if shares.borrowed <= why.WEIGHTLESS:
            return "It borrows nothing: all its games came through this board."
        return Work(self.merge, says="Looking for the board where games merge.",
                    then=self.take_merge)  # fmt: skip

    def take_merge(self, found: WhyNode | None) -> str:
        if found is None or found.parent is None or found.place is None:
            return "The games that merge are further back: open the rows one by one."
        above, merged = found.parent, found.parent
        if merged.is_fold and merged.parent is not None:
            merged = merged.parent
        while above.parent is not None:
            above.is_open, above = True, above.parent
        self.show(found)
        where = told_source(self.run.layout, merged)
        return f"Game {found.place.game + 1:,} never came here: it merges at {where}."

    @property
    def selected(self) -> WhyNode:
        return self.rows[self.at.cursor]

    def toggle(self) -> str | Work | None:
        """Open or close the row."""
        if not self.selected.is_open:
            return self.unfold()
        self.fold()
        return None

    def unfold(self) -> str | Work | None:
        """Open the row; if open, move to its first row."""
        node = self.selected
        if node.is_open:
            self.at.move(1)
        elif not node.can_open:
            return ending(self.run.layout, node)
        elif node.inner is not None:
            node.is_open = True
        else:
            says = "Looking for the backups inside it."
            return Work(lambda stop: self.look(node, stop), says=says,
                        then=lambda found: self.found(node, found))  # fmt: skip
        return None

    def found(self, node: WhyNode, links: why.Links | None) -> None:
        selected = self.selected
        if node.inner is None:
            self.take(node, links)
        self.show(selected)

    def fold(self) -> str | None:
        """Close the row; if closed, move to its parent."""
        node = self.selected
        if node.is_open:
            node.is_open = False
        elif node.parent is not self.root:
            self.show(node.parent)
        else:
            return "This row is not open."
        return None

    def show(self, node: WhyNode | None) -> None:
        """Move the cursor to a row, if it is visible."""
        rows = self.rows
        self.at.hold(len(rows))
        if node in rows:
            self.at.cursor = rows.index(node)

    def open_path(self, path: str) -> None:
        """Open the row of a path such as `2` or `2.1`, and select its first row."""
        if not PATH.fullmatch(path):
            raise UsageError(f"{shown(path)} is not a row: {USE}")
        nodes = self.root.inner or []
        for number in map(int, path.split(".")):
            if number > len(nodes):
                raise UsageError(f"there is no row {shown(path)}: why shows them from the start")
            node = nodes[number - 1]
            if not node.can_open:
                raise UsageError(ending(self.run.layout, node))
            nodes = node.inner or self.take(node, self.look(node))
            node.is_open = True
        self.show(nodes[0])

    def step(self) -> Leave | str:
        place = self.selected.place
        return (
            Leave(place)
            if place is not None
            else "No backup made it, so there is nothing to step through."
        )

    # what is shown

    def page(self) -> Page:
        said = "the board where other games merge"
        borrowed = (Key("b", "borrowed", self.borrowed, said),) if self.split else ()
        return Page(
            "WHY",
            Stack((self.shares(), Beside((self.table(), Stack((self.board(), self.values())))))),
            title=(("backups", count(self.selected.of[0].writes)),),
            of_run=True,
            keys=(
                Key("enter", "open", self.toggle, "show or hide what its target was made of"),
                Key("right", "open row", self.unfold, "show what made it", hidden=True),
                Key("left", "close row", self.fold, "hide what made it", hidden=True),
                *borrowed,
                Key("g", "step", self.step, "step from this backup"),
                BACK,
            ),
            work=self.work,
        )

    @property
    def work(self) -> Work | None:
        if not self.is_refined:
            return Work(self.refine, then=self.take_refined)
        found = self.borrowed() if self.seeks_merge else None
        return found if isinstance(found, Work) else None

    def shares(self) -> Card:
        new, said = self.made.links[0].backup.new, Text((((note(self.made), "dim"),),), least=1)
        value = decimals(new, 4) if self.made.beads is None else f"{new:,.0f} beads"
        bars = self.made.shares or self.made.beads
        return Card(
            (*self.split, Bars(parts(self.made)), said) if bars else (said,), rank=-1,
            title=f"why is it {value}?", right="shares of what made it",
        )  # fmt: skip

    @property
    def split(self) -> tuple[Split, ...]:
        """Whose games it is made of, unless it is the start, which every game came through."""
        backup, shares = self.made.links[0].backup, self.made.shares
        is_start = backup.cell is None and not backup.board
        return () if shares is None or is_start else (whose(shares, backup.player),)

    def table(self) -> Table:
        return Table(
            COLUMNS, self.rows, lambda node: node_cells(self.run.layout, node), self.at,
            title="where this value comes from", right="newest first", least_columns=76,
            clicked=self.click,
        )  # fmt: skip

    def click(self, row: int) -> str | Work | None:
        """Select a row; a second click opens or closes it."""
        if row == self.at.cursor:
            return self.toggle()
        self.at.cursor = row
        return None

    def board(self) -> Card:
        """Return the board of the value."""
        node = self.selected
        backup = (node.link or node.of[0]).backup
        places = 4 if self.made.beads is None else 0
        facts: list[Words] = [
            ((f"{name} ", "dim"), (decimals(number, places), role))
            for name, number, role in (("old", backup.old, "dim"), ("new", backup.new, "strong"))
        ]
        board = marked(space().text(backup.board), backup.cell)
        return Card(
            (board, Text(facts)), title=f"updated in game {backup.game + 1:,}", least_columns=36
        )

    def values(self) -> Curve:
        """Return the value after each of the row's backups."""
        node = self.selected
        links = node.of
        points = tuple((float(n), link.backup.new) for n, link in enumerate(reversed(links), 1))
        at = links.index(node.link) if node.link in links else len(links) - 1
        return Curve(
            series=(Series(points, role=side_role(links[0].backup.player)),),
            x_label="backups, the newest last", point=points[len(links) - 1 - at],
            title="the value after each",
        )  # fmt: skip


def parts(made: why.Why) -> list[Bar]:
    """Return the parts that add up to the value; of beads, as shares of the largest part."""
    player = made.links[0].backup.player
    loser = "O" if player == "X" else "X"
    results = ((player, "win", "wins", "better"), ("draw", "draw", "draws", "text"),
               (loser, "loss", "losses", "worse"))  # fmt: skip
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
    told.append((f"before game {shares.since + 1:,}", shares.earlier, "dim") if is_cut
                else ("first guess", shares.first, "dim"))  # fmt: skip
    if shares.discounted:
        told.append(("discounted", shares.discounted, "dim"))
    rounded = percents([weight for _, weight, _ in told], 1)
    return [Bar(name, f"{percent:.1f}%", weight, role)
            for (name, weight, role), percent in zip(told, rounded, strict=True)]  # fmt: skip


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


def weightiest(node: WhyNode) -> list[WhyNode]:
    """Return the backups under a row that can be opened, the weightiest first."""
    rows = [row for row in unfolded(node.inner or ()) if row.link and row.read and row.can_open]
    return sorted(rows, key=lambda row: -(row.weight or 0.0))


def unfolded(rows: Sequence[WhyNode]) -> list[WhyNode]:
    """Return rows with the small steps themselves."""
    return [one for row in rows for one in (row.inner or () if row.is_fold else (row,))]


def folded(rows: list[WhyNode], *, keep: bool) -> list[WhyNode]:
    """Return rows with small steps in a row as one; `keep` leaves out the newest."""
    found = rows[:keep]

    def is_small(row: WhyNode) -> bool:
        return row.link is not None and abs(row.link.backup.new - row.link.backup.old) < SMALL

    for small, group in groupby(rows[keep:], is_small):
        steps = list(group)
        if not small or len(steps) == 1:
            found += steps
            continue
        parts = [row.weight for row in steps if row.weight is not None]
        weight = sum(parts) if len(parts) == len(steps) else None
        fold = WhyNode(steps[0].of, weight, steps[0].parent, inner=steps, is_fold=True)
        for step in steps:
            step.parent = fold
        found.append(fold)
    return found


def table_of(layout: Layout, node: WhyNode) -> MemoryTable:
    """Return the learner of a row's value."""
    return layout.table_of(node.of[0].backup.entry)


def node_cells(layout: Layout, node: WhyNode) -> tuple[Cell | Words, ...]:
    """Return a row: its name, its weight, its value, and the backup and its moment."""
    link, source, table = node.link, node.read, table_of(layout, node)
    places = 5 if table.spec.rule.estimates else 0
    told = told_source(layout, node)
    sign = "−" if node.is_open else "+" if node.can_open else " "
    worth = source.value if source is not None else None
    by = new = ""
    where: Cell | Words = ""
    if node.is_fold and node.inner:
        newest, oldest = node.inner[0].link, node.inner[-1].link
        if newest is not None and oldest is not None:
            by = signed(newest.backup.new - oldest.backup.old, 4)
    if link is not None:
        backup = link.backup
        worth = backup.target if worth is None and places else worth
        by = signed(backup.new - backup.old, min(places, 4))
        new = decimals(backup.new, places) if places else f"{backup.new:,.0f}"
        place = f"{backup.game + 1:,}.{backup.ply}"
        where = Cell(place, f"game {backup.game + 1:,}, ply {backup.ply}")
    elif node.reader is not None and source is not None:
        where = "the target" if source.value == node.reader.backup.target else ""
    role = "dim" if link is None else side_role(table.side.mark)
    said = spoken(told)
    if source is not None and source.place is not None:
        said = f"the value of game {source.place.game + 1:,}"
    return (
        Cell(((f"{'  ' * min(node.depth, DEEPEST)}{sign} {told}", role),), said),
        "" if node.weight is None else f"{node.weight:.1%}",
        "" if worth is None else decimals(worth, places), by, new, where,
    )  # fmt: skip


def ending(layout: Layout, node: WhyNode) -> str:
    if node.link is not None and node.link.is_refill:
        return "The box was refilled: these beads have no other source."
    if node.link is None:
        return "This is what was there before the first backup."
    told = told_source(layout, node)
    if told.startswith("the "):
        return f"This is {told}: it is made of nothing else."
    return f"{told} was a first guess: no backup had changed it."


def told_source(layout: Layout, node: WhyNode) -> str:
    """Return what a row was read from: a result, a value, or the initial value."""
    link, source, rule = node.link, node.read, table_of(layout, node).spec.rule
    if node.is_fold and node.inner:
        return f"{len(node.inner)} small steps"
    if node.older:
        return f"{node.older:,} older backup{'s' * (node.older != 1)}"
    if link is not None and not rule.estimates:
        return "the refill" if link.is_refill else result_word(link)
    if source is None:
        return f"{len(node.sources)} values"
    if link is None and node.reader is None:
        return "the first guess" if rule.estimates else "a new box"
    where = board_of(layout.table_of(source.entry), source.entry)
    is_reply = rule.equation.kind is TargetKind.BEST_REPLY
    if where is None or (where[1] < 0 and space().outcome[where[0]] and not is_reply):
        return "the result" if link is None else result_word(link)
    return f"{'V' if where[1] < 0 else 'Q'}({board_row(*where)})"


def result_word(link: why.BackupLink) -> str:
    """Return the result of a backup's game, for its player."""
    if link.result == "draw":
        return "the draw"
    return "the win" if link.result == link.backup.player else "the loss"


def open_on(lab: LabController, data: why.Why, text: str) -> Opened:
    page = WhyPage(lab.session.run, data)
    if text == "borrowed":
        page.seeks_merge = True
    elif text:
        page.open_path(text)
    entry = data.links[0].backup.entry
    return page.page, lambda place: lab.step_to(place, entry)
