"""The one Textual screen of all pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.timer import Timer
from textual.widgets import Input
from textual.widgets.input import Selection
from textual.worker import Worker, WorkerState, get_current_worker

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Place, Window, pasted, placed
from afterstate_lab.tui.blocks.span import Line, Pen, blank, fit, on, spread, width, wrap
from afterstate_lab.tui.lab.key_names import written
from afterstate_lab.tui.lab.outcomes import Copy, Open, Question, Request, Work, sentence
from afterstate_lab.tui.pages.page import Key, Leave, Page, asking
from afterstate_lab.tui.screens.base import PacedScreen, lab_app
from afterstate_lab.tui.screens.paper import Paper, pen_of
from afterstate_lab.tui.theme.glyphs import Glyphs
from afterstate_lab.tui.theme.look import Look

if TYPE_CHECKING:
    from textual.app import ComposeResult

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
"""The screen's keys: zoom one block, and zoom the next."""
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
"""With this many columns, the lab's top line has the name of the program."""
WHEEL = 3
MOST = 8
"""Maximum number of entries of the footer."""
HINT = re.compile(r"\S+( \S+)*")
DOES_NOTHING = "{} does nothing here. ? lists the keys."
LEAVING = ("up", "down", "tab", "enter", "escape")
"""Keys that go to the page while you type a line."""


class PageScreen(PacedScreen[Any]):
    """Paints a page, and runs its keys.

    Args:
        make: makes the page of the current state.
        look: colours and characters.
    """

    AUTO_FOCUS: ClassVar[str | None] = ""
    DEFAULT_CSS = """
    PageScreen { layers: paper line; }
    PageScreen Paper { layer: paper; width: 100%; height: 100%; }
    PageScreen Input { layer: line; border: none; height: 1; padding: 0; background: transparent; }
    PageScreen Input:focus { border: none; }
    """

    def __init__(self, make: Callable[[], Page], look: Look) -> None:
        super().__init__()
        self.make, self.look = make, look
        self.page: Page | None = None
        self.note = ""
        self.paper = Paper()
        self.line = Input(select_on_focus=False)
        self.places: list[Place] = []
        self.asked: Key | None = None
        """The key whose question is open."""
        self._alone: int | None = None
        """The number of the zoomed block."""
        self._waiting: Timer | None = None
        self._is_working = False
        self._drawn: Any = None
        """The size for which the page was drawn last."""

    @property
    def of_run(self) -> bool:
        """Whether the page is about the current run."""
        return self.page is not None and self.page.of_run

    def compose(self) -> ComposeResult:
        yield self.paper
        yield self.line

    def on_mount(self) -> None:
        self.line.cursor_blink = self.line.display = False

    def on_resize(self) -> None:
        if self._drawn != self.size:
            self.redraw()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self.redraw()

    def redraw(self) -> None:
        """Make the page of the current state, and paint it."""
        columns, rows = self.size
        if not columns or not self.is_attached:
            return
        self.page, self._drawn = self.make(), self.size
        page = self.page
        pen = pen_of(self.look)
        if self.is_too_small:
            needs = "This page needs {}×{}; the window has {}×{}.".format(*SMALLEST, columns, rows)
            self.paper.show(wrap(pen.line(needs), columns), self.look)
            self.places = []
            return
        body = page.body if self._alone is None else page.blocks[self._alone % len(page.blocks)]
        self.places = list(placed(body, columns, rows - 2, pen))
        lines = [top(page, columns, pen), *pasted(self.places, rows - 2, pen)]
        below = wrap(pen.line(self.note or page.note, "remark"), columns - 2)
        if self.typed is not None:
            below.append(pen.line(((f"{self.typed[0]}: ", "key"),)))
        for n, line in enumerate(below, rows - 1 - page.kept - len(below)):
            lines[n] = on(fit((*blank(1), *line), columns), "bar")
        foot = footer(page, columns, pen, self.asked is not None)
        self.paper.show([*lines, foot], self.look)
        self.place_line()
        self.wait_for(page.work)

    @property
    def is_too_small(self) -> bool:
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    # keys

    def on_key(self, event: events.Key) -> None:
        page = self.page = self.page or self.make()  # a key may come before the first picture
        key = next((one for one in page.keys if event.key in one.key.split()), None)
        if self.typed is not None and event.character and event.is_printable:
            self.line.replace(event.character, *sorted(self.line.selection))  # ahead of the focus
        elif self.asked is not None and event.key == "enter":
            self.answer()
        elif self.asked is not None and event.key == "escape":
            self.asked, self.note = None, ""
            self.redraw()
        elif self.asked is not None or (self.typed is not None and event.key not in LEAVING):
            return
        elif event.key == "escape" and self._alone is not None:
            self._alone = None
            self.redraw()
        elif key is not None:
            self.do(key)
        elif event.key in MOVES and page.window is not None:
            self.note = ""
            MOVES[event.key](page.window)
            self.redraw()
        elif page.typing is not None and event.character and event.is_printable:
            page.typing.begin(event.character)
            self.redraw()
        elif not self.is_own(event.key):
            if event.is_printable:
                self.nothing_for(event.key)
            return
        event.stop()
        event.prevent_default()

    def nothing_for(self, key: str) -> None:
        """Report that a key does nothing here."""
        self.note = DOES_NOTHING.format(written(key))
        self.redraw()

    def is_own(self, key: str) -> bool:
        """Run a key of every page; return whether it is one."""
        if key in ("question_mark", "f1") and self.page is not None:
            self.app.push_screen(PageScreen(help_of(self.page).page, self.look))
        elif key == "i":
            lab_app(self).explain()
        elif key == ALONE:
            self._alone = self.largest if self._alone is None else None
            self.redraw()
        elif key == NEXT:
            self._alone = 0 if self._alone is None else self._alone + 1
            self.redraw()
        else:
            return False
        return True

    @property
    def largest(self) -> int | None:
        """The number of the largest painted block."""
        if self.page is None or not self.places:
            return None
        place = max(self.places, key=lambda place: place.columns * place.rows)
        return self.page.blocks.index(place.block)

    def do(self, key: Key) -> None:
        self.note = ""
        if key.asks:
            self.ask(key)
            return
        try:
            self.take(key.do())
        except UsageError as error:
            self.take(sentence(error))

    def take(self, outcome: Any) -> None:
        """Show the outcome of a key, or of work."""
        if isinstance(outcome, Leave):
            self.dismiss(outcome.answer)
            return
        if isinstance(outcome, Copy):
            self.app.copy_to_clipboard(outcome.text)
            outcome = outcome.text
        if isinstance(outcome, str):
            self.note = outcome
        elif isinstance(outcome, Key):
            self.do(outcome)
        elif isinstance(outcome, Work):
            self.note = outcome.says
            self.begin_work(outcome)
        elif isinstance(outcome, Question):
            self.do(asking(outcome))
        elif isinstance(outcome, Open | Request):
            lab_app(self).show(outcome)
            self.look = lab_app(self).look
        elif callable(outcome):
            self.app.push_screen(PageScreen(outcome, self.look), self.take)
        self.redraw()

    # work

    def wait_for(self, work: Work | None) -> None:
        """Start the page's work after a pause without keys."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        if work is not None and not work.after and not self._is_working:
            self._is_working = True
            self.call_after_refresh(self.begin_work, work)  # what is shown is painted first
        elif work is not None and not self._is_working:
            self._waiting = self.set_timer(work.after, lambda: self.begin_work(work))

    def begin_work(self, work: Work) -> None:
        self._is_working = True

        def run() -> Any:
            worker = get_current_worker()
            result = work.do(lambda: worker.is_cancelled)
            return lambda: work.taken(result)

        self.run_worker(run, thread=True, group="page", exclusive=True, exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.group != "page" or not event.worker.is_finished:
            return
        self._is_working = False
        self.note = ""
        if event.state is WorkerState.SUCCESS:
            self.take(cast("Callable[[], Any]", event.worker.result)())
        elif event.state is WorkerState.ERROR:
            self.take(sentence(event.worker.error))

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
        select = None if self.page is None else self.page.select
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
        elif event.y in (0, self.size.height - 1) and self.page is not None:
            hint = next((part for part in HINT.finditer(line) if x in range(*part.span())), None)
            glyphs, text = self.look.glyphs, self.look.glyphs.text
            for key in self.page.keys:
                is_told = bool(key.key or key.signs)
                if hint and is_told and hint[0] == f"{closed(shown(key), glyphs)} {text(key.word)}":
                    self.do(key)
                    break
        else:
            lab_app(self).explain(line, x)

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
        if self.asked is not None:
            return self.asked.word, self.line.value
        typing = None if self.page is None else self.page.typing
        return (typing.label, typing.text) if typing is not None and typing.is_open else None

    def ask(self, key: Key) -> None:
        self.asked, self.note = key, key.asks
        self.line.value = key.given
        self.line.selection = Selection(0 if key.is_proposal else len(key.given), len(key.given))
        self.redraw()

    def answer(self) -> None:
        """Submit the answer; after a refusal the question stays open."""
        key, self.asked = self.asked, None
        assert key is not None
        try:
            self.note = ""
            self.take(key.do(self.line.value))
        except UsageError as error:
            self.asked = key
            self.take(sentence(error))

    def place_line(self) -> None:
        """Show or hide the line above the footer."""
        typed = self.typed
        self.line.display = typed is not None
        if typed is None:
            if self.focused is not None:
                self.set_focus(None)
            return
        label, text = typed
        kept = 0 if self.page is None else self.page.kept
        self.line.styles.offset = (len(label) + 3, self.size.height - 2 - kept)
        self.line.styles.width = self.size.width - len(label) - 3
        if self.line.value != text:
            with self.line.prevent(Input.Changed):
                self.line.value = text
            self.line.cursor_position = len(text)
        if self.focused is not self.line:
            self.set_focus(self.line)

    def on_input_changed(self, event: Input.Changed) -> None:
        typing = None if self.page is None else self.page.typing
        if self.asked is None and typing is not None and event.value != typing.text:
            typing.type(event.value)
            self.redraw()

    def on_paste(self, event: events.Paste) -> None:
        typing, lines = None if self.page is None else self.page.typing, event.text.splitlines()
        if typing is not None and self.typed is None and lines:
            typing.type(lines[0])
            self.redraw()


def top(page: Page, columns: int, pen: Pen) -> Line:
    """Return the first line: the title, and as many fields as fit."""
    tag = f"tag {page.name}"
    head: Line = (("afterstate ", "strong"),) if columns >= WIDE or not page.tabs else ()
    for sign, name in page.tabs:
        is_here = name == page.name.lower()
        roles = ("tag TAB", "tag TAB") if is_here else ("key", "dim")
        name = page.name if is_here else name
        head = (*head, (f" {sign}", roles[0]), (f" {name} ", roles[1]))
    head = pen.line(head if page.tabs else (*head, (f" {page.name} ", tag)))
    right = (*pen.line(page.right), *blank(1))
    line: Line = head if page.tabs and columns < WIDE else (*blank(1), *head, *blank(1))
    room = columns - width(line) - width(right) - 1
    count = 4 if taken(shortened(page.title[:4], room)) <= room else 3
    for label, value in (*shortened(page.title[:count], room), *page.title[count:]):
        more = (*blank(2), *pen.line(((f"{label} ", MARKS.get(label, "dim")), (value, "text"))))
        if width(line) + width(more) + width(right) + 1 > columns:
            break
        line = (*line, *more)
    return on(spread(line, right, columns), "bar")


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
    return Help(page.name.lower(), [(page.name, told), ("every page", OWN)])


def lines_of(page: Page, columns: int, rows: int, pen: Pen) -> Iterator[str]:
    """Yield a page as text, without Textual, for snapshots."""
    body = pasted(list(placed(page.body, columns, rows - 2, pen)), rows - 2, pen)
    for line in (top(page, columns, pen), *body, footer(page, columns, pen)):
        yield "".join(text for text, _ in line).rstrip()
