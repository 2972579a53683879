"""The tree of a value on the screen: the row under the cursor, and what is shown of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tui.blocks.curve import Curve, Series
from tui.lab.labels import entry_label, side_role
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Background, Close, Message, Outcome
from tui.lab.why_tree import Links, WhyNode, WhyTree, ending, told_source
from tui.theme.numerals import decimals, signed
from tui.views.update import AfterstateView, ValueView
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.tape.run import Run
    from tui.lab.why import Why

WHAT: Final = 30
"""Columns of what a row is, with its indent."""
HEADS: Final = (
    f"{'  made of':<{WHAT}}{'weight':>7}{'worth':>8}{'by':>8}{'new':>8}  {'game.ply':>11}"
)
DEEPEST: Final = 7
"""Levels that have an indent of their own."""


class WhyController(ListController):
    """The tree of a value under a cursor.

    Args:
        run: the run.
        made: the value.
    """

    def __init__(self, run: Run, made: Why) -> None:
        super().__init__(
            {
                "toggle": self.toggle,
                "unfold": self.unfold,
                "fold": self.fold,
                "go": self.go,
            }
        )
        self.links = made
        self.tree = WhyTree(run, made.links)
        self.rows = self.tree.rows
        self.window.hold(len(self.rows))

    @property
    def selected(self) -> WhyNode:
        """The row under the cursor."""
        return self.rows[self.window.cursor]

    def toggle(self) -> Outcome:
        """Open the row, or close it again."""
        return self.fold() if self.selected.is_open else self.unfold()

    def unfold(self) -> Outcome:
        """Open the row under the cursor; open already, go to the first row behind it."""
        node = self.selected
        if node.is_open:
            self.move(1)
            return None
        if not node.can_open:
            return Message(ending(self.tree, node))
        if node.inner is not None:
            node.is_open = True
            self.show()
            return None
        if node.reads_several:
            self.tree.take(node, None)
            self.show()
            return None

        def work(stop: Callable[[], bool]) -> Links | None:
            return self.tree.look(node, stop)

        def done(found: Links | None) -> Outcome:
            if found is not None and (node.inner is None or node.older):
                self.tree.take(node, found)
            self.note = ""
            self.show()
            return None

        return Background(work, done, "Looking for the backups behind it.", exclusive=True)

    def fold(self) -> Outcome:
        """Close the row under the cursor; closed already, go to the one behind which it stands."""
        node = self.selected
        if not node.is_open:
            parent = self.tree.parent(node)
            if parent is None:
                return None
            node = parent
            self.window.go_to(self.rows.index(node))
            return None
        node.is_open = False
        self.show()
        return None

    def show(self) -> None:
        """Show the rows that are open now; the cursor stays on its row."""
        node = self.selected
        self.rows = self.tree.rows
        at = self.rows.index(node) if node in self.rows else self.window.cursor
        self.window.hold(len(self.rows))
        self.window.go_to(at)

    def go(self) -> Outcome:
        """Go to the backup under the cursor."""
        place = self.selected.place
        if place is None:
            return Message("Nobody wrote it: there is no backup to step from.")
        return Close(place)


def node_line(tree: WhyTree, node: WhyNode) -> Words:
    """A row: what it is, its weight, what it was worth, what the backup did and where."""
    link, source, table = node.link, node.read, tree.table(node)
    places = 5 if table.spec.rule.estimates else 0
    sign = "−" if node.is_open else "+" if node.can_open else " "
    what = f"{'  ' * min(node.depth, DEEPEST)}{sign} {told_source(tree, node)}"
    part = "" if node.weight is None else f"{node.weight:.1%}"
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
    told = "" if worth is None else decimals(worth, places)
    return (
        (f"{what:<{WHAT}}", "dim" if link is None else side_role(table.side.mark)),
        (f"{part:>7}", "strong"),
        (f"{told:>8}", "text"),
        (f"{by:>8}", "text"),
        (f"{new:>8}", "dim"),
        (f"  {where:>11}", "dim"),
    )


def board_view(node: WhyNode) -> AfterstateView:
    """The board whose value was written."""
    link = node.link or node.of[0]
    backup = link.backup
    label = entry_label(backup)
    return AfterstateView(
        cells=label[:9],
        title=f"written in game {backup.game + 1:,}",
        chosen=int(label[10:]) - 1 if label[10:].isdigit() else None,
        values=(ValueView("old", backup.old, "dim"), ValueView("new", backup.new, "strong")),
    )


def values_view(node: WhyNode) -> Curve:
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
