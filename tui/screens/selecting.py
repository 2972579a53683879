"""The selection under the microscope: moved by keys, or set by a click on a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.views.quantity import Quantity, Role
from tui.widgets.selectable_pane import SelectablePane

if TYPE_CHECKING:
    from tui.lab.microscope.microscope import Microscope
    from tui.lab.session import Session


class Selecting:
    """The commands that select, one method each, by the names in `tui.lab.commands`."""

    @property
    def session(self) -> Session:
        """What goes on."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Show the session as it is."""
        raise NotImplementedError

    def scope_of_now(self) -> Microscope | None:
        """The update that is looked at, with what is selected there."""
        from tui.lab.microscope.microscope import Microscope
        from tui.lab.microscope.update import current_update

        update = current_update(self.session.timeline)
        if update is None:
            return None
        return Microscope(self.session.timeline, update, self.session.selection)

    def ask_select(self) -> None:
        self.move_selection(1)

    def ask_select_back(self) -> None:
        self.move_selection(-1)

    def move_selection(self, by: int) -> None:
        """Select another number; past the last and before the first, none."""
        scope = self.scope_of_now()
        if scope is None or not scope.quantities:
            self.session.selection = None
            self.session.note = "There is no number to select here."
            return
        from tui.lab.microscope.selection import following

        self.session.selection = following(scope.selected, scope.quantities, by)

    def on_selectable_pane_quantity_chosen(self, message: SelectablePane.QuantityChosen) -> None:
        """A number was clicked."""
        self.session.selection = message.quantity
        self.session.note = ""
        self.redraw()

    def unselect(self) -> bool:
        """Select nothing; False where nothing was selected."""
        was, self.session.selection = self.session.selection, None
        return was is not None

    def select_entry(self, entry: int) -> None:
        """Follow the entry of the selected number to where one goes."""
        if self.session.selection is not None:
            self.session.selection = Quantity(Role.ENTRY, entry)
