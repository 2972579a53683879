"""The lab: board, log and stats always in sight, or one update under the microscope."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Region
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from tui.lab.autosave import Keeper
from tui.lab.background import Search, Work
from tui.lab.commands import COMMANDS, hinted
from tui.lab.lazy_session import Opening
from tui.lab.modes import Mode
from tui.screens.asking import Asking
from tui.screens.base import PacedScreen, lab_app
from tui.screens.keeping import GROUPS, Keeping
from tui.screens.lab_panes import LabPanes
from tui.screens.searching import Searching
from tui.theme.look import Look
from tui.widgets.board_pane import BoardPane
from tui.widgets.log_pane import LogPane
from tui.widgets.mode_line import KeyBar

if TYPE_CHECKING:
    from learners.training import Goal, Training
    from tui.lab.session import Session
    from tui.lab.tour import Tour

REFRESHES = 4
"""Pictures of a training in a second."""


def bindings() -> list[BindingType]:
    """A binding for every key of every command; the mode decides which one answers."""
    return [
        Binding(
            key,
            f"ask({command.name!r}, {key!r})",
            command.label,
            show=False,
            id=f"{command.name}.{key}",
        )
        for command in COMMANDS
        for key in command.keys
    ]


class LabScreen(Asking, Searching, Keeping, PacedScreen[None]):
    """The one screen in which all four modes look at the same tape.

    Args:
        opening: what goes on, from the moment that something does.
        look: colours and characters.
        touring: begin with the tour.
        keeper: saves what goes on.
        offers: say with which saved run one can go on.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings()
    AUTO_FOCUS = None
    _was_shown = False

    def __init__(
        self,
        opening: Opening,
        look: Look,
        *,
        touring: bool = False,
        keeper: Keeper,
        offers: bool = False,
    ) -> None:
        super().__init__()
        self.keeper = keeper
        self._offers = offers
        self.tour: Tour | None = None
        self.opening = opening
        self.panes = LabPanes(opening, look)
        self.mode_line = self.panes.mode_line
        if touring:
            self.ask_tour()
        self.offset_of_log = 0
        self.search: Search | None = None
        self._ticking: Timer | None = None
        self._polling: Timer | None = None
        self._trainer: Worker[None] | None = None
        self._searcher: Worker[Any] | None = None

    @property
    def session(self) -> Session:
        """What goes on; the first to ask makes it."""
        return self.opening.session

    def compose(self) -> ComposeResult:
        """The mode line, the panes and the keys; those of the microscope come when wanted."""
        yield self.panes.mode_line
        with Container(id="panes"):
            with Container(id="left"):
                yield self.panes.board
                yield self.panes.curve
            with Container(id="right"):
                yield self.panes.log_
                yield self.panes.stats
        yield self.panes.too_small
        yield self.panes.tour
        yield self.panes.keys

    def on_mount(self) -> None:
        """Show the empty board; a person's game begins as soon as it is seen."""
        self.panes.arrange(self.app.size)
        self.redraw()
        if self.opening.mode is Mode.PLAY:
            self.call_after_refresh(self.begin)
        if self._offers:
            self.call_after_refresh(self.look_for_offer)

    def begin(self) -> None:
        """Make the session and show it."""
        self.opening.session  # noqa: B018
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        self.panes.arrange(event.size)
        self.redraw()

    @work(thread=True, exclusive=True, group="compiler", exit_on_error=False)
    def load_compiler(self) -> None:
        """Make the kernels that train and search; until they are there, the interpreter does."""
        from learners.tape.state import Seating

        kernel = self.session.run.kernel(Seating())
        kernel.compile()
        kernel.compile(recording=True)

    def redraw(self) -> None:
        """Show the session as it is, and save it; panes send only what changed."""
        self.keep()
        self.show_tour()
        self.panes.redraw(self.offset_of_log)
        self.show_line_speed(self._ticking is not None or self._polling is not None)

    def show_tour(self) -> None:
        """Show the lesson of now, where a tour goes on."""
        if self.tour is not None:
            self.tour.follow()
            self.panes.tour.view = self.tour.view
        if self.panes.tour.display != (self.tour is not None):
            self.panes.tour.display = self.tour is not None
            self.panes.arrange(self.size)

    def ask_tour(self) -> None:
        """Begin the tour, or end it."""
        from tui.lab.tour import Tour

        self.tour = Tour(self.opening) if self.tour is None else None

    def ask_lesson(self) -> None:
        """Turn to the next lesson of the tour."""
        self.turn_tour(1)

    def ask_lesson_back(self) -> None:
        """Turn to the lesson before."""
        self.turn_tour(-1)

    def turn_tour(self, by: int) -> None:
        """Turn so many lessons; without a tour, say how one begins."""
        if self.tour is not None:
            self.tour.turn_to(self.tour.number + by)
        else:
            self.session.note = "T begins the tour."

    def ask_meter(self) -> None:
        """Show what goes to the terminal, or no more."""
        lab_app(self).toggle_meter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A command answers only in its modes."""
        if action != "ask":
            return True
        command = next(c for c in COMMANDS if c.name == parameters[0])
        return self.opening.mode in command.modes

    def action_ask(self, name: str, key: str = "") -> None:
        """Do what a command asks for, and show what came of it."""
        if self.opening.is_over:
            self.session.note = self.session.told = ""
        ask: Callable[..., None] = getattr(self, f"ask_{name}")
        ask(key) if name == "cell" else ask()
        if self.tour is not None:
            self.tour.follow(name)
        self.keep_time()
        self.redraw()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        command = hinted(message.key, (c for c in COMMANDS if self.opening.mode in c.modes))
        if command is not None:
            self.action_ask(command.name)

    def on_board_pane_cell_clicked(self, message: BoardPane.CellClicked) -> None:
        """A cell was clicked."""
        if self.opening.mode is Mode.PLAY:
            self.session.note = ""
            self.play_cell(message.cell)
            self.redraw()

    def on_log_pane_line_clicked(self, message: LogPane.LineClicked) -> None:
        """A line of the log was clicked: go there, where it is an event of this game."""
        events_shown = len(self.session.timeline.events_so_far())
        lines = self.panes.log_.view.lines if self.panes.log_.view else ()
        row = self.session.timeline.row - (len(lines) - 1 - message.number)
        if (
            self.session.mode in (Mode.WATCH, Mode.STEP)
            and len(lines) - message.number <= events_shown
        ):
            self.session.is_running = False
            self.session.timeline.seek(row + 1)
            self.keep_time()
            self.redraw()

    def keep_time(self) -> None:
        """Run the clocks that the session needs now, and no others."""
        if not self.opening.is_over:
            return
        session = self.session
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        if session.mode is Mode.WATCH and session.is_running:
            self._ticking = self.set_interval(1 / session.speed, self.tick)
        busy = session.is_training or self.search is not None
        if busy and self._polling is None:
            self._polling = self.set_interval(1 / REFRESHES, self.poll)
        if not busy and self._polling is not None:
            self._polling.stop()
            self._polling = None

    def tick(self) -> None:
        """Watch one more move."""
        if self.app.screen is self:
            self.session.watch_move()
            self.redraw()

    def poll(self) -> None:
        """Look at the training that goes on."""
        self.session.look_at_training()
        if self.search is not None:
            self.session.note = self.search.words
        if self.app.screen is self:
            self.redraw()
        else:
            self.keep()

    def on_screen_resume(self) -> None:
        """Catch up with what went on behind another screen: painting there repaints that one."""
        self.call_next(setattr, self, "_was_shown", True)
        self.redraw()

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """As any screen's, but what the first layout has just painted is not painted again."""
        return super().refresh(
            *regions, repaint=repaint and self._was_shown, layout=layout, recompose=recompose
        )

    def look_for(self, title: str, work: Work, found: Callable[[Any], None]) -> None:
        """Search in the background; a search that goes on is given up."""
        if self.search is not None:
            self.search.stop()
        self.search = Search(title, work, found, self.session.run)
        self._searcher = self.run_worker(
            self.search.go, thread=True, group="search", exclusive=True, exit_on_error=False
        )
        self.keep_time()

    def ask_give_up(self) -> None:
        """Give up the search that goes on, or the selection; without any, leave the microscope."""
        if self.search is not None:
            self.search.stop()
        elif not self.unselect():
            self.ask_watch()

    def take_find(self, event: Worker.StateChanged) -> None:
        """Take what a search has found."""
        search, self.search, self._searcher = self.search, None, None
        self.session.note = ""
        if event.state is WorkerState.ERROR:
            self.session.note = f"That could not be searched: {event.worker.error}"
        elif search is None or search.is_stopped or search.run is not self.session.run:
            self.session.note = "Given up."
        else:
            search.found(event.worker.result)
        self.keep_time()
        self.redraw()

    def start_training(self, goal: Goal) -> None:
        """Train in the background."""
        self.leave_training()
        self._trainer = self.train(self.session.begin_training(goal))
        self.keep_time()
        self.redraw()

    @work(thread=True, exclusive=True, group="training", exit_on_error=False)
    def train(self, training: Training) -> None:
        """Let the training do its work, in a thread of its own."""
        training.work()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A training is over, or something failed in the background."""
        if event.worker is self._trainer and event.worker.is_finished:
            self._trainer = None
            if self.session.is_training:
                self.session.end_training()
            if event.state is WorkerState.ERROR:
                self.session.note = f"Training failed: {event.worker.error}"
            self.keep_time()
            self.redraw()
        elif event.worker.group in GROUPS and event.worker.is_finished:
            self.take_kept(event)
        elif event.worker is self._searcher and event.worker.is_finished:
            self.take_find(event)
        elif event.worker.group == "compiler" and event.state is WorkerState.ERROR:
            self.session.note = "The compiler could not be used; everything runs, more slowly."
            self.redraw()

    def on_unmount(self) -> None:
        """Let nothing run on."""
        if self.opening.is_over and self.session.training is not None:
            self.session.training.stop()
        if self.search is not None:
            self.search.stop()
        if self.experiments is not None:
            self.experiments.stop()
