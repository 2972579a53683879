"""Why a value is what it is: its shares of results and first guesses, and a tree of backups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.blocks.block import Beside, Room, Stack, Window
from afterstate_lab.tui.blocks.board import Board
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.blocks.speech import figure, places_for, spoken
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.lab.labels import entry_label, side_role
from afterstate_lab.tui.lab.microscope.reading import board_of
from afterstate_lab.tui.lab.why import Why, share_lines, share_sentences
from afterstate_lab.tui.lab.why_tree import Links, WhyNode, WhyTree, ending, told_source
from afterstate_lab.tui.pages.page import Key, Leave, Page, Work
from afterstate_lab.tui.theme.numerals import count, decimals, signed
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.outcomes import Outcome

COLUMNS: Final = (
    Column("made of", 30),
    Column("weight", 7, 1, left=False, say=""),
    Column("worth", 8, 2, left=False, say=""),
    Column("by", 8, 4, left=False, say=""),
    Column("new", 8, 3, left=False, say=""),
    Column("game.ply", 11, 5, left=False, say=""),
)
DEEPEST: Final = 7
"""Levels that have an indent of their own."""
PATH: Final = re.compile(r"[1-9]\d{0,5}(\.[1-9]\d{0,5}){0,8}", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Shares(Log):
    """Bars, said as sentences."""

    told: tuple[str, ...]

    def room(self, columns: int, pen: Pen) -> Room:
        rows = len(self._fitted(columns - 2)[1])
        return Room(rows, rows)

    def say(self) -> Iterator[str]:
        yield from self.told


class WhyPage:
    """The tree of a value; the rows that are open, and the one that is chosen."""

    def __init__(self, run: Run, made: Why) -> None:
        self.made = made
        self.tree = WhyTree(run, made.links)
        self.rows = self.tree.rows
        self.at = Window()

    @property
    def selected(self) -> WhyNode:
        return self.rows[self.at.cursor]

    def toggle(self) -> str | Work | None:
        """Open the row, or close it again."""
        if not self.selected.is_open:
            return self.unfold()
        self.fold()
        return None

    def unfold(self) -> str | Work | None:
        """Open the row; open already, go to the first row inside it."""
        node = self.selected
        if node.is_open:
            self.at.move(1)
            return None
        if not node.can_open:
            return ending(self.tree, node)
        if node.inner is not None:
            node.is_open = True
        elif node.reads_several:
            self.tree.take(node, None)
        else:
            return Work(
                lambda stop: self.tree.look(node, stop),
                says="Looking for the backups inside it.",
                then=lambda found: self.take(node, found),
            )
        self.show()
        return None

    def take(self, node: WhyNode, found: Links | None) -> None:
        if found is not None and (node.inner is None or node.older):
            self.tree.take(node, found)
        self.show()

    def fold(self) -> None:
        """Close the row; closed already, go to the row that it is inside."""
        node = self.selected
        if node.is_open:
            node.is_open = False
            self.show()
        elif (parent := self.tree.parent(node)) is not None:
            self.at.cursor = self.rows.index(parent)

    def show(self) -> None:
        """Show the rows that are open now; the cursor stays on its row."""
        node = self.selected
        self.rows = self.tree.rows
        self.at.hold(len(self.rows))
        if node in self.rows:
            self.at.cursor = self.rows.index(node)

    def open_path(self, path: str) -> None:
        """Open the row of a path such as `2` or `2.1`, and choose the first row inside it.

        Raises:
            UsageError: there is no such row, or nothing is inside it.
        """
        if not PATH.fullmatch(path):
            told = "why 2 opens the second row, why 2.1 the first row inside it"
            raise UsageError(f"{shown(path)} is not a row: {told}")
        nodes = self.tree.nodes
        for number in map(int, path.split(".")):
            if number > len(nodes):
                raise UsageError(f"there is no row {shown(path)}: why shows them from the start")
            node = nodes[number - 1]
            if not node.can_open:
                raise UsageError(ending(self.tree, node))
            nodes = self.tree.opened(node)
            node.is_open = True
        self.show()
        self.at.cursor = self.rows.index(nodes[0]) if nodes[0] in self.rows else 0

    def step(self) -> Leave | str:
        place = self.selected.place
        return Leave(place) if place is not None else "Nothing wrote it: there is no backup here."

    # what is shown

    def page(self) -> Page:
        return Page(
            "WHY",
            Stack((self.shares(), Beside((self.table(), Stack((self.board(), self.values())))))),
            title=(("backups", count(self.selected.of[0].writes)),),
            of_run=True,
            keys=(
                Key("enter", "open", self.toggle, "what its target was made of; again: close it"),
                Key("right", "open row", self.unfold, "show what made it", hidden=True),
                Key("left", "close row", self.fold, "hide what made it", hidden=True),
                Key("g", "step", self.step, "step from this backup"),
                Key("escape q", "back", Leave, "back to the lab"),
            ),
        )

    def shares(self) -> Log:
        backup = self.made.links[0].backup
        value = f"{backup.new:,.0f} beads" if self.made.beads else decimals(backup.new, 4)
        return Shares(
            lines=share_lines(self.made), jump=1, rank=-1, title=f"why is it {value}?",
            right="shares of what made it", told=tuple(map(spoken, share_sentences(self.made))),
        )  # fmt: skip

    def table(self) -> Table:
        return Table(
            COLUMNS, len(self.rows), lambda n: node_cells(self.tree, self.rows[n]), self.at,
            title="where this value comes from", right="newest first", least_columns=76,
            chosen=self.click,
        )  # fmt: skip

    def click(self, row: int) -> str | Work | None:
        """Choose a row; click it again to open or close it."""
        if row == self.at.cursor:
            return self.toggle()
        self.at.cursor = row
        return None

    def board(self) -> Board:
        """The board whose value was written."""
        node = self.selected
        backup = (node.link or node.of[0]).backup
        label = entry_label(backup)
        places = 4 if estimates(self.tree, node) else 0
        old, new = decimals(backup.old, places), decimals(backup.new, places)
        facts: tuple[Words, ...] = (
            (("old ", "dim"), (old, "dim")),
            (("new ", "dim"), (new, "strong")),
        )
        return Board(
            cells=label[:9],
            lit=int(label[10:]) - 1 if label[10:].isdigit() else None,
            facts=facts,
            title=f"written in game {backup.game + 1:,}",
            least_columns=36,
        )

    def values(self) -> Curve:
        """The value after each of the backups of the row, with its own place."""
        return values_of(self.selected)


def node_cells(tree: WhyTree, node: WhyNode) -> tuple[Cell, ...]:
    """A row: what it is, its weight, what it was worth, what the backup did and where."""
    link, source, table = node.link, node.read, tree.table(node)
    places = 5 if table.spec.rule.estimates else 0
    sign = "−" if node.is_open else "+" if node.can_open else " "
    what = f"{'  ' * min(node.depth, DEEPEST)}{sign} {told_source(tree, node)}"
    worth = source.value if source is not None else None
    by = new = where = ""
    if link is not None:
        backup = link.backup
        worth = backup.target if worth is None and places else worth
        by = signed(backup.new - backup.old, min(places, 4))
        new = decimals(backup.new, places) if places else f"{backup.new:,.0f}"
        where = f"{backup.game + 1:,}.{backup.ply}"
    elif node.reader is not None and source is not None:
        where = "the target" if source.value == node.reader.backup.target else ""
    role = "dim" if link is None else side_role(table.side.mark)
    return (
        Cell(((what, role),), node_sentence(tree, node).removesuffix(".")),
        Cell((("" if node.weight is None else f"{node.weight:.1%}", "strong"),)),
        Cell((("" if worth is None else decimals(worth, places), "text"),)),
        Cell(((by, "text"),)),
        Cell(((new, "dim"),)),
        Cell(((where, "dim"),)),
    )


def values_of(node: WhyNode) -> Curve:
    """The value after each of the backups among which a row stands, with its own place."""
    links = node.of
    points = tuple((float(n), link.backup.new) for n, link in enumerate(reversed(links), 1))
    at = links.index(node.link) if node.link in links else len(links) - 1
    return Curve(
        series=(Series(points, role=side_role(links[0].backup.player)),),
        x_label="backups, the newest last",
        point=points[len(links) - 1 - at],
        title="the value after each",
    )


def node_sentence(tree: WhyTree, node: WhyNode) -> str:
    """A row of the tree: what the backup did, and how much of the value is what it was made of."""
    link, read = node.link, node.read
    part = "" if node.weight is None else f"{node.weight:.1%}"
    if node.older:
        return f"{told_source(tree, node)}{part and f', {part} of the value'}."
    if link is None:
        assert read is not None
        name = named(tree, node)
        told = figure(read.value, 3 if estimates(tree, node) else 0)
        return f"{part and f'{part} is '}{told}, {name}."
    backup = link.backup
    places = places_for(backup.old, backup.new) if estimates(tree, node) else 0
    old, new = figure(backup.old, places), figure(backup.new, places)
    change = f"stayed {new}" if backup.old == backup.new else f"{old} to {new}"
    said = f"Game {backup.game + 1:,}, ply {backup.ply}: {change}"
    if not estimates(tree, node):
        return f"{said}, by {named(tree, node)}."
    value = figure(backup.target if read is None else read.value)
    return f"{said}{f'; {part} is' if part else ', towards'} {value}{made(tree, node)}."


def estimates(tree: WhyTree, node: WhyNode) -> bool:
    """Whether the numbers are values, not beads."""
    return tree.table(node).spec.rule.estimates


def named(tree: WhyTree, node: WhyNode) -> str:
    """What a row was read from."""
    if node.reader is not None and node.source is not None:
        place = board_of(tree.table(node), node.source.entry)
        if place is not None and place[1] >= 0:
            return f"move {place[1] + 1}"
    return told_source(tree, node)


def made(tree: WhyTree, node: WhyNode) -> str:
    """Where the target of a backup came from."""
    read = node.read
    if read is None:
        return f", the {told_source(tree, node)}"
    if read.place is not None:
        return f" of game {read.place.game + 1:,}"
    source = told_source(tree, node)
    return f", {source}" if source.startswith("the ") else ", a first guess"


def open_on(
    lab: LabController, data: Why, text: str
) -> tuple[Callable[[], Page], Callable[[TapePosition | None], Outcome]]:
    why = WhyPage(lab.session.run, data)
    if text:
        why.open_path(text)
    entry = data.links[0].backup.entry
    return why.page, lambda place: lab.go_to_backup(entry, place)
