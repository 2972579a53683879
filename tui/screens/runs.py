"""The saved runs: searched, opened, renamed, compared, deleted and brought back, exported."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from textual.widget import Widget

from learners.store.records import LoadedRun
from tui.lab.list_commands import RUNS_COMMANDS
from tui.lab.outcomes import Open, Outcome
from tui.lab.runs.controller import RunsController
from tui.lab.runs.view import run_view, runs_view
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.views.lab import ModeView
from tui.widgets.log_pane import LogPane
from tui.widgets.table_pane import ABOVE, TablePane

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen

RUN_ROWS = 6
"""The height of the selected run's details."""


class RunsScreen(ListScreen[LoadedRun | None]):
    """The list of all saved runs. It answers the one that was opened.

    Args:
        look: colours and characters.
        open_id: the run that is open in the lab.
        own_rules: rules in files, `file.py:Class`, whose code may be run.
    """

    commands = RUNS_COMMANDS
    help_title = "runs"

    def __init__(
        self, look: Look, open_id: int | None = None, own_rules: Collection[str] = ()
    ) -> None:
        self.controller = RunsController(open_id, own_rules)
        super().__init__(self.controller, look)
        self.table = TablePane(look=look)
        self.run_ = LogPane(look=look)

    def panes(self) -> Iterator[Widget]:
        """The list above the details of the selected run."""
        yield self.table
        yield self.run_

    def on_mount(self) -> None:
        """Read the list in the background."""
        self.run_.styles.height = RUN_ROWS
        self.show_outcome(self.controller.read())

    def window_changed(self, columns: int, rows: int) -> None:
        """The list shows as many rows as it has room for."""
        self.controller.window.resize(self.rows_of(self.table, rows, rows - RUN_ROWS) - ABOVE - 1)

    def draw(self, columns: int, rows: int) -> None:
        """The list, and the selected run."""
        runs = self.controller
        fields = () if runs.is_reading else (("saved", f"{len(runs.runs):,}"),)
        self.mode_line.view = ModeView("RUNS", fields=fields)
        self.table.view = runs_view(runs, columns)
        self.run_.view = run_view(runs, columns)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what came of a command: also two runs beside each other."""
        if isinstance(outcome, Open):
            from tui.screens.compare import CompareScreen

            first, second = outcome.data
            self.app.push_screen(CompareScreen(first, second, self.look))
        super().show_outcome(outcome)


def open_on(lab: LabScreen, data: None) -> None:
    saved = lab.controller.saved
    screen = RunsScreen(lab.look, saved.open_id, saved.own_rules)
    lab.app.push_screen(screen, lab.take_run)
