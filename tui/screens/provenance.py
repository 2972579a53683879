"""Provenance: the backups that made a value, newest first, each a place to jump to."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from learners.places import Place
from learners.provenance import Link
from tui.lab.labels import entry_label, side_role
from tui.look import Look
from tui.numerals import decimals, signed
from tui.screens.behind import Covering
from tui.screens.leaving import Leaving
from tui.views.log import LogView
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


class ProvenanceScreen(Leaving, Covering, ModalScreen[Place | None]):
    """A list to walk: Enter goes to the backup, t to the one that had made its target.

    Args:
        links: the backups, newest first.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "leave"),
        Binding("down,j", "move(1)", "down"),
        Binding("up,k", "move(-1)", "up"),
        Binding("pagedown", "move(10)", "down"),
        Binding("pageup", "move(-10)", "up"),
        Binding("enter", "go", "go there"),
        Binding("t", "target", "its target"),
    ]

    def __init__(self, links: tuple[Link, ...], look: Look) -> None:
        super().__init__()
        self._links = links
        self._pane = LogPane(
            LogView(
                tuple(link_line(link) for link in links),
                cursor=0,
                offset=0,
                title="where this value comes from",
                right="Enter goes there, t to what made its target, Esc leaves",
                focused=True,
            ),
            look=look,
        )

    def compose(self) -> ComposeResult:
        """One pane over the whole screen."""
        yield self._pane

    @property
    def _cursor(self) -> int:
        return 0 if self._pane.view is None else self._pane.view.cursor or 0

    def on_mount(self) -> None:
        """Start at the top of the list."""
        self.action_move(0)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.action_move(0)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        view = self._pane.view
        if view is not None:
            cursor = min(max(self._cursor + by, 0), len(self._links) - 1)
            rows = max(1, self.size.height - 2)
            below = max(0, len(self._links) - max(rows, cursor - cursor % rows + rows))
            self._pane.view = replace(view, cursor=cursor, offset=below, jump=rows)

    def action_go(self) -> None:
        """Go to the backup under the cursor."""
        self.dismiss(self._links[self._cursor].place)

    def action_target(self) -> None:
        """Go to the backup that had made the target of the one under the cursor."""
        places = [source.place for source in self._links[self._cursor].sources if source.place]
        self.dismiss(places[0] if places else self._links[self._cursor].place)

    def action_leave(self) -> None:
        """Go nowhere."""
        self.dismiss(None)
