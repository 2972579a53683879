"""The one Textual screen: it paints the front page of a stack of pages, and runs its keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from textual import events
from textual.binding import Binding
from textual.geometry import Region
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input
from textual.widgets.input import Selection
from textual.worker import Worker, WorkerState

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Place, Stack, Window, pasted, placed, room
from afterstate_lab.tui.blocks.lesson import ROWS as LESSON_ROWS
from afterstate_lab.tui.blocks.span import (
    Line,
    Pen,
    blank,
    fit,
    on,
    spread,
    whole_words,
    width,
    wrap,
)
from afterstate_lab.tui.lab.commands import (
    BY_NAME,
    Command,
    answers_elsewhere,
    key_of,
    load_commands,
)
from afterstate_lab.tui.lab.key_names import written
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Copy, Key, Running, Work, is_refusal, sentence
from afterstate_lab.tui.pages.page import Leave, Page
from afterstate_lab.tui.screens.paper import Paper, pen_of
from afterstate_lab.tui.terminal.textual_internals import HoldableScreen
from afterstate_lab.tui.theme.glyphs import Glyphs
from afterstate_lab.tui.theme.look import Look

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from afterstate_lab.tui.blocks.lesson import LessonCard
    from afterstate_lab.tui.pages.help import Help

SMALLEST = (80, 24)
MOVES: dict[str, Callable[[Window], None]] = {
    "up": lambda window: window.move(-1),
    "down": lambda window: window.move(1),
    "pageup": lambda window: window.turn(-1),
    "pagedown": lambda window: window.turn(1),
    "home": lambda window: window.move(-window.count),
    "end": lambda window: window.move(window.count),
}
SHARED = (("↑ ↓", "move"),)
LAST = ((":", "all"), ("?", "help"))
LAST_TYPING = (("F1", "help"),)
ANSWERING = (("Enter", "takes it"), ("Esc", "leaves"))
ALONE, NEXT = "z", "Z"
"""Zoom one block, and zoom the next."""
OWN = (
    ("i", "explain a word"),
    (":", "any command in words; each shows its letter"),
    (f"{ALONE} {NEXT}", "zoom one part, then the next"),
)
"""Commands of every page."""
MARKS = {"X": "x_strong", "O": "o_strong"}
"""Roles of the players' names in the top line."""
LEAST_PLAYER = 5
"""Minimum number of characters of a player's name."""
WIDE = 100
"""With this many columns, every top line has the name of the program."""
WHEEL = 3
MOST = 8
"""Maximum number of entries of the footer."""
HINT = re.compile(r"\S+( \S+)*")
DOES_NOTHING = "{} does nothing here. ? lists the keys."
EDITING = {
    key: binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
    for key in binding.key.split(",")
}
"""Keys that edit the line, with their actions."""
GIVEN_UP = "Given up."
TAUGHT = ("up", "down", "left", "right", "enter", "escape", "home", "end")
"""Keys without a character that are never silent."""
LEAVING = ("up", "down", "tab", "enter", "escape")
"""Keys that go to the page while you type a line."""


class Sheet:
    """An open page with its note, its question and its work.

    Args:
        make: makes the page of the current state.
        answered: takes the page's answer once it is left; its outcome is shown.
    """

    def __init__(
        self, make: Callable[[], Page], answered: Callable[[Any], Any] = lambda answer: answer
    ) -> None:
        self.make, self.answered = make, answered
        self.page: Page | None = None
        self.note = ""
        self.asked: Key | None = None
        """The key whose question is open."""
        self.alone: int | None = None
        """The number of the zoomed block."""
        self.running: Running | None = None
        self.worker: Worker[Any] | None = None

    def stop(self) -> None:
        """Stop its work."""
        if self.running is not None:
            self.running.stop()
        if self.worker is not None:
            self.worker.cancel()


class PageScreen(HoldableScreen[None]):
    """Paints the front page, and runs its keys.

    Changes while the connection is busy are painted together, in their latest state.

    Args:
        make: makes the first page.
        look: colours and characters.
    """

    AUTO_FOCUS: ClassVar[str | None] = ""
    DEFAULT_CSS = """
    PageScreen { background: transparent; overflow: hidden; }
    PageScreen Paper { width: 100%; height: 100%; }
    """

    def __init__(self, make: Callable[[], Page], look: Look) -> None:
        super().__init__()
        self.look = look
        self.sheets = [Sheet(make)]
        """The open pages, the front page last."""
        self.paper = Paper()
        self.line = Input()
        """Edits the open line, which the paper shows."""
        self.places: list[Place] = []
        self.kept = 0
        """The rows of a lesson's card, which stay visible."""
        self._waiting: Timer | None = None
        self._drawn: Any = None
        """The size for which the page was drawn last."""
        self._was_shown = self._is_held = False
        self._asking_again: Timer | None = None

    @property
    def lab_app(self) -> Any:
        """The app, which has `pacer`, `look`, `toggle_light` and `leave`."""
        return self.app

    @property
    def front(self) -> Sheet:
        return self.sheets[-1]

    @property
    def page(self) -> Page:
        """The front page; a key may come before it is painted."""
        front = self.front
        front.page = front.page or front.make()
        return front.page

    def compose(self) -> ComposeResult:
        yield self.paper
        yield self.line

    def on_mount(self) -> None:
        self.line.display = False  # all keys go to the screen, in their order

    # painting

    def post_message(self, message: Message) -> bool:
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

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Refresh, except what the first layout has just painted."""
        repaint = repaint and self._was_shown
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def catch_up(self) -> None:
        """Paint what was held back."""
        if self._is_held:
            self.resume_painting()

    def paint(self) -> None:
        """Paint the changes, unless the connection is busy."""
        pacer = self.lab_app.pacer
        self._is_held = self.needs_painting and not pacer.may_paint()
        if self._asking_again is not None:
            self._asking_again.stop()
            self._asking_again = None
        if self._is_held:
            self.pause_painting()
            self._asking_again = self.set_timer(pacer.seconds_to_wait, self.catch_up)
        else:
            super().paint()

    def redraw(self) -> None:
        """Make the page of the current state, and paint it."""
        columns, rows = self.size
        if not columns or not self.is_attached:
            return
        front, pen = self.front, pen_of(self.look)
        front.page, self._drawn, self.places = front.make(), self.size, []
        page = front.page
        if self.is_too_small:
            needs = "This page needs {}×{}; the window has {}×{}.".format(*SMALLEST, columns, rows)
            self.paper.show(wrap(pen.line(needs), columns), self.look)
            return
        below = self.sheets[-2] if page.is_over else front
        under = page if below is front else below.page or below.make()
        body = under.body if below.alone is None else under.blocks[below.alone % len(under.blocks)]
        card = self.lesson_card()
        self.kept = 0 if card is None else LESSON_ROWS
        body = body if card is None else Stack((body, card))
        self.places = list(placed(body, columns, rows - 2, pen))
        lines = [top(under, columns, pen), *pasted(self.places, rows - 2, pen)]
        if page.is_over:
            high = min(room(page.body, columns, pen).most, rows - 3 - self.kept)
            first = rows - 2 - high - self.kept
            over = list(placed(page.body, columns, high, pen))
            lines[first : first + high] = pasted(over, high, pen)
            self.places = [place._replace(y=first - 1) for place in over]
        noted = wrap(pen.line(front.note or page.note, "remark"), columns - 2)
        told = [on(fit((*blank(1), *line), columns), "bar") for line in noted]
        if self.typed is not None:
            told.append(self.typed_line(*self.typed, columns, pen))
        first = rows - 1 - self.kept - len(told)
        lines[first : first + len(told)] = told
        foot = footer(page, columns, pen, front.asked is not None)
        self.paper.show([*lines, foot], self.look)
        self.wait_for(page.work)

    @property
    def is_too_small(self) -> bool:
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    # the stack

    def push(
        self, make: Callable[[], Page], answered: Callable[[Any], Any] = lambda answer: answer
    ) -> None:
        """Open a page in front."""
        self.sheets.append(Sheet(make, answered))
        self.redraw()

    def close(self, sheet: Sheet) -> None:
        """Close a page, and the pages in front of it."""
        at = self.sheets.index(sheet) if sheet in self.sheets else len(self.sheets)
        for one in self.sheets[at:]:
            one.stop()
        del self.sheets[at:]

    # keys

    async def on_key(self, event: events.Key) -> None:
        front, page = self.front, self.page
        key = next((one for one in self.keys if event.key in one.key.split()), None)
        if self.typed is not None and event.character and event.is_printable:
            self.type(event.character)
        elif front.asked is not None and event.key == "enter":
            self.answer()
        elif front.asked is not None and event.key == "escape":
            front.asked, front.note = None, ""
            self.redraw()
        elif self.typed is not None and event.key in EDITING:
            await self.line.run_action(EDITING[event.key])
            self.note_typed()
        elif front.asked is not None or (self.typed is not None and event.key not in LEAVING):
            return
        elif event.key == "escape" and front.alone is not None:
            front.alone = None
            self.redraw()
        elif key is not None:
            self.do(key)
        elif event.key in MOVES and page.window is not None:
            front.note = ""
            MOVES[event.key](page.window)
            self.redraw()
        elif page.typing is not None and event.character and event.is_printable:
            page.typing.begin(event.character)
            self.redraw()
        elif not self.is_own(event.key):
            if event.is_printable or event.key in TAUGHT:
                self.nothing_for(event.key)
            return
        event.stop()
        event.prevent_default()

    def nothing_for(self, key: str) -> None:
        """Report that a key does nothing here, and where it does something."""
        self.front.note = answers_elsewhere(key) or DOES_NOTHING.format(written(key))
        self.redraw()

    @property
    def keys(self) -> Iterator[Key]:
        """The keys of the front page, and those of the tabs."""
        yield from self.page.keys
        for tab in tabs_of(self.page):
            go = partial(self.leave_for, tab.name)
            yield Key(" ".join(tab.keys), tab.name, go, tab.help, signs=tab.shown)

    def is_own(self, key: str) -> bool:
        """Run a key of every page; return whether it is one."""
        front = self.front
        if key in ("question_mark", "f1"):
            self.push(help_of(self.page).page)
        elif key == "i":
            self.explain()
        elif key == "colon":
            self.open_palette()
        elif key == ALONE:
            front.alone = self.largest if front.alone is None else None
            self.redraw()
        elif key == NEXT:
            front.alone = 0 if front.alone is None else front.alone + 1
            self.redraw()
        else:
            return False
        return True

    def explain(self, line: str = "", column: int = 0) -> None:
        """Explain the words on screen; first the word at a column of a line, if any."""

    def open_palette(self) -> None:
        """Open the list of all commands."""

    def leave_for(self, command: str) -> None:
        """Leave all pages, and run a command of the lab."""

    def lesson_card(self) -> LessonCard | None:
        """Return the card of the current lesson, if any."""
        return None

    @property
    def largest(self) -> int | None:
        """The number of the largest painted block."""
        shown = [place for place in self.places if place.block in self.page.blocks]
        place = max(shown, key=lambda place: place.columns * place.rows, default=None)
        return None if place is None else self.page.blocks.index(place.block)

    def do(self, key: Key) -> None:
        self.front.note = ""
        if key.asks:
            self.ask(key)
            return
        try:
            self.take(key.do())
        except UsageError as error:
            self.take(sentence(error))

    def take(self, outcome: Any, sheet: Sheet | None = None) -> None:
        """Show the outcome of a key, or of a page's work."""
        sheet = sheet or self.front
        if isinstance(outcome, Leave):
            self.close(sheet)
            self.take(sheet.answered(outcome.answer))
            return
        if isinstance(outcome, Copy):
            self.app.copy_to_clipboard(outcome.text)
            outcome = outcome.text
        if isinstance(outcome, str):
            self.say(outcome, sheet)
        elif isinstance(outcome, Key):
            self.do(outcome)
        elif isinstance(outcome, Work):
            if outcome.run is None:
                self.say(outcome.says, sheet)
            self.begin_work(outcome, sheet)
        elif callable(outcome):
            self.push(outcome)
        self.redraw()

    def say(self, text: str, sheet: Sheet) -> None:
        """Show a message on a page."""
        sheet.note = text

    # work

    def wait_for(self, work: Work | None) -> None:
        """Start the page's work after a pause without keys."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        front = self.front
        if work is None or front.running is not None:
            return
        if work.after:
            self._waiting = self.set_timer(work.after, lambda: self.begin_work(work, front))
        else:
            front.running = Running(work)
            self.call_after_refresh(self.begin_work, work, front)  # what is shown is painted first

    def begin_work(self, work: Work, sheet: Sheet) -> None:
        if sheet not in self.sheets:
            return
        sheet.stop()
        sheet.running = running = Running(work)
        sheet.worker = self.run_worker(
            lambda: work.do(running), thread=True, group="work", exit_on_error=False
        )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        sheet = next((one for one in self.sheets if one.worker is event.worker), None)
        if sheet is None or not event.worker.is_finished:
            return
        running, sheet.running, sheet.worker = sheet.running, None, None
        assert running is not None
        self.say("", sheet)
        if event.state is WorkerState.ERROR:
            self.take(sentence(event.worker.error), sheet)
        elif self.is_void(running):
            self.take(GIVEN_UP, sheet)
        else:
            try:
                self.take(running.work.taken(event.worker.result), sheet)
            except UsageError as error:
                self.take(sentence(error), sheet)

    def is_void(self, running: Running) -> bool:
        """Return whether the result of work no longer counts."""
        return running()

    # the mouse

    def on_click(self, event: events.Click) -> None:
        """Select a clicked row, run a clicked hint of the footer, or explain other text."""
        x, y = event.x, event.y - 1
        found = self.at(x, y)
        row = None if found is None else found.block.row_at(
            x - found.x - 1, y - found.y - 1, found.columns - 2, found.rows - 2
        )  # fmt: skip
        line = "" if event.y >= len(self.paper.lines) else self.paper.lines[event.y].text
        means = None
        select = self.page.select
        if found is not None and select is not None:
            from afterstate_lab.tui.blocks.meaning import means_at

            edge = int(found.block.framed)
            size = found.columns - 2 * edge, found.rows - 2 * edge
            drawn = dict(enumerate(found.block.draw(*size, pen_of(self.look)), found.y + edge))
            means = means_at(drawn.get(y, ()), x - found.x - edge)
        if select is not None and means is not None:
            self.take(select(means))
        elif found is not None and row is not None:
            self.take(found.block.choose(row))
        elif self.page.is_over:
            self.take(Leave())
        elif event.y in (0, self.size.height - 1):
            hint = next((part for part in HINT.finditer(line) if x in range(*part.span())), None)
            glyphs, text = self.look.glyphs, self.look.glyphs.text
            for key in self.keys:
                is_told = bool(key.key or key.signs)
                if hint and is_told and hint[0] == f"{closed(shown(key), glyphs)} {text(key.word)}":
                    self.do(key)
                    break
        else:
            self.explain(line, x)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.turn_wheel(event, WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.turn_wheel(event, -WHEEL)

    def turn_wheel(self, event: events.MouseEvent, by: int) -> None:
        found = self.at(event.x, event.y - 1)
        if found is not None and found.block.window is not None:
            found.block.window.move(by)
            self.redraw()

    def at(self, x: int, y: int) -> Place | None:
        """Return the block at a point."""
        for place in self.places:
            if place.x <= x < place.x + place.columns and place.y <= y < place.y + place.rows:
                return place
        return None

    # the line that is typed: the answer to a question, or what a page lets type

    @property
    def typed(self) -> tuple[str, str] | None:
        """The question of the open line and the text typed; None without a line."""
        asked, typing = self.front.asked, self.page.typing
        if asked is not None:
            return asked.word, self.line.value
        return (typing.label, typing.text) if typing is not None and typing.is_open else None

    def ask(self, key: Key) -> None:
        self.front.asked, self.front.note = key, key.asks
        self.line.value = key.given
        self.line.selection = Selection(0 if key.is_proposal else len(key.given), len(key.given))
        self.redraw()

    def answer(self) -> None:
        """Submit the answer; after a refusal the question stays open."""
        front = self.front
        key, front.asked = front.asked, None
        assert key is not None
        try:
            front.note = ""
            outcome = key.do(self.line.value)
            if is_refusal(outcome):
                raise UsageError(outcome.named(key_of).text)
            self.take(outcome)
        except UsageError as error:
            front.asked = key
            self.take(sentence(error), front)

    def typed_line(self, label: str, text: str, columns: int, pen: Pen) -> Line:
        """Return the open line, scrolled to its cursor."""
        if self.line.value != text:
            self.line.value = text
            self.line.cursor_position = len(text)
        label, at = f" {label}: ", self.line.cursor_position
        start, stop = sorted(self.line.selection)
        stop = max(stop, start + 1)
        first = max(0, at + 2 - (columns - len(label)))
        start, text = max(first, start), f"{text} "
        before, picked, after = text[first:start], text[start:stop], text[stop:]
        pieces = ((label, "key on bar"), (before, "text on bar"), (picked, "tag STEP"),
                  (after, "text on bar"))  # fmt: skip
        return fit((*pen.line(pieces), *on(blank(columns), "bar")), columns)

    def type(self, text: str) -> None:
        """Type a text in place of the selection."""
        self.line.replace(text, *sorted(self.line.selection))
        self.note_typed()

    def note_typed(self) -> None:
        """Show the edited line; tell the page what it lets type."""
        typing, value = self.page.typing, self.line.value
        if self.front.asked is None and typing is not None and value != typing.text:
            typing.type(value)
        self.redraw()

    def on_paste(self, event: events.Paste) -> None:
        typing, lines = self.page.typing, event.text.splitlines()
        if self.typed is not None and lines:
            self.type(lines[0])
        elif typing is not None and lines:
            typing.type(lines[0])
            self.redraw()


def top(page: Page, columns: int, pen: Pen) -> Line:
    """Return the first line: the title, and as many fields as fit."""
    is_named, is_tab = columns >= WIDE or not page.title, False
    head: Line = (("afterstate ", "strong"),) if is_named else ()
    for tab in tabs_of(page):
        is_here = tab.name == page.name.lower()
        is_tab = is_tab or is_here
        roles = ("tag TAB", "tag TAB") if is_here else ("key", "dim")
        name = page.name if is_here else tab.name
        head = (*head, (f" {tab.shown}", roles[0]), (f" {name} ", roles[1]))
    head = pen.line(head if is_tab else (*head, (f" {page.name} ", f"tag {page.name}")))
    right = (*pen.line(page.right), *blank(1))
    line: Line = (*blank(1), *head, *blank(1)) if is_named else head
    room = columns - width(line) - width(right) - 1
    count = 4 if taken(shortened(page.title[:4], room)) <= room else 3
    for label, value in (*shortened(page.title[:count], room), *page.title[count:]):
        more = (*blank(2), *pen.line(((f"{label} ", MARKS.get(label, "dim")), (value, "text"))))
        room = columns - width(line) - width(right) - 1
        if width(more) > room and label == page.title[0][0]:
            more = (*whole_words(more, room - 1), pen.piece("…", "dim"))
        if width(more) > room:
            break
        line = (*line, *more)
    return on(spread(line, right, columns), "bar")


def tabs_of(page: Page) -> list[Command]:
    """Return the commands of the four tabs; none where letters are typed."""
    load_commands()
    return [BY_NAME[mode.value] for mode in Mode] if page.typing is None else []


def taken(fields: Sequence[tuple[str, str]]) -> int:
    return sum(len(label) + len(value) + 3 for label, value in fields)


def shortened(title: Sequence[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """Shorten two players and some fields: the longer player loses options, then letters."""
    fields = list(title)
    while taken(fields) > room:
        long = [at for at, (label, value) in enumerate(fields)
                if label in MARKS and (" " in value or len(value) > LEAST_PLAYER)]  # fmt: skip
        if not long:
            break
        at = max(long, key=lambda at: len(fields[at][1]))
        label, value = fields[at]
        name = value.removesuffix("…")
        fields[at] = label, (name.rpartition(" ")[0] or name[:-1]) + "…"
    return fields


def footer(page: Page, columns: int, pen: Pen, is_asked: bool = False) -> Line:
    """Return the last line: the most important keys first; help and the way out always fit."""
    named = [key for key in page.keys if (key.key or key.signs) and key.word and not key.hidden]
    told = [*SHARED] * (page.window is not None) + [(shown(key), key.word) for key in named]
    *others, out = [(closed(signs, pen.glyphs), word) for signs, word in told] or [("", "")]
    kept = [*(LAST if page.typing is None else LAST_TYPING), out]
    if is_asked:
        others, kept = [], list(ANSWERING)
    others = others[: MOST - len(kept)]
    sizes = {pair: len(pen.glyphs.text(" ".join(pair))) + 2 for pair in (*others, *kept)}
    room = columns + 1 - sum(sizes[pair] for pair in kept)  # a blank first, none at the end
    line: Line = blank(1)
    for pair in [*others, *kept]:
        size = sizes[pair]
        if pair in kept or size <= room:
            room -= 0 if pair in kept else size
            key, word = pair
            line = (
                *line,
                pen.piece(key, "key"),
                pen.piece(f" {word}".rstrip(), "dim"),
                *blank(2),
            )
    return fit(line, columns)


def shown(key: Key) -> str:
    """Return a key's signs in the footer, by default its first key."""
    if key.signs:
        return key.signs
    return written(key.key.split()[0])


def closed(signs: str, glyphs: Glyphs) -> str:
    """Return signs in the terminal's characters: two arrows are joined, two words are not."""
    parts = glyphs.text(signs).split()
    return ("" if max(map(len, parts), default=0) == 1 else " ").join(parts)


def help_of(page: Page) -> Help:
    """Return the help on a page's keys."""
    from afterstate_lab.tui.pages.help import Help

    told = [
        (shown(key), key.help or key.asks or key.word)
        for key in page.keys
        if key.key and (key.word or key.help)
    ]
    tabs = " ".join(tab.shown for tab in tabs_of(page))
    lead = [(tabs, "lead to the tabs: play, watch, step, train")] * bool(tabs)
    return Help(page.name.lower(), [(page.name, told), ("every page", [*lead, *OWN])])


def lines_of(page: Page, columns: int, rows: int, pen: Pen) -> Iterator[str]:
    """Yield a page as text, without Textual, for snapshots."""
    body = pasted(list(placed(page.body, columns, rows - 2, pen)), rows - 2, pen)
    for line in (top(page, columns, pen), *body, footer(page, columns, pen)):
        yield "".join(text for text, _ in line).rstrip()
