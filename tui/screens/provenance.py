"""Provenance: the backups that made a value, newest first, each a place to jump to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from learners.queries.provenance import Link
from learners.tape.recording import TapePosition
from tui.lab.commands import Command
from tui.lab.labels import entry_label, side_role
from tui.screens.base import RunScreen
from tui.screens.list_screen import HELP, ListScreen, bindings
from tui.theme.look import Look
from tui.theme.numerals import count, decimals, signed
from tui.views.log import LogView
from tui.views.mode import ModeView
from tui.views.words import Words
from tui.widgets.log_pane import LogPane


def link_line(link: Link) -> Words:
    """A backup, and what its target was made of."""
    backup = link.backup
    words = [
        (f"{backup.game + 1:>9,}.{backup.ply} ", "dim"),
        (entry_label(backup), side_role(backup.player)),
        (f" {decimals(backup.old, 5)}→", "dim"),
        (decimals(backup.new, 5), "strong"),
        (f" δ{signed(backup.error, 4)}", "worse" if backup.error < 0 else "better"),
    ]
    if link.sources:
        source = link.sources[0]
        made = "from the start" if source.place is None else f"of game {source.place.game + 1:,}"
        words.append((f"  towards {decimals(source.value, 5)} {made}", "dim"))
    return tuple(words)


COMMANDS: tuple[Command, ...] = (
    Command("up", ("up", "k"), "↑", "", "to the backup above, a later one", footer=1),
    Command("down", ("down", "j"), "↓", "move", "to the backup below, an earlier one", footer=2),
    Command("page_up", ("pageup",), "PgUp", "", "a page up"),
    Command("page_down", ("pagedown", "space"), "PgDn", "", "a page down (or space)"),
    Command("go", ("enter",), "Enter", "step there", "step from this backup", footer=3),
    Command("target", ("t",), "t", "its target", "step from what had made its target", footer=4),
    HELP,
    Command("back", ("escape", "q"), "q", "back", "back to the lab (or Esc)", footer=99),
)


class ProvenanceScreen(RunScreen, ListScreen[TapePosition | None]):
    """A list to walk: Enter goes to the backup, t to the one that had made its target.

    Args:
        links: the backups, newest first.
        look: colours and characters.
    """

    commands = COMMANDS
    help_title = "provenance"
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMMANDS)

    def __init__(self, links: tuple[Link, ...], look: Look) -> None:
        super().__init__(ModeView("WHY", fields=(("backups", count(len(links))),)), look)
        self._links = links
        self._rows = 1
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

    @property
    def _cursor(self) -> int:
        return 0 if self._pane.view is None else self._pane.view.cursor or 0

    def lay_out(self, columns: int, rows: int) -> None:
        """Keep the cursor in sight."""
        self._rows = max(1, rows - 2)
        self.walk(0)

    def walk(self, by: int) -> None:
        """Move the cursor by so many backups."""
        view = self._pane.view
        if view is not None:
            cursor = min(max(self._cursor + by, 0), len(self._links) - 1)
            rows = self._rows
            below = max(0, len(self._links) - max(rows, cursor - cursor % rows + rows))
            self._pane.view = replace(view, cursor=cursor, offset=below, jump=rows)

    def ask_up(self) -> None:
        self.walk(-1)

    def ask_down(self) -> None:
        self.walk(1)

    def ask_page_up(self) -> None:
        self.walk(-self._rows)

    def ask_page_down(self) -> None:
        self.walk(self._rows)

    def on_mouse_scroll_down(self) -> None:
        """The wheel was turned."""
        self.walk(1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel was turned back."""
        self.walk(-1)

    def ask_go(self) -> None:
        """Go to the backup under the cursor."""
        self.dismiss(self._links[self._cursor].place)

    def ask_target(self) -> None:
        """Go to the backup that had made the target of the one under the cursor."""
        places = [source.place for source in self._links[self._cursor].sources if source.place]
        self.dismiss(places[0] if places else self._links[self._cursor].place)

    def ask_back(self) -> None:
        """Go nowhere."""
        self.dismiss(None)
