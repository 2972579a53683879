"""Provenance: the backups that made a value, newest first, each a place to jump to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.containers import Container
from textual.widget import Widget

from learners.queries.provenance import BackupLink
from learners.tape.recording import TapePosition
from tui.lab.labels import entry_label, side_role
from tui.lab.list_commands import PROVENANCE_COMMANDS
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Close
from tui.lab.why import Why, share_lines
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.theme.numerals import count, decimals, signed
from tui.views.lab import CurveView, LogView, ModeView, SeriesView
from tui.views.update import AfterstateView, ValueView
from tui.views.words import Words
from tui.widgets.afterstate_pane import AfterstatePane
from tui.widgets.curve_pane import CurvePane
from tui.widgets.log_pane import LogPane

HEADS = f"{'game.ply':>11} {'entry':<11} {'old':<7} {'new':<7} {'δ':<7} {'target':<7} weight  from"
LIST = 79
"""Columns of the list; on a wide terminal the board and the values stand beside it."""
BOARD_ROWS = 11


def link_line(link: BackupLink, weight: float | None) -> Words:
    """A backup, and what its target was made of.

    Args:
        link: the backup.
        weight: the share of its target in the value that the newest backup left.
    """
    backup = link.backup
    part = "" if weight is None else f"{weight:.1%}"
    words = [
        (f"{backup.game + 1:>9,}.{backup.ply} ", "dim"),
        (f"{entry_label(backup):<11} ", side_role(backup.player)),
        (f"{decimals(backup.old, 5):<7} ", "dim"),
        (f"{decimals(backup.new, 5):<7} ", "strong"),
        (f"{signed(backup.error, 4):<7} ", "text"),
        (f"{decimals(backup.target, 5):<7} ", "text"),
        (f"{part:>6}  ", "text"),
    ]
    if link.sources:
        place = link.sources[0].place
        words.append(("start" if place is None else f"game {place.game + 1:,}", "dim"))
    return tuple(words)


def weights(links: Sequence[BackupLink]) -> list[float | None]:
    """The share that each target has in the newest value; None where it is no such mean.

    A backup moves its entry by a share a of the way to its target, so a target is still in the
    value with a times the shares 1 - a of all backups after it.
    """
    shares: list[float] = []
    left = 1.0
    for link in links:
        backup = link.backup
        moved, way = backup.new - backup.old, backup.error
        part = moved / way if abs(way) > 1e-12 else backup.step * backup.trace
        shares.append(left * part)
        left *= 1.0 - part
    is_mean = all(0.0 <= share <= 1.0 for share in shares)
    return [share if is_mean else None for share in shares]


def board_view(link: BackupLink) -> AfterstateView:
    """The board whose value was written."""
    backup = link.backup
    label = entry_label(backup)
    return AfterstateView(
        cells=label[:9],
        title=f"written in game {backup.game + 1:,}",
        chosen=int(label[10:]) - 1 if label[10:].isdigit() else None,
        values=(ValueView("old", backup.old, "dim"), ValueView("new", backup.new, "strong")),
    )


def values_view(links: Sequence[BackupLink], at: int) -> CurveView:
    """The value after each of the backups, with the place of one of them."""
    points = tuple((float(n), link.backup.new) for n, link in enumerate(reversed(links), 1))
    return CurveView(
        (SeriesView(points, side_role(links[0].backup.player)),),
        y_range=None,
        x_label="backups, the newest last",
        point=points[len(links) - 1 - at],
        title="the value after each",
    )


class ProvenanceController(ListController):
    """The backups that made a value, newest first.

    Args:
        links: the backups.
    """

    def __init__(self, links: tuple[BackupLink, ...]) -> None:
        super().__init__({"go": self.go, "target": self.go_to_target, "back": lambda: Close(None)})
        self.links = links
        self.window.hold(len(links))

    @property
    def selected(self) -> BackupLink:
        """The backup under the cursor."""
        return self.links[self.window.cursor]

    def turn(self, pages: int) -> None:
        """Move the cursor by so many pages."""
        self.move(pages * self.window.height)

    def go(self) -> Close:
        """Go to the backup under the cursor."""
        return Close(self.selected.place)

    def go_to_target(self) -> Close:
        """Go to the backup that had made the target of the one under the cursor."""
        places = [source.place for source in self.selected.sources if source.place]
        return Close(places[0] if places else self.selected.place)


class ProvenanceScreen(RunScreen, ListScreen[TapePosition | None]):
    """A list to walk: Enter goes to the backup, → to the one that had made its target.

    Args:
        made: the backups, newest first, and the shares of the value.
        look: colours and characters.
    """

    commands = PROVENANCE_COMMANDS
    help_title = "provenance"

    def __init__(self, made: Why, look: Look) -> None:
        links = made.links
        self.controller = ProvenanceController(links)
        super().__init__(self.controller, look)
        self.mode_line.view = ModeView("WHY", fields=(("backups", count(len(links))),))
        shares = weights(links)
        self._pane = LogPane(
            LogView(
                tuple(link_line(*pair) for pair in zip(links, shares, strict=True)),
                heads=HEADS,
                cursor=0,
                offset=0,
                title="where this value comes from",
                right="newest first",
                focused=True,
            ),
            look=look,
        )
        value = decimals(links[0].backup.new, 4)
        lines = share_lines(made)
        self._shares = LogPane(
            LogView(lines, title=f"why is it {value}?", right="shares of what made it", jump=1),
            look=look,
        )
        self._share_rows = max(4, len(lines) + 2)
        self._shares.styles.height = self._share_rows
        self._board = AfterstatePane(look=look)
        self._curve = CurvePane(look=look)
        self._beside = Container(self._board, self._curve, id="beside")

    def panes(self) -> Iterator[Widget]:
        """The list; on a wide terminal the board and the values beside it."""
        yield self._shares
        yield Container(self._pane, self._beside, classes="row")

    def lay_out(self, columns: int, rows: int) -> None:
        """Keep the cursor in sight."""
        self._beside.display = columns >= LIST + 36
        self._beside.styles.width = min(columns - LIST, columns * 2 // 5)
        self._board.styles.height = BOARD_ROWS
        self.controller.window.resize(rows - 3 - self._share_rows)

    def draw(self, columns: int, rows: int) -> None:
        """The page of backups that holds the cursor."""
        self._board.view = board_view(self.controller.selected)
        self._curve.view = values_view(self.controller.links, self.controller.window.cursor)
        window, view = self.controller.window, self._pane.view
        if view is not None:
            page = window.cursor - window.cursor % window.height
            below = max(0, window.count - max(window.height, page + window.height))
            self._pane.view = view._replace(cursor=window.cursor, offset=below, jump=window.height)

    def on_mouse_scroll_down(self) -> None:
        """The wheel was turned."""
        self.action_perform("down")

    def on_mouse_scroll_up(self) -> None:
        """The wheel was turned back."""
        self.action_perform("up")
