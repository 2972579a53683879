"""Provenance: the backups that made a value, newest first, each a place to jump to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual.widget import Widget

from learners.queries.provenance import BackupLink
from learners.tape.recording import TapePosition
from tui.lab.labels import entry_label, side_role
from tui.lab.list_commands import PROVENANCE_COMMANDS
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Close
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.theme.numerals import count, decimals, signed
from tui.views.lab import LogView, ModeView
from tui.views.words import Words
from tui.widgets.log_pane import LogPane


def link_line(link: BackupLink) -> Words:
    """A backup, and what its target was made of."""
    backup = link.backup
    words = [
        (f"{backup.game + 1:>9,}.{backup.ply} ", "dim"),
        (entry_label(backup), side_role(backup.player)),
        (f" {decimals(backup.old, 5)}→", "dim"),
        (decimals(backup.new, 5), "strong"),
        (f" δ{signed(backup.error, 4)}", "text"),
    ]
    if link.sources:
        source = link.sources[0]
        made = "from the start" if source.place is None else f"of game {source.place.game + 1:,}"
        words.append((f"  towards {decimals(source.value, 5)} {made}", "dim"))
    return tuple(words)


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
        links: the backups, newest first.
        look: colours and characters.
    """

    commands = PROVENANCE_COMMANDS
    help_title = "provenance"

    def __init__(self, links: tuple[BackupLink, ...], look: Look) -> None:
        self.controller = ProvenanceController(links)
        super().__init__(self.controller, look)
        self.mode_line.view = ModeView("WHY", fields=(("backups", count(len(links))),))
        self._pane = LogPane(
            LogView(
                tuple(link_line(link) for link in links),
                cursor=0,
                offset=0,
                title="where this value comes from",
                right="newest first",
                focused=True,
            ),
            look=look,
        )

    def panes(self) -> Iterator[Widget]:
        """One pane."""
        yield self._pane

    def lay_out(self, columns: int, rows: int) -> None:
        """Keep the cursor in sight."""
        self.controller.window.resize(rows - 2)

    def draw(self, columns: int, rows: int) -> None:
        """The page of backups that holds the cursor."""
        window, view = self.controller.window, self._pane.view
        if view is not None:
            page = window.cursor - window.cursor % window.height
            below = max(0, window.count - max(window.height, page + window.height))
            self._pane.view = replace(view, cursor=window.cursor, offset=below, jump=window.height)

    def on_mouse_scroll_down(self) -> None:
        """The wheel was turned."""
        self.action_perform("down")

    def on_mouse_scroll_up(self) -> None:
        """The wheel was turned back."""
        self.action_perform("up")
