"""Why a value is what it is: its shares of results and initial values, and a tree of backups."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.learners.ask.why import WEIGHTLESS
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.cells import marked
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.blocks.text import Bar, Bars, Card, Text
from afterstate_lab.tui.lab.labels import board_label, entry_label, side_role
from afterstate_lab.tui.lab.microscope.reading import board_of
from afterstate_lab.tui.lab.outcomes import Work
from afterstate_lab.tui.lab.why import Links, Why, WhyNode, WhyTree, explained
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import count, decimals, signed
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.why import BackupLink
    from afterstate_lab.learners.tape.run import Run, Stop
    from afterstate_lab.tui.lab.controller import LabController

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


class WhyPage:
    """The tree of a value, with its open rows and the selected one."""

    def __init__(self, run: Run, made: Why) -> None:
        self.made = made
        self.tree = WhyTree(run, made.links)
        self.rows = self.tree.rows
        self.at = Window()
        self.is_refined = not made.is_rough
        self.seeks_merge = False
        """Whether it was opened to show where games merge."""

    def refine(self, stop: Stop) -> Why:
        place = self.made.links[0].place
        return explained(self.tree.run, place, progress=lambda part: None, stop=stop, seconds=inf)

    def take_refined(self, made: Why) -> None:
        self.is_refined = True
        if made.shares is not None:
            self.made = replace(self.made, shares=made.shares)

    def borrowed(self) -> str | Work:
        """Open the tree where a game comes in that never came through this board."""
        self.seeks_merge, shares = False, self.made.shares
        if shares is None:
            return self.made.note
        if shares.borrowed <= WEIGHTLESS:
            return "It borrows nothing: all its games came through this board."
        return Work(self.tree.merge, says="Looking for the board where games merge.",
                    then=self.take_merge)  # fmt: skip

    def take_merge(self, way: list[tuple[WhyNode, list[WhyNode], WhyNode]]) -> str:
        if not way:
            return "The games that merge are further back: open the rows one by one."
        for node, rows, _ in way:
            node.inner, node.is_open = rows, True
            for row in (*self.tree.nodes, *rows):
                row.is_open |= row.is_fold and node in (row.inner or ())
        (node, rows, found) = way[-1]
        for row in rows:
            row.is_open |= row.is_fold and found in (row.inner or ())
        self.rows = self.tree.rows
        self.at.hold(len(self.rows))
        self.at.cursor = self.rows.index(found)
        where, game = told_source(self.tree, node), found.place
        assert game is not None
        return f"Game {game.game + 1:,} never came here: it merges at {where}."

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
            return None
        if not node.can_open:
            return ending(self.tree, node)
        if node.inner is not None:
            self.show(is_open=True)
            return None
        return Work(
            lambda stop: self.tree.look(node, stop),
            says="Looking for the backups inside it.",
            then=lambda found: self.take(node, found),
        )

    def take(self, node: WhyNode, found: Links | None) -> None:
        if node.inner is None or node.older:
            self.tree.take(node, found)
        self.show()

    def fold(self) -> str | None:
        """Close the row; if closed, move to its parent."""
        node = self.selected
        if node.is_open:
            self.show(is_open=False)
        elif (parent := self.tree.parent(node)) is not None:
            self.at.cursor = self.rows.index(parent)
        else:
            return "This row is not open."
        return None

    def show(self, is_open: bool | None = None) -> None:
        """Show the open rows; the cursor stays on its row."""
        node = self.selected
        node.is_open = node.is_open if is_open is None else is_open
        self.rows = self.tree.rows
        self.at.hold(len(self.rows))
        if node in self.rows:
            self.at.cursor = self.rows.index(node)

    def open_path(self, path: str) -> None:
        """Open the row of a path such as `2` or `2.1`, and select its first row."""
        if not PATH.fullmatch(path):
            raise UsageError(f"{shown(path)} is not a row: {USE}")
        nodes = self.tree.nodes
        for number in map(int, path.split(".")):
            if number > len(nodes):
                raise UsageError(f"there is no row {shown(path)}: why shows them from the start")
            node = nodes[number - 1]
            if not node.can_open:
                raise UsageError(ending(self.tree, node))
            nodes = node.inner or self.tree.take(node, self.tree.look(node))
            node.is_open = True
        self.show()
        self.at.cursor = self.rows.index(nodes[0])

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
        borrowed = (Key("b", "borrowed", self.borrowed, said),) if self.made.whose else ()
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
        new, note = self.made.links[0].backup.new, Text((((self.made.note, "dim"),),), least=1)
        value = decimals(new, 4) if self.made.beads is None else f"{new:,.0f} beads"
        bars = [Bar(part.name, part.number, part.share, part.role) for part in self.made.parts]
        split = (self.made.whose,) if self.made.whose else ()
        return Card(
            (*split, Bars(bars), note) if bars else (note,), rank=-1, title=f"why is it {value}?",
            right="shares of what made it",
        )  # fmt: skip

    def table(self) -> Table:
        return Table(
            COLUMNS, self.rows, lambda node: node_cells(self.tree, node), self.at,
            title="where this value comes from", right="newest first", least_columns=76,
            chosen=self.click,
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
        label, places = entry_label(backup), 4 if self.made.beads is None else 0
        facts: list[Words] = [
            ((f"{name} ", "dim"), (decimals(number, places), role))
            for name, number, role in (("old", backup.old, "dim"), ("new", backup.new, "strong"))
        ]
        board = marked(label[:9], int(label[10:]) - 1 if label[10:] else None)
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


def node_cells(tree: WhyTree, node: WhyNode) -> tuple[Cell | Words, ...]:
    """Return a row: its name, its weight, its value, and the backup and its moment."""
    link, source, table = node.link, node.read, tree.table(node)
    places = 5 if table.spec.rule.estimates else 0
    told = told_source(tree, node)
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
        "" if worth is None else decimals(worth, places),
        by,
        new,
        where,
    )


def ending(tree: WhyTree, node: WhyNode) -> str:
    if node.link is not None and node.link.is_refill:
        return "The box was refilled: these beads have no other source."
    if node.link is None:
        return "This is what was there before the first backup."
    told = told_source(tree, node)
    if told.startswith("the "):
        return f"This is {told}: it is made of nothing else."
    return f"{told} was a first guess: no backup had changed it."


def told_source(tree: WhyTree, node: WhyNode) -> str:
    """Return what a row was read from: a result, a value, or the initial value."""
    link, source, rule = node.link, node.read, tree.table(node).spec.rule
    if node.is_fold and node.inner:
        return f"{len(node.inner)} small steps"
    if node.older:
        return f"{node.older:,} older backup{'s' * (node.older != 1)}"
    if link is not None and not rule.estimates:
        return "the refill" if link.is_refill else result_word(link)
    if source is None:
        is_best = rule.equation.kind in (TargetKind.BEST_PAIR, TargetKind.BEST_REPLY)
        return f"{'best of ' * is_best}{len(node.sources)} values"
    if link is None and node.reader is None:
        return "the first guess" if rule.estimates else "a new box"
    where = board_of(tree.run.layout.table_of(source.entry), source.entry)
    if where is None or (where[1] < 0 and space().outcome[where[0]]):
        return "the result" if link is None else result_word(link)
    return f"{'V' if where[1] < 0 else 'Q'}({board_label(*where)})"


def result_word(link: BackupLink) -> str:
    """Return the result of a backup's game, for its player."""
    if link.result == "draw":
        return "the draw"
    return "the win" if link.result == link.backup.player else "the loss"


def open_on(lab: LabController, data: Why, text: str) -> Opened:
    why = WhyPage(lab.session.run, data)
    if text == "borrowed":
        why.seeks_merge = True
    elif text:
        why.open_path(text)
    entry = data.links[0].backup.entry
    return why.page, lambda place: lab.go_to_backup(entry, place)
