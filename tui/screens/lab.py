"""The one Textual screen: it paints the front page of a stack of pages, and runs its keys."""

from __future__ import annotations

import re
from asyncio import Future, get_running_loop
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from sys import maxsize
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self

from textual import events
from textual import on as when
from textual.geometry import Region
from textual.message import Message as Event

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Place, Stack, Window, pasted, placed, room
from afterstate_lab.tui.blocks.span import Line, Pen, blank, fit, on, wrap
from afterstate_lab.tui.blocks.text import LESSON_ROWS
from afterstate_lab.tui.desk import Desk, Sheet, close, take
from afterstate_lab.tui.lab.autosave import RETRY_SECONDS
from afterstate_lab.tui.lab.commands import answers_elsewhere, gone, key_of, written
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    GIVEN_UP,
    Copy,
    Key,
    Outcome,
    Running,
    Train,
    Work,
    sentence,
    with_keys,
)
from afterstate_lab.tui.pages.home import FONT, Home
from afterstate_lab.tui.pages.lab import lab_page
from afterstate_lab.tui.pages.page import BOARD_SIZE, PAGE_SIZE, Leave, Page, fits
from afterstate_lab.tui.screens.page import closed, footer, help_of, shown, tabs_of, top
from afterstate_lab.tui.screens.paper import EDITING, Paper, TypedLine, pen_of
from afterstate_lab.tui.terminal.textual_internals import HoldableScreen
from afterstate_lab.tui.theme.glyphs import ASCII

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer

    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.learners.training import Goal, Training
    from afterstate_lab.tui.lab.session import Session
    from afterstate_lab.tui.pages.line import Line as Typed

Do = Callable[[], Any]
SIZE = "×".join(map(str, PAGE_SIZE))
MOVES = {
    "up": (Window.move, -1),
    "down": (Window.move, 1),
    "pageup": (Window.turn, -1),
    "pagedown": (Window.turn, 1),
    "home": (Window.move, -maxsize),
    "end": (Window.move, maxsize),
}
WHEEL = 3
"""Rows."""
SAVER = ThreadPoolExecutor(1, "saving")
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
HINT = re.compile(r"\S+( \S+)*")
DOES_NOTHING = "{} does nothing here. ? lists the keys."

TAUGHT = ("up", "down", "left", "right", "enter", "escape", "home", "end")
"""Keys without a character that are never silent."""
DIGITS = (*"0123456789", "full_stop")
act = partial(Key, "", "")
"""A click or work as a key without a name."""
LEAVING = ("up", "down", "tab", "enter", "escape")
"""Keys that go to the page while you type a line."""
FILM_PICTURES = 3
"""Frames of a film per second."""
REFRESHES = 4
"""Frames of a training run per second."""
LATEST_LOOK = 1.0
"""Seconds after which a training run is shown even while you type."""


class LabScreen(HoldableScreen, Desk):
    """Paints the front page of a stack, and runs its keys; the lab is the last page.

    Keys and clicks become commands; the controller does them, and the screen shows the outcome.
    Changes while the connection is busy are painted together, in their latest state; so are the
    characters of a line that arrive together.

    Args:
        controller: does the commands.
        at_home: begin on the home screen, in front of the lab.
        first: the outcome of opening the address at the start.
    """

    AUTO_FOCUS: ClassVar[str | None] = ""
    DEFAULT_CSS = """
    LabScreen { background: transparent; overflow: hidden; }
    LabScreen Paper { width: 100%; height: 100%; }
    """
    app: Any
    """The app, which has `pacer`, `look` and `leave`."""

    def __init__(self, controller: LabController, *, at_home: bool, first: Outcome) -> None:
        super().__init__()
        self.controller = controller
        self.sheets = [Sheet(lambda: lab_page(controller, self.perform, self.size or PAGE_SIZE))]
        """The open pages, the front page last."""
        self.paper = Paper()
        self.line = TypedLine()
        """Edits the open line, which the paper shows."""
        self.places: list[Place] = []
        self.pending: set[Future[Any]] = set()
        """What threads still do."""
        self._first = first
        self._run: Run | None = None
        """The run on screen: pages about another run close."""
        self._clocks: dict[Do, tuple[float, Timer]] = {}
        """The running clocks, with their rates or delays, by what they call."""
        self._is_edited = False
        """Whether the open line was edited since it was drawn."""
        self._drawn: Any = None
        """The size for which the page was drawn last."""
        self._was_shown = False
        self._looked_at = 0.0
        """When the training run was last shown (`monotonic`)."""
        if at_home:
            self.sheets.append(Sheet(Home(controller).page))

    @property
    def session(self) -> Session:
        return self.controller.session

    @property
    def page(self) -> Page:
        """The front page; a key may come before it is painted."""
        front = self.front
        front.page = front.page or front.make()
        return front.page

    @property
    def busy(self) -> tuple[Sheet, Running] | None:
        """The page, and the work on it that a key began: until its end only Esc counts."""
        for sheet in (self.front, self.sheets[0]):
            if sheet.running is not None and sheet.running.is_asked:
                return sheet, sheet.running
        return None

    @property
    def is_in_lab(self) -> bool:
        """Whether the lab itself is in front."""
        return len(self.sheets) == 1

    def compose(self) -> ComposeResult:
        yield self.paper
        yield self.line

    def on_mount(self) -> None:
        self.line.display = False  # all keys go to the screen, in their order
        self.controller.remark = "" if self.app.look.glyphs is ASCII else FONT
        if self._first is not None or self.controller.trouble:
            self.call_after_refresh(self.begin)

    def begin(self) -> None:
        """Show what is wrong with the user's settings, and the first outcome."""
        if self.is_in_lab and self.controller.trouble:
            self.session.note = self.controller.trouble
        self.take(self._first)

    # painting

    def post_message(self, message: Event) -> bool:
        """Queue a message; drop an outdated size, which Textual may post last."""
        if isinstance(message, events.Resize) and message.size != self.app.size:
            return False
        return super().post_message(message)

    def on_resize(self) -> None:
        if self._drawn != self.size:
            self.redraw()

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self.note_shown)
        self.redraw()

    def note_shown(self) -> None:
        """The screen is painted."""
        self._was_shown = True

    def refresh(self, *regions: Region, repaint: bool = True, **more: bool) -> Self:
        """Refresh, except what the first layout has just painted."""
        return super().refresh(*regions, repaint=repaint and self._was_shown, **more)

    def may_paint(self) -> bool:
        """Hold changes back while the connection is busy."""
        seconds = self.app.pacer.seconds_to_wait()
        self.clock(self.catch_up, seconds)
        return seconds is None

    def redraw(self) -> None:
        """Save the session, make the page of the current state, and paint it."""
        self._is_edited = False
        if not self.is_attached:
            return
        self.save_changes()
        if self.is_in_lab and self.busy is None and self.front.asked is None:
            take(self, self.controller.follow(), self.front)
        if not self.size.width:
            return
        if self._drawn != self.size:
            for sheet in self.sheets[:-1]:
                sheet.page = sheet.page and sheet.make()
        self.front.page = page = self.front.make()
        self._drawn, self.places = self.size, []
        self.paper.show(self.drawn(page, *self.size, pen_of(self.app.look)), self.app.look)
        self.wait_for(page.work)

    def drawn(self, page: Page, columns: int, rows: int, pen: Pen) -> list[Line]:
        """Return the lines of the page in front, and of the page that it covers in part."""
        front, guide = self.front, self.controller.guide
        if self.is_too_small:
            plays = "p plays, " * self.may_play
            needs = f"This page needs {SIZE}; the window has {columns}×{rows}. {plays}q quits."
            return wrap(pen.line(needs), columns)
        under, last = page, rows - 1
        if page.is_over:
            below = self.sheets[-2]
            under = below.page or below.make()
        body = under.body
        if guide is not None:
            body = Stack((body, guide.view(is_away=not self.is_in_lab)))
            last -= LESSON_ROWS  # the card stays visible
        self.places = list(placed(body, columns, rows - 2, pen))
        lines = [top(under, columns, pen), *pasted(self.places, rows - 2, pen)]
        if page.is_over:
            high = min(room(page.body, columns, pen).most, last - 2)
            first = last - (self.typed is not None) - high
            over = list(placed(page.body, columns, high, pen))
            lines[first : first + high] = pasted(over, high, pen)
            self.places = [place._replace(y=first - 1) for place in over]
        autosave = self.controller.autosave
        note = front.note or page.note or (autosave.unsaved if autosave else "")
        noted = wrap(pen.line(note, "remark"), columns - 2)
        told = [on(fit((*blank(1), *line), columns), "bar") for line in noted]
        if self.typed is not None:
            told.append(self.line.drawn(self.typed, columns, pen))
        lines[last - len(told) : last] = told
        return [*lines, footer(page, columns, pen, front.asked is not None)]

    @property
    def is_too_small(self) -> bool:
        """Whether the window is known, and does not show the page."""
        return self.size.width > 0 and not fits(self.size, self.page.least)

    @property
    def may_play(self) -> bool:
        """Whether the window shows at least the board of a game."""
        return fits(self.size, BOARD_SIZE)

    # the stack of pages

    def leave_views(self) -> None:
        """Close all pages about the previous run, and those over them."""
        for sheet in self.sheets[1:]:
            if sheet.page is not None and sheet.page.of_run:
                close(self, sheet)
                return

    def explain(self, asked: str = "") -> None:
        """Explain what is asked, or all on screen."""
        from afterstate_lab.tui.pages.explain import asked_for, words_on

        session = self.session if self.controller.is_started else None
        lines = [strip.text for strip in self.paper.lines]
        written = self.app.look.glyphs.text
        words = [asked_for(asked)] if asked else words_on(lines, self.page.name, session, written)
        if any(words):
            self.open_palette(words)

    def help(self, word: str = "") -> None:
        """List the dozen keys of the lab, or the keys of another page."""
        from afterstate_lab.tui.pages.palette import taught

        self.open_palette(taught() if self.is_in_lab else help_of(self.page))

    def open_palette(self, first: Sequence[Any] = ()) -> None:
        """Open `:`, which lists some words to explain, or keys, until something is typed."""
        from afterstate_lab.tui.pages.palette import Palette

        palette, self.line.value = Palette(self, first), ""
        self.sheets.append(Sheet(palette.page))

    def go_to_lab(self) -> None:
        """Close every page over the lab."""
        for sheet in self.sheets[1:2]:
            close(self, sheet)

    def leave_for(self, command: str) -> None:
        self.go_to_lab()
        self.action_perform(command)

    # keys and outcomes

    async def on_event(self, event: events.Event) -> None:
        """Drop what was typed ahead of a lab that is closing: its page is not made any more."""
        if self.is_attached or not isinstance(event, events.InputEvent | events.Paste):
            await super().on_event(event)

    async def on_key(self, event: events.Key) -> None:
        """Run a key; a digit begins the answer to a question of the lab."""
        event.stop().prevent_default()
        name, front = event.key, self.front
        if self.is_too_small:
            if name == "q":
                self.app.leave()
            elif name == "p" and self.may_play:
                self.leave_for("play")
            return
        if self.busy is not None:
            if name in ("escape", "q"):  # leaves the work at once, whenever it ends
                sheet, _ = self.busy
                sheet.stop()
                sheet.running = sheet.worker = None
                self.take(GIVEN_UP)
            return
        is_free = self.is_in_lab and front.asked is None and self.controller.mode is not Mode.PLAY
        if name in DIGITS and is_free and self.controller.question is not None:
            self.action_perform("answer")
        text = (event.character or "") * event.is_printable
        if self.typed is not None and (text or name in EDITING):
            await self.edit(text, name)
            return
        self.draw_edited()
        key = next((one for one in self.keys if name in one.key.split()), None)
        if front.asked is not None:
            if name == "enter":
                self.answer()
            elif name == "escape":
                front.asked, front.note = None, ""
                self.redraw()
        elif self.typed is not None and name not in LEAVING:
            return
        elif key is not None:
            self.do(key)
        elif name in MOVES and self.page.window is not None:
            front.note = ""
            move, by = MOVES[name]
            move(self.page.window, by)
            self.redraw()
        elif event.is_printable or name in TAUGHT:
            mode = self.controller.mode if self.is_in_lab else None
            nothing = DOES_NOTHING.format(written(name))
            self.take(answers_elsewhere(name, mode) or gone(written(name)) or nothing)

    @property
    def keys(self) -> Iterator[Key]:
        """The keys of the front page, of the tabs, and of every page."""
        yield from self.page.keys
        for tab in tabs_of(self.page):
            go = partial(self.leave_for, tab.name)
            yield Key(" ".join(tab.keys), tab.name, go, tab.help, signs=tab.shown)
        yield Key("question_mark f1", "help", self.help)
        yield Key("i", "", self.explain)
        yield Key("colon", "all", self.open_palette)

    def do(self, key: Key, sheet: Sheet | None = None) -> None:
        """Press a key."""
        sheet = sheet or self.front
        sheet.note = ""
        self.take(key, sheet)

    def take(self, outcome: Any, sheet: Sheet | None = None) -> None:
        """Show an outcome of a page or why it is refused, and the current session."""
        sheet = sheet or self.front
        try:
            if isinstance(outcome, Key) and not outcome.asks:
                outcome = outcome.do()
            self.follow_run()
            take(self, outcome, sheet)
        except UsageError as error:
            self.tell(sentence(error), sheet if sheet in self.sheets else self.front)
        if self.controller.is_over:
            self.app.leave()
        self.follow_run()
        self.keep_time()
        self.redraw()

    def follow_run(self) -> None:
        """Close the pages about a run that another replaced."""
        now = self.session.run if self.controller.is_started else None
        if self._run is not None and self._run is not now:
            self.leave_views()
        self._run = now

    # the desk

    def tell(self, told: str, sheet: Sheet) -> None:
        """Show a message on a page; the lab's belong to its session."""
        if isinstance(told, Copy):
            self.app.copy_to_clipboard(told)
        told = with_keys(told, key_of)
        if sheet is self.sheets[0]:
            self.session.note = told
        else:
            sheet.note = told

    def ask(self, question: Key) -> None:
        """Ask for a line, and clear the messages."""
        if question.compiles:
            self.in_thread(self.compile_kernels, self.take_compiler)
        self.front.asked, self.front.note = question, question.asks
        self.line.value = question.given
        if question.is_proposal:
            self.line.action_select_all()
        else:
            self.line.action_end()

    def run(self, work: Work | Train, sheet: Sheet) -> None:
        """Train, or do work of a page in a thread; a search of the run belongs to the lab."""
        if isinstance(work, Train):
            self.start_training(work.goal)
        else:
            self.begin_work(work, self.sheets[0] if work.run else sheet, is_asked=True)

    def perform(self, name: str, *given: Any) -> Outcome:
        """Run a command, or mark a cell; the caller handles the outcome."""
        guide = self.controller.guide
        is_next = name in ("answer", "card") or (name == "mark" and self.session.cursor is None)
        if is_next and guide is not None and self.controller.question is None:
            self.go_on(guide.verb)
            return None
        tab = self.controller.mode.value
        outcome = self.controller.perform(name, *given)
        if name == tab == self.controller.mode.value and outcome is None:
            self.session.note = f"You are in {tab.upper()} already."
        self.controller.note(name)
        return outcome

    def do_line(self, line: Typed, mode: Mode) -> None:
        """Run a line, in a mode in which it works."""
        from afterstate_lab.tui.pages.line import done, lab_name

        if self.controller.mode is not mode:
            self.action_perform(mode.value)
        self.controller.note(lab_name(line.command))
        self.take(done(self.controller, line))

    def go_on(self, verb: str) -> None:
        """Do what the lesson's step asks for; move to the next step once it is done."""
        from afterstate_lab.tui.pages.line import lab_name, read_anywhere

        found, guide = read_anywhere(verb, self.controller.mode), self.controller.guide
        assert guide is not None
        if verb.isdecimal() and guide.waits_for("cell"):
            self.action_perform("cell", int(verb) - 1)
        elif found and guide.waits_for(lab_name(found[0].command)):
            self.do_line(*found)
        else:
            self.take(guide.turn(1))

    def action_perform(self, name: str, *given: Any) -> None:
        """Run a command and show the outcome, unless the lab is closing."""
        if self.is_attached:
            self.do(act(partial(self.perform, name, *given)))

    # work, training and saving

    def wait_for(self, work: Work | None) -> None:
        """Start the page's work after a pause without keys."""
        front = self.front
        if front.running is not None:
            work = None
        self.clock(self.begin_waiting, work.after or None if work else None)
        if work is not None and not work.after:
            front.running = Running(work)
            self.call_after_refresh(self.begin_work, work, front)  # what is shown is painted first

    def begin_waiting(self) -> None:
        """Start the work of the front page."""
        if self.page.work is not None:
            self.begin_work(self.page.work, self.front)

    def begin_work(self, work: Work, sheet: Sheet, *, is_asked: bool = False) -> None:
        if sheet not in self.sheets:
            return
        sheet.stop()
        sheet.running = running = Running(work, is_asked=is_asked)
        take = partial(self.take_work, sheet, running)
        sheet.worker = self.in_thread(partial(work.do, running), take)
        self.keep_time()

    def in_thread(self, do: Do, then: Callable[..., None], pool: Any = None) -> Future[Any]:
        """Do something in a thread; what comes of it is taken after earlier keys."""

        def done(future: Future[Any]) -> None:
            self.pending.discard(future)
            if not future.cancelled():
                self.call_later(then, future.exception(), future)

        future = get_running_loop().run_in_executor(pool, do)
        self.pending.add(future)
        future.add_done_callback(done)
        return future

    def take_work(self, sheet: Sheet, running: Running, error: object, done: Future[Any]) -> None:
        """Show the result of finished work, unless it no longer counts."""
        if sheet.running is not running or sheet not in self.sheets:
            return
        sheet.running = sheet.worker = None
        if running.is_asked:  # the progress of which is on the page
            self.tell("", self.front)
        if error is not None:
            self.take(sentence(error))
        elif running.work.run is not None and running.is_outdated(self.session.run):
            self.take(GIVEN_UP)
        else:
            self.do(act(partial(running.work.taken, done.result())), sheet)

    def compile_kernels(self) -> None:
        """Compile the kernels that train and search; until then, they are interpreted."""
        from afterstate_lab.learners.kernel import compiler
        from afterstate_lab.learners.tape.run import Seating

        kernel = self.session.run.kernel(Seating())
        kernel.compile()
        kernel.compile(recording=True)
        if compiler.why_broken:
            raise UsageError(f"{compiler.why_broken}: everything runs interpreted")

    def take_compiler(self, error: object, _: object) -> None:
        if error is not None:
            self.session.note = sentence(error)
            self.redraw()

    def start_training(self, goal: Goal) -> None:
        self.controller.leave_training()
        self.leave_views()
        training, pacer = self.session.begin_training(goal), self.app.pacer
        training.may_evaluate = lambda: not pacer.is_after_key
        self.in_thread(training.work, partial(self.take_training, training))
        self.keep_time()

    def take_training(self, training: Training, error: object, _: object) -> None:
        """Show a finished training run."""
        if self.session.training is not training:
            return
        for told in (self.controller.end_training(), error and f"Training failed: {error}"):
            if told:
                self.tell(str(told), self.sheets[0])
        self.keep_time()
        self.redraw() if self.is_in_lab else self.save_changes()

    def save_changes(self) -> None:
        """Save changes in the background."""
        if self.controller.capture():
            self.save()

    def save(self) -> None:
        """Write what was captured, in a thread that gives way to none: leaving waits for it."""
        autosave = self.controller.autosave
        assert autosave is not None
        self.in_thread(autosave.write, self.take_save, SAVER)

    def take_save(self, error: object, _: object) -> None:
        """Report once what is wrong with saving, and once when it works again."""
        session, autosave = self.session, self.controller.autosave
        assert autosave is not None
        if error is not None:
            autosave.trouble = f"saving failed ({error})"
        if news := autosave.news():
            session.note = news
        self.clock(self.save, RETRY_SECONDS if autosave.trouble else None)
        if session.note:
            self.redraw() if self.is_in_lab else self.save_changes()

    # clocks

    def keep_time(self) -> None:
        """Run only the clocks that the session needs now."""
        is_busy = self.busy is not None
        if self.controller.is_started:
            session = self.session
            is_busy = is_busy or session.is_training
            watches = session.mode is Mode.WATCH and session.is_running
            rate = FILM_PICTURES if session.played_film else session.speed * watches
            self.clock(self.tick, 1 / rate if rate else None, again=True)
        self.clock(self.poll, 1 / REFRESHES if is_busy else None, again=True)

    def clock(self, do: Do, seconds: float | None, *, again: bool = False) -> None:
        """Call something after so many seconds, maybe again and again; None: not any more.

        A clock that goes on at the same rate is not set back.
        """
        before, timer = self._clocks.pop(do, (None, None))
        if timer is not None and (before != seconds or not again):
            timer.stop()
            timer = None
        if seconds is not None:
            begin = self.set_interval if again else self.set_timer
            self._clocks[do] = seconds, timer or begin(seconds, do)

    def tick(self) -> None:
        """Show the next picture of the film, or watch one more move."""
        if self.is_in_lab:
            if self.session.played_film is None:
                self.session.go_on_a_move()
            else:
                self.session.tick_film(monotonic())
            self.keep_time()
            self.redraw()

    def poll(self) -> None:
        """Show the progress of a training run; the user's keys come first."""
        now, busy = monotonic(), self.busy
        is_typing = self.app.pacer.is_after_key and busy is None
        if is_typing and now - self._looked_at < LATEST_LOOK:
            return
        self._looked_at = now
        if self.controller.is_started:
            self.session.look_at_training()
        if busy is not None:
            self.tell(busy[1].look(), self.front)
        self.redraw() if self.is_in_lab or busy is not None else self.save_changes()

    # the mouse

    def on_click(self, event: events.Click) -> None:
        """Select a clicked row, or run a clicked hint of the first or last line."""
        if self.is_too_small or self.busy is not None:
            return
        self.draw_edited()
        x, y = event.x, event.y - 1
        found = self.at(x, y)
        row = None if found is None else found.row_at(x, y)
        if found is not None and row is not None:
            self.do(act(partial(found.block.choose, row)))
        elif self.page.is_over:
            self.take(Leave())
        elif event.y in (0, self.size.height - 1):
            line, glyphs = self.paper.lines[event.y].text, self.app.look.glyphs
            hint = next((one[0] for one in HINT.finditer(line) if x in range(*one.span())), "")
            for key in self.keys:
                if hint == f"{closed(shown(key), glyphs)} {glyphs.text(key.word)}":
                    self.do(key)
                    break

    @when(events.MouseScrollUp)
    @when(events.MouseScrollDown)
    def turn_wheel(self, event: events.MouseEvent) -> None:
        self.draw_edited()
        found = self.at(event.x, event.y - 1)
        if found is not None and found.block.window is not None:
            found.block.window.move(-WHEEL if isinstance(event, events.MouseScrollUp) else WHEEL)
            self.redraw()

    def at(self, x: int, y: int) -> Place | None:
        """Return the block at a point."""
        for place in self.places:
            if place.x <= x < place.x + place.columns and place.y <= y < place.y + place.rows:
                return place
        return None

    # the line that is typed: the answer to a question, or what a page lets type

    @property
    def typed(self) -> str | None:
        """What the open line asks for; None without a line."""
        if self.front.asked is not None:
            return self.front.asked.word
        return None if self.page.typing is None else "command"

    def answer(self) -> None:
        """Submit the answer; after a refusal the question stays open."""
        front = self.front
        key, front.asked = front.asked, None
        assert key is not None

        def answered() -> Any:
            try:
                return key.do(self.line.value)
            except UsageError:
                front.asked = key
                raise

        self.do(act(answered))

    async def edit(self, text: str, key: str = "") -> None:
        """Replace the selection with a text, or do what a key does to the line.

        The page takes the line at once; both are drawn after the keys that arrived with this one.
        """
        typing, before = self.page.typing, self.line.value
        if text:
            self.line.replace(text, *sorted(self.line.selection))
        else:
            await self.line.run_action(EDITING[key])
        if self.front.asked is None and typing is not None and self.line.value != before:
            typing(self.line.value)
        self._is_edited = self._is_edited or self.call_later(self.draw_edited)

    def draw_edited(self) -> None:
        """Draw an edited line and its page, which keys and clicks refer to."""
        if self._is_edited:
            self.redraw()

    async def on_paste(self, event: events.Paste) -> None:
        """Type the first line of a paste that is not blank, with blanks for control characters."""
        lines = (CONTROLS.sub(" ", line) for line in event.text.splitlines())
        is_deaf = self.is_too_small or self.busy is not None or self.typed is None
        if line := "" if is_deaf else next(filter(str.strip, lines), ""):
            await self.edit(line)

    def on_unmount(self) -> None:
        """Stop all background work."""
        if self.controller.is_started and self.session.training is not None:
            self.session.training.stop()
        for sheet in self.sheets:
            sheet.stop()
        if self.controller.experiments is not None:
            self.controller.experiments.stop()
