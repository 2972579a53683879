"""The lab's screen: its page, clocks, training runs and saving."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from textual import events, work
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.lab.autosave import RETRY_SECONDS
from afterstate_lab.tui.lab.commands import Screen, answers_elsewhere, key_of
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.key_names import written
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    Copy,
    Key,
    Message,
    MessageKind,
    Open,
    Outcome,
    Request,
    Running,
    Train,
    Work,
    refusal,
    sentence,
)
from afterstate_lab.tui.lab.stepping import go_on_a_move
from afterstate_lab.tui.pages.lab import lab_page
from afterstate_lab.tui.pages.page import Page, page_of
from afterstate_lab.tui.screens.page import ALONE, DOES_NOTHING, NEXT, PageScreen, Sheet
from afterstate_lab.tui.theme.glyphs import ASCII

if TYPE_CHECKING:
    from collections.abc import Callable

    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.learners.training import Goal, Training
    from afterstate_lab.tui.blocks.lesson import LessonCard
    from afterstate_lab.tui.lab.session import Session
    from afterstate_lab.tui.pages.line import Line
    from afterstate_lab.tui.theme.look import Look

FOLLOW_SECONDS = 0.2
"""Seconds between two looks at a followed walkthrough."""
FILM_PICTURES = 3
"""Frames of a film per second."""
REFRESHES = 4
WALK, WALKS = 0.17, 16
"""The part of its way that a value walks in a picture, and pictures a second."""
"""Frames of a training run per second."""
LATEST_LOOK = 1.0
"""Seconds after which a training run is shown even while you type."""


class LabScreen(PageScreen):
    """The lab's screen: its page, clocks, training runs and saving.

    Keys and clicks become commands; the controller does them, and the screen shows the outcome.

    Args:
        controller: does the commands.
        look: colours and characters.
        at_home: begin on the home screen, in front of the lab.
        first: the outcome of opening the address at the start.
        trouble: what is wrong with your settings.
    """

    def __init__(
        self,
        controller: LabController,
        look: Look,
        *,
        at_home: bool = False,
        first: Outcome = None,
        trouble: str = "",
    ) -> None:
        super().__init__(self.make_page, look)
        self._trouble = trouble
        self._first = first
        self.controller = controller
        self.lazy = controller.lazy
        self._run = self.session.run if self.lazy.is_started else None
        """The run on screen: pages about another run close."""
        self._ticking: Timer | None = None
        self._filming: Timer | None = None
        self._polling: Timer | None = None
        self._walking: Timer | None = None
        self._moment: object = None
        """The moment and the phase on screen."""
        self._retrying: Timer | None = None
        self._looked_at = 0.0
        """When the training run was last shown (`monotonic`)."""
        self._trainer: Worker[None] | None = None
        if at_home:
            self.sheets.append(Sheet(self.make_home()))

    def make_page(self) -> Page:
        return lab_page(self.controller, self.perform, self.size)

    @property
    def session(self) -> Session:
        return self.lazy.session

    @property
    def search(self) -> Running | None:
        """The search of the run, if any."""
        running = self.sheets[0].running
        return None if running is None or running.work.run is None else running

    @property
    def is_in_lab(self) -> bool:
        """Whether the lab itself is in front."""
        return len(self.sheets) == 1

    def on_mount(self) -> None:
        """Show home, or the empty board; a person's game begins once it is visible."""
        if self.is_in_lab and self._trouble:
            self.call_after_refresh(self.show_trouble)
        elif self.is_in_lab and self.lazy.mode is Mode.PLAY:
            self.call_after_refresh(self.begin)
        if self._first is not None:
            self.call_after_refresh(self.show_first)
        if self.controller.lectures.follower is not None:
            self.set_interval(FOLLOW_SECONDS, self.follow)

    def follow(self) -> None:
        """Catch up with the followed walkthrough."""
        outcome = self.controller.lectures.follow()
        if outcome is not None:
            self.show_stop(outcome)

    def show_stop(self, outcome: Outcome) -> None:
        """Show the outcome of going to a moment of a walkthrough."""
        self.leave_views()
        self.take(outcome)

    def show_trouble(self) -> None:
        """Show what is wrong with the user's settings; valid settings apply."""
        self.session.say(Message("Settings: see the log."))
        self.session.say(Message(self._trouble, MessageKind.LOG))
        self.redraw()

    def show_first(self) -> None:
        """Show the outcome of opening the address at the start."""
        self.take(self._first)

    def begin(self) -> None:
        """Create the session and show it."""
        self.lazy.session  # noqa: B018
        self.redraw()

    def redraw(self) -> None:
        """Save the session, and paint the front page."""
        if not self.is_attached:
            return
        self.save_changes()
        if self.is_in_lab and self.search is None and self.front.asked is None:
            outcome = self.controller.lessons.follow()
            self.show(outcome)
            if isinstance(outcome, Work):
                self.begin_work(outcome, self.front)
        super().redraw()

    def update_lab(self) -> None:
        """Save the session, and paint it if the lab is in front."""
        if self.is_in_lab:
            self.redraw()
        else:
            self.save_changes()

    def perform(self, name: str, *given: Any) -> Outcome:
        """Run a command or a click; the caller handles the outcome."""
        outcome: Outcome = None
        guide = self.controller.lessons.guide
        is_next = name in ("answer", "card") or (name == "mark" and self.session.cursor is None)
        if is_next and guide is not None and self.controller.question is None:
            self.go_on(guide.verb)
            return None
        if name in ("give_up", "stop") and self.search is not None:
            self.search.stop()
        elif given:
            self.session.clear_messages()
            outcome = self.controller.clicked(name, *given)
        else:
            tab = self.lazy.mode.value
            outcome = self.controller.perform(name)
            if name == tab == self.lazy.mode.value and outcome is None:
                self.session.say(Message(f"You are in {tab.upper()} already."))
        self.controller.lessons.note(name)
        return outcome

    def do_line(self, line: Line, mode: Mode) -> None:
        """Run a line, in a mode in which it works."""
        from afterstate_lab.tui.pages.line import done, lab_name

        if self.lazy.mode is not mode:
            self.action_perform(mode.value)
        self.controller.lessons.note(lab_name(line.command))
        for outcome in done(self.controller, line):
            self.take(outcome)

    def go_on(self, verb: str) -> None:
        """Do what the lesson's step asks for; move to the next step once it is done."""
        from afterstate_lab.tui.pages.line import lab_name, read_anywhere

        found = read_anywhere(verb, self.lazy.mode)
        guide = self.controller.lessons.guide
        if guide is not None and verb.isdecimal() and guide.waits_for("cell"):
            self.action_perform("cell", int(verb))
        elif guide is not None and found and guide.waits_for(lab_name(found[0].command)):
            self.do_line(*found)
        else:
            self.take(self.controller.lessons.next())

    def action_perform(self, name: str, *given: Any) -> None:
        """Run a command and show the outcome, unless the lab is closing."""
        if self.is_attached:
            self.take(self.perform(name, *given))

    async def on_key(self, event: events.Key) -> None:
        """Run a key; a digit begins the answer to a question of the lab."""
        event.prevent_default()  # Textual would call the page's handler as well
        is_digit = event.key in list("0123456789") and self.front.asked is None
        is_free = is_digit and self.is_in_lab and self.lazy.mode is not Mode.PLAY
        if is_free and self.controller.question is not None:
            self.action_perform("answer")
        await super().on_key(event)

    def nothing_for(self, key: str) -> None:
        if not (self.is_in_lab and self.lazy.is_started):
            super().nothing_for(key)
        else:
            self.session.clear_messages()
            told = answers_elsewhere(key, self.lazy.mode)
            self.session.say(Message(told or DOES_NOTHING.format(written(key))))
            self.redraw()

    def take(self, outcome: Any, sheet: Sheet | None = None) -> None:
        """Show an outcome, and the current session."""
        sheet = sheet or self.front
        if isinstance(outcome, Work) and outcome.run is not None:
            sheet = self.sheets[0]
        self.show(outcome)
        now = self.session.run if self.lazy.is_started else None
        if self._run is not None and self._run is not now:
            self.leave_views()
        self._run = now
        self.keep_time()
        super().take(outcome, sheet)

    def say(self, text: str, sheet: Sheet) -> None:
        if sheet is self.sheets[0]:
            self.session.say(Message(text))
        else:
            super().say(text, sheet)

    def show(self, outcome: Any) -> None:
        """Handle the outcome of a command of the lab, without painting."""
        match outcome:
            case Message():
                self.session.say(outcome.named(key_of))
                if outcome.kind is MessageKind.LOG:
                    self.session.say(Message("Not opened: see the log."))
            case Key() if outcome.compiles:
                self.load_compiler()
            case Train():
                self.start_training(outcome.goal)
            case Open():
                self.open(outcome)
            case Copy() if self.is_in_lab:
                self.session.say(Message(outcome.text, MessageKind.LOG))
            case Request.QUIT:
                self.lab_app.leave()
            case Request.ZOOM | Request.NEXT_PANE:
                self.is_own(ALONE if outcome is Request.ZOOM else NEXT)
            case Request.THEME:
                self.lab_app.toggle_light()
                self.look = self.lab_app.look

    def ask(self, key: Key) -> None:
        """Ask for a line, and clear the messages."""
        if self.lazy.is_started:
            self.session.clear_messages()
        super().ask(key)

    def open(self, opened: Open) -> None:
        """Open a page by its file's `open_on`."""
        if opened.screen is Screen.HOME and self.is_too_small:
            self.lab_app.leave()
        elif opened.screen is Screen.HOME:
            self.push(self.make_home())
        elif opened.screen is Screen.EXPLAIN:
            self.explain(opened.text.removeprefix("is "))
        else:
            try:
                make, answered = page_of(self.controller, opened)
            except UsageError as error:
                self.session.say(refusal(sentence(error)))
            else:
                self.push(make, *([answered] if answered else []))

    def make_home(self) -> Callable[[], Page]:
        from afterstate_lab.tui.pages.home import FONT, Home

        remark = "" if self.look.glyphs is ASCII else FONT
        home, self._trouble = Home(self.controller, self._trouble, remark), ""
        return home.page

    def explain(self, line: str = "", column: int = 0) -> None:
        from afterstate_lab.tui.pages.explain import explain_screen, word_at

        written, session = self.look.glyphs.text, self.session if self.lazy.is_started else None
        word = word_at(line, column, written)
        if word is not None or not line:
            lines = [strip.text for strip in self.paper.lines]
            self.push(explain_screen(lines, session, written, self.app.mouse_position, word).page)

    def leave_for(self, command: str) -> None:
        self.close(self.sheets[1])
        self.action_perform(command)

    def lesson_card(self) -> LessonCard | None:
        guide = self.controller.lessons.guide
        return None if guide is None else guide.view(self.size, is_away=not self.is_in_lab)

    def open_palette(self) -> None:
        from afterstate_lab.tui.pages.palette import Entry, Palette

        def chosen(entry: Entry | None) -> Any:
            if entry is not None and entry.of_lab and not self.is_in_lab:
                self.close(self.sheets[1])
            do = None if entry is None else entry.do
            return do() if callable(do) else do

        keys = () if self.is_in_lab else self.page.keys
        palette = Palette(self.controller, self.action_perform, self.do_line, keys)
        self.push(palette.page, chosen)

    def keep_time(self) -> None:
        """Run only the clocks that the session needs now."""
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
        self.begin_walk(session.timeline.place, session.timeline.phase)
        self._walking = self._clock(self._walking, session.walk > 0, WALKS, self.walk)
        self._filming = self._clock(self._filming, films, FILM_PICTURES, self.film_tick)
        self._polling = self._clock(self._polling, is_busy, REFRESHES, self.poll)

    def _clock(
        self, timer: Timer | None, runs: bool, times_a_second: float, do: Callable[[], None]
    ) -> Timer | None:
        if runs and timer is None:
            return self.set_interval(1 / times_a_second, do)
        if not runs and timer is not None:
            timer.stop()
            return None
        return timer

    def tick(self) -> None:
        """Watch one more move."""
        if self.is_in_lab:
            go_on_a_move(self.session)
            self.redraw()

    def begin_walk(self, place: TapePosition, phase: int) -> None:
        """Let a value walk that was just written, where pictures can move."""
        from afterstate_lab.learners.tape.timeline import TARGET, WRITE

        before, self._moment = self._moment, (place, phase)
        if before == self._moment:
            return
        is_written = before == (place, TARGET) and phase == WRITE and not self.session.details
        is_wanted = self.look.palette.has_colours and self.lab_app.preferences.motion == "on"
        is_moving = is_written and is_wanted and self.lab_app.pacer.is_quick
        self.session.walk = float(is_moving and self.lazy.mode is Mode.STEP)

    def walk(self) -> None:
        self.session.walk = max(0.0, self.session.walk - WALK)
        self.keep_time()
        self.redraw()

    def film_tick(self) -> None:
        from afterstate_lab.tui.lab.film import tick

        if self.is_in_lab:
            tick(self.session, monotonic())
            self.keep_time()
            self.redraw()

    def poll(self) -> None:
        """Show the progress of a training run; the user's keys come first."""
        now = monotonic()
        if self.lab_app.pacer.is_after_key and now - self._looked_at < LATEST_LOOK:
            return
        self._looked_at = now
        self.session.look_at_training()
        if self.search is not None:
            self.session.say(Message(self.search.words))
        self.update_lab()

    @work(thread=True, exclusive=True, group="compiler", exit_on_error=False)
    def load_compiler(self) -> None:
        """Compile the kernels that train and search; until then, they are interpreted."""
        from afterstate_lab.learners.tape.run import Seating

        kernel = self.session.run.kernel(Seating())
        kernel.compile()
        kernel.compile(recording=True)

    def begin_work(self, work: Work, sheet: Sheet) -> None:
        super().begin_work(work, sheet)
        self.keep_time()

    def is_void(self, running: Running) -> bool:
        searches = running.work.run is not None
        return super().is_void(running) or (searches and running.is_outdated(self.session.run))

    def start_training(self, goal: Goal) -> None:
        self.controller.current.leave_training()
        self.leave_views()
        training, pacer = self.session.begin_training(goal), self.lab_app.pacer
        training.may_evaluate = lambda: not pacer.is_after_key
        self._trainer = self.train(training)
        self.keep_time()

    @work(thread=True, exclusive=True, group="training", exit_on_error=False)
    def train(self, training: Training) -> None:
        """Run the training in its own thread."""
        training.work()

    def take_training(self, event: Worker.StateChanged) -> None:
        """Show a finished training run."""
        self._trainer = None
        if self.session.is_training and (said := self.controller.end_training()) is not None:
            self.session.say(said.named(key_of))
        if event.state is WorkerState.ERROR:
            self.session.say(Message(f"Training failed: {event.worker.error}"))
        self.keep_time()
        self.update_lab()

    def save_changes(self) -> None:
        """Save changes in the background."""
        if self.controller.current.capture():
            self.save()

    @work(thread=True, group="saving", exit_on_error=False)
    def save(self) -> bool:
        """Write what was captured."""
        assert self.controller.current.autosave is not None
        return self.controller.current.autosave.write()

    def save_again(self) -> None:
        """Retry a failed save."""
        if self.session.text_of(MessageKind.TROUBLE):
            self.save()

    def take_save(self, event: Worker.StateChanged) -> None:
        """Report once what is wrong with saving, and once when it works again."""
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
            self.update_lab()

    def leave_views(self) -> None:
        """Close all pages about the previous run, and those over them."""
        for sheet in self.sheets[1:]:
            if sheet.page is not None and sheet.page.of_run:
                self.close(sheet)
                return

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Handle the end or failure of background work."""
        group = event.worker.group
        if group == "compiler" and event.state is WorkerState.ERROR:
            slowly = "The compiler could not be used; everything runs, more slowly."
            self.session.say(Message(slowly))
            self.redraw()
        elif not event.worker.is_finished:
            return
        elif event.worker is self._trainer:
            self.take_training(event)
        elif group == "saving" and event.state is not WorkerState.CANCELLED:
            self.take_save(event)

    def on_unmount(self) -> None:
        """Stop all background work."""
        if self.lazy.is_started and self.session.training is not None:
            self.session.training.stop()
        for sheet in self.sheets:
            sheet.stop()
        if self.controller.experiments is not None:
            self.controller.experiments.stop()
