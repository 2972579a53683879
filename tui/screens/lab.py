"""The lab: board, log and stats always in sight, or one update under the microscope."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.lab.autosave import RETRY_SECONDS
from afterstate_lab.tui.lab.commands import (
    BY_NAME,
    COMMANDS,
    Screen,
    answers_elsewhere,
    hinted,
    key_of,
)
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import (
    Background,
    Copy,
    Message,
    MessageKind,
    Open,
    Outcome,
    Question,
    Request,
    RunningSearch,
    Search,
    Steps,
    Train,
)
from afterstate_lab.tui.lab.playing import mark_cell
from afterstate_lab.tui.lab.stepping import go_on_a_move
from afterstate_lab.tui.pages.page import PAGES, page_of
from afterstate_lab.tui.screens.base import PacedScreen, bindings, lab_app
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.widgets.block_pane import BlockPane
from afterstate_lab.tui.widgets.mode_line import KeyBar

if TYPE_CHECKING:
    from collections.abc import Callable

    from afterstate_lab.learners.runs.store import LoadedRun
    from afterstate_lab.learners.training import Goal, Training
    from afterstate_lab.tui.lab.session import Session
    from afterstate_lab.tui.pages.page import Page
    from afterstate_lab.tui.screens.lab_panes import LabPanes
    from afterstate_lab.tui.screens.page import PageScreen
    from afterstate_lab.tui.theme.look import Look

T = TypeVar("T")

FOLLOW_SECONDS = 0.2
"""Between two looks at a lecture that is followed."""
FILM_PICTURES = 3
"""Pictures of a film in a second."""
REFRESHES = 4
"""Pictures of a training in a second."""
LATEST_LOOK = 1.0
"""Seconds after which a training is looked at even while the user types."""


class LabScreen(PacedScreen[None]):
    """The one screen in which all four modes look at the same tape.

    Keys and clicks become commands; the controller does them, and what comes of them is shown here.

    Args:
        controller: does the commands.
        at_home: begin on the home screen, in front of the lab.
        first: what came of the address that the lab was started with.
        trouble: what is wrong with the user's settings.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(COMMANDS)
    """The mode decides which one of a key answers."""
    AUTO_FOCUS = None

    def __init__(
        self,
        controller: LabController,
        *,
        at_home: bool = False,
        first: Outcome = None,
        trouble: str = "",
    ) -> None:
        super().__init__()
        self._trouble = trouble
        self._first = first
        self.controller = controller
        self.lazy = controller.lazy
        self.search: RunningSearch | None = None
        self._is_furnished = not at_home
        self._ticking: Timer | None = None
        self._filming: Timer | None = None
        self._polling: Timer | None = None
        self._retrying: Timer | None = None
        self._looked_at = 0.0
        """When the training was looked at last (`monotonic`)."""
        self._trainer: Worker[None] | None = None
        self._searcher: Worker[Any] | None = None

    @cached_property
    def panes(self) -> LabPanes:
        """The panes, made when they are first wanted: behind home that is once home is painted."""
        from afterstate_lab.tui.screens.lab_panes import LabPanes

        return LabPanes(self.lazy, lab_app(self).look)

    @property
    def session(self) -> Session:
        """The session; the first to ask for it creates it."""
        return self.lazy.session

    def compose(self) -> ComposeResult:
        """The panes, except behind home."""
        if self._is_furnished:
            yield from self.panes.rows()

    def furnish(self) -> None:
        """Have the panes behind home, once home is painted or left."""
        if not self._is_furnished and self.is_attached:
            self._is_furnished = True
            self.mount_all(self.panes.rows())
            self.panes.arrange(self.app.size)

    def on_mount(self) -> None:
        """Show home, or the empty board; a person's game begins as soon as it is seen."""
        if not self._is_furnished:
            self.go_home()
            self.call_after_refresh(self.furnish)
            if self._first is not None:
                self.call_after_refresh(self.show_first)
            return
        self.panes.arrange(self.app.size)
        self.redraw()
        if self.lazy.mode is Mode.PLAY:
            self.call_after_refresh(self.begin)
        if self._trouble:
            self.call_after_refresh(self.show_trouble)
        if self._first is not None:
            self.call_after_refresh(self.show_first)
        if self.controller.lectures.follower is not None:
            self.set_interval(FOLLOW_SECONDS, self.follow)

    def follow(self) -> None:
        """Go where the lecture that is followed is by now."""
        outcome = self.controller.lectures.follow()
        if outcome is not None:
            self.show_stop(outcome)

    def show_stop(self, outcome: Outcome) -> None:
        """Show what came of going to a place of a lecture, and nothing over it."""
        self.leave_views()
        self.show_outcome(outcome)
        self.keep_time()
        self.redraw_here()

    def show_trouble(self) -> None:
        """Say what is wrong with the user's settings; all else of them is in force."""
        self.session.say(Message("Settings: see the log."))
        self.session.say(Message(self._trouble, MessageKind.LOG))
        self.redraw()

    def show_first(self) -> None:
        """Show what came of the address that the lab was started with."""
        self.show_outcome(self._first)
        self.redraw()

    def begin(self) -> None:
        """Create the session and show it."""
        self.lazy.session  # noqa: B018
        self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the panes out for the new size."""
        if not self._is_furnished:
            return
        with self.zoom.apart():
            self.panes.arrange(event.size)
        self.redraw()

    def redraw(self) -> None:
        """Show the session as it is, and save it; panes send only what changed."""
        if not (self._is_furnished and self.is_attached):
            return
        self.save_changes()
        self.show_lesson()
        self.panes.redraw(self.controller.log_offset)
        guide = self.controller.lessons.guide
        self.panes.light("" if guide is None else guide.step.look)
        self.zoom.end_if_hidden()
        if self.zoom.pane is not None:
            self.panes.show_zoom_keys()

    def show_zoom(self) -> None:
        """Show what a pane has come to have room for."""
        self.redraw()

    def redraw_here(self) -> None:
        """Show the session, unless another screen is in front of it."""
        if self.app.screen is self:
            self.redraw()

    def show_lesson(self) -> None:
        """Show the current step, where a lesson goes on; a step ends in the lab itself."""
        if self.app.screen is self and self.search is None:
            self.show_outcome(self.controller.lessons.follow())
        guide = self.controller.lessons.guide
        if guide is not None:
            self.panes.tour.view = guide.view(self.size)
        if self.panes.tour.display != (guide is not None):
            self.panes.tour.display = guide is not None
            with self.zoom.apart():
                self.panes.arrange(self.size)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A command answers only in its modes."""
        if action != "perform":
            return True
        return self.lazy.mode in BY_NAME[str(parameters[0])].modes

    def on_key(self, event: events.Key) -> None:
        """Say where a key answers that does nothing in this mode."""
        if self.app.screen is not self and not self._is_furnished:
            self.app.screen.post_message(event)  # typed before home was opened
            event.stop()
            return
        told = answers_elsewhere(event.key, self.lazy.mode)
        if told and self.lazy.is_started and not self.session.is_running:
            self.session.clear_messages()
            self.session.say(Message(told))
            self.redraw()

    def action_perform(self, name: str, key: str = "") -> None:
        """Do what a command asks for and show what came of it, unless the lab is being left."""
        if not self.is_attached:
            return
        if name in ("give_up", "stop") and self.search is not None:
            self.search.stop()
        elif name == "cell" and key:
            self.session.clear_messages()
            self.show_outcome(self.controller.press_digit(int(key)))
        else:
            self.show_outcome(self.controller.perform(name))
        self.controller.lessons.note(name)
        self.show_session()

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what came of a command."""
        if isinstance(outcome, Message):
            self.session.say(outcome.named(key_of))
            if outcome.kind is MessageKind.LOG:
                self.session.say(Message("Not opened: see the log."))
        elif isinstance(outcome, Question):
            self.ask(outcome)
        elif isinstance(outcome, Steps):
            for _ in outcome.events:
                pass
        elif isinstance(outcome, Search):
            self.look_for(outcome)
        elif isinstance(outcome, Train):
            self.start_training(outcome.goal)
        elif isinstance(outcome, Background):
            self.load(outcome)
        elif isinstance(outcome, Open):
            self.open(outcome)
        elif isinstance(outcome, Copy):
            self.app.copy_to_clipboard(outcome.text)
            self.session.say(Message(outcome.text))
            self.session.say(Message(outcome.text, MessageKind.LOG))
        elif isinstance(outcome, Request):
            self.request(outcome)

    def take(self, outcome: Outcome) -> None:
        """Show what came of a command, and the session as it is now."""
        self.show_outcome(outcome)
        self.show_session()

    def taking(self, command: Callable[[T], Outcome]) -> Callable[[T], None]:
        """What is done with the answer that a screen in front of the lab was left with."""
        return lambda answer: self.take(command(answer))

    def ask(self, question: Question) -> None:
        from afterstate_lab.tui.screens.ask import Ask

        def take(outcome: Outcome) -> None:
            self.session.clear_messages()
            self.take(outcome)

        self.app.push_screen(Ask(question, take, look=self.look, above=self.panes.rows_of_tour))
        if question.compiles:
            self.load_compiler()

    def request(self, request: Request) -> None:
        """Do what only the app can do."""
        app = lab_app(self)
        if request is Request.QUIT:
            app.leave()
        elif request in (Request.ZOOM, Request.NEXT_PANE):
            self.zoom_pane(request.name.lower())
        else:
            app.toggle_light()
            self.panes.wear(app.look)

    def open(self, opened: Open) -> None:
        """Open a screen: its file has how, and what its answer leads to."""
        if opened.screen is Screen.HOME and not self.panes.fits:
            lab_app(self).leave()  # as the card says that fills a small terminal
        elif opened.screen is Screen.HOME:
            self.go_home()
        elif opened.screen is Screen.EXPLAIN:
            lab_app(self).explain()
        elif opened.screen in PAGES:
            self.open_page(*page_of(self.controller, opened))
        else:
            import_module(f"afterstate_lab.tui.screens.{opened.screen.value}").open_on(
                self, opened.data
            )

    def open_page(
        self, make: Callable[[], Page], take: Callable[[Any], Outcome] | None = None
    ) -> None:
        """Show a page; where its answer leads to another run, the pages about this one go."""
        from afterstate_lab.tui.screens.page import PageScreen

        def answered(answer: Any) -> None:
            self.furnish()
            before = self.session.run if self.lazy.is_started else None
            if take is not None:
                self.show_outcome(take(answer))
            if before is not (self.session.run if self.lazy.is_started else None):
                self.leave_views()
            self.show_session()

        self.app.push_screen(PageScreen(make, self.look), answered)

    @property
    def look(self) -> Look:
        """Colours and characters."""
        return lab_app(self).look

    def go_home(self) -> None:
        """Show home in front of the lab."""
        from afterstate_lab.tui.pages.home import FONT, Home

        remark = "" if self.look.glyphs is ASCII else FONT
        home = Home(self.controller, self._trouble, remark)
        self._trouble = ""
        self.open_page(home.page, lambda outcome: outcome)

    def take_from_home(self, outcome: Outcome) -> None:
        """Show what came of a choice."""
        self.furnish()
        self.show_outcome(outcome)
        self.keep_time()
        self.redraw_here()

    def open_plan(self, name: str) -> None:
        """Open an experiment by its name."""
        from afterstate_lab.tui.pages.experiments import open_on

        self.open_page(*open_on(self.controller, None, name))

    def set_up(self, settings: Settings) -> None:
        """Begin a new run with settings that were chosen in the palette."""
        self.show_outcome(self.controller.current.set_up(settings))
        self.leave_views()
        self.show_session()

    def on_key_bar_key_chosen(self, message: KeyBar.KeyChosen) -> None:
        """A hint of the footer was clicked."""
        command = hinted(message.key, (c for c in COMMANDS if self.lazy.mode in c.modes))
        if command is not None:
            self.action_perform(command.name)

    def on_block_pane_row_clicked(self, message: BlockPane.RowClicked) -> None:
        """A cell of the board, a line of the log or the track of the film was clicked."""
        panes, pane = self.panes, message.pane
        if pane is panes.board and self.lazy.mode is Mode.PLAY:
            self.session.say(Message(""))
            self.controller.lectures.step_aside()
            self.show_outcome(mark_cell(self.session, message.row))
            self.redraw()
        elif pane is panes.film:
            from afterstate_lab.tui.lab.film import go_to_part

            go_to_part(self.session, message.row / 1000)
            self.show_session()
        elif isinstance(pane.view, Log) and self.controller.go_to_log_line(
            message.row, len(pane.view.lines)
        ):
            self.show_session()

    def on_block_pane_meaning_clicked(self, message: BlockPane.MeaningClicked) -> None:
        """A number was clicked."""
        self.session.selection = message.quantity
        self.session.say(Message(""))
        self.redraw()

    def show_session(self) -> None:
        """Show the session as a command has left it, and run the clocks that it needs now."""
        self.keep_time()
        self.redraw()

    def keep_time(self) -> None:
        """Run the clocks that the session needs now, and no others."""
        if not self.lazy.is_started:
            return
        session = self.session
        if self._ticking is not None:
            self._ticking.stop()  # the speed may be another
            self._ticking = None
        watches = session.mode is Mode.WATCH and session.is_running
        films = session.film is not None and session.film.is_playing
        is_busy = session.is_training or self.search is not None
        self._ticking = self._clock(self._ticking, watches, session.speed, self.tick)
        self._filming = self._clock(self._filming, films, FILM_PICTURES, self.film_tick)
        self._polling = self._clock(self._polling, is_busy, REFRESHES, self.poll)

    def _clock(
        self, timer: Timer | None, runs: bool, times_a_second: float, do: Callable[[], None]
    ) -> Timer | None:
        """A clock that runs, or one that does not, from the one that there was."""
        if runs and timer is None:
            return self.set_interval(1 / times_a_second, do)
        if not runs and timer is not None:
            timer.stop()
            return None
        return timer

    def tick(self) -> None:
        """Watch one more move."""
        if self.app.screen is self:
            go_on_a_move(self.session)
            self.redraw()

    def film_tick(self) -> None:
        """Show the next picture of the film."""
        from afterstate_lab.tui.lab.film import tick

        if self.app.screen is self:
            tick(self.session, monotonic())
            self.show_session()

    def poll(self) -> None:
        """Look at the training that goes on; what the user asks for comes first."""
        now = monotonic()
        if lab_app(self).pacer.is_after_key and now - self._looked_at < LATEST_LOOK:
            return
        self._looked_at = now
        self.session.look_at_training()
        if self.search is not None:
            self.session.say(Message(self.search.words))
        if self.app.screen is self:
            self.redraw()
        else:
            self.save_changes()

    def on_screen_resume(self) -> None:
        """Catch up with what went on behind another screen; in a training the next look does."""
        if self._polling is None:
            self.redraw()

    @work(thread=True, exclusive=True, group="compiler", exit_on_error=False)
    def load_compiler(self) -> None:
        """Make the kernels that train and search; until they are there, the interpreter does."""
        from afterstate_lab.learners.tape.run import Seating

        kernel = self.session.run.kernel(Seating())
        kernel.compile()
        kernel.compile(recording=True)

    def look_for(self, search: Search) -> None:
        """Search in the background; a search that goes on is given up."""
        if self.search is not None:
            self.search.stop()
        self.search = RunningSearch(search)
        self._searcher = self.run_worker(
            self.search.work, thread=True, group="search", exclusive=True, exit_on_error=False
        )
        self.keep_time()

    def take_find(self, event: Worker.StateChanged) -> None:
        """Take what a search has found; one whose place another has taken says nothing."""
        if event.worker is not self._searcher:
            return
        running, self.search, self._searcher = self.search, None, None
        self.session.say(Message(""))
        if event.state is WorkerState.ERROR:
            self.session.say(Message(f"That could not be searched: {event.worker.error}"))
        elif running is None or running.is_stopped or running.is_outdated(self.session.run):
            self.session.say(Message("Given up."))
        else:
            self.show_outcome(running.search.found(event.worker.result))
        self.show_session()

    def start_training(self, goal: Goal) -> None:
        self.controller.current.leave_training()
        self.leave_views()
        training, pacer = self.session.begin_training(goal), lab_app(self).pacer
        training.may_evaluate = lambda: not pacer.is_after_key
        self._trainer = self.train(training)
        self.keep_time()

    @work(thread=True, exclusive=True, group="training", exit_on_error=False)
    def train(self, training: Training) -> None:
        """Let the training do its work, in a thread of its own."""
        training.work()

    def take_training(self, event: Worker.StateChanged) -> None:
        """Show a training that is over."""
        self._trainer = None
        if self.session.is_training and (said := self.controller.end_training()) is not None:
            self.session.say(said.named(key_of))
        if event.state is WorkerState.ERROR:
            self.session.say(Message(f"Training failed: {event.worker.error}"))
        self.show_session()

    def save_changes(self) -> None:
        """Save what has happened, in the background, where anything has."""
        if self.controller.current.capture():
            self.save()

    @work(thread=True, group="saving", exit_on_error=False)
    def save(self) -> bool:
        """Write what was captured."""
        assert self.controller.current.autosave is not None
        return self.controller.current.autosave.write()

    def save_again(self) -> None:
        """Try again to save what could not be saved."""
        if self.session.text_of(MessageKind.TROUBLE):
            self.save()

    def take_save(self, event: Worker.StateChanged) -> None:
        """Say once what is wrong with saving, and when all is well again."""
        session, autosave = self.session, self.controller.current.autosave
        assert autosave is not None
        if event.state is WorkerState.ERROR:
            autosave.trouble = f"saving failed ({event.worker.error})"
        was_trouble = session.text_of(MessageKind.TROUBLE)
        news = autosave.news()
        for message in news:
            session.say(message)
        if self._retrying is not None:
            self._retrying.stop()
            self._retrying = None
        if autosave.trouble:
            self._retrying = self.set_timer(RETRY_SECONDS, self.save_again)
            if not was_trouble:
                session.say(Message("Not saved; the log says why."))
        if news or session.note:
            self.redraw_here()

    @work(thread=True, group="loading", exclusive=True, exit_on_error=False)
    def load(self, load: Background) -> LoadedRun | str:
        return cast("LoadedRun | str", load.work(lambda: False))

    def take_load(self, event: Worker.StateChanged) -> None:
        """Resume a run that was read."""
        if event.state is WorkerState.ERROR:
            self.session.say(Message(f"The run cannot be opened: {event.worker.error}"))
            self.redraw_here()
        else:
            self.take_run(cast("LoadedRun | str", event.worker.result))

    def take_run(self, loaded: LoadedRun | str | None) -> None:
        """Resume a run that was read, or chosen in the list of runs."""
        if loaded is None:
            return
        self.show_outcome(self.controller.current.resume(loaded))
        if not isinstance(loaded, str):
            self.leave_views()
        self.show_session()

    def leave_views(self) -> None:
        """Leave all screens that look at the run before, and what is in front of them."""
        for screen in tuple(self.app.screen_stack):
            if getattr(screen, "of_run", False):
                cast("PageScreen", screen).dismiss(None)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Something is over in the background, or failed there."""
        group = event.worker.group
        takes = {"saving": self.take_save, "loading": self.take_load}
        if group == "compiler" and event.state is WorkerState.ERROR:
            slowly = "The compiler could not be used; everything runs, more slowly."
            self.session.say(Message(slowly))
            self.redraw()
        elif not event.worker.is_finished:
            return
        elif event.worker is self._trainer:
            self.take_training(event)
        elif event.worker is self._searcher:
            self.take_find(event)
        elif group in takes and event.state is not WorkerState.CANCELLED:
            takes[group](event)

    def on_unmount(self) -> None:
        """Let nothing run on."""
        if self.lazy.is_started and self.session.training is not None:
            self.session.training.stop()
        if self.search is not None:
            self.search.stop()
        if self.controller.experiments is not None:
            self.controller.experiments.stop()
