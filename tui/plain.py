"""Plain mode: the lab without a screen, a line in, some lines out; and any page in sentences."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING
from afterstate_lab.learners.runs.replay import OpenedRun
from afterstate_lab.learners.tape.run import Run, Seating
from afterstate_lab.learners.training import Goal
from afterstate_lab.tui.blocks import Block, Cells, Log, Stack, Table, Text, joined, spoken
from afterstate_lab.tui.desk import Desk, Sheet, close, take
from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.commands import gone
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    AGREED,
    GIVEN_UP,
    REFUSED,
    Copy,
    Key,
    Running,
    Train,
    Work,
    sentence,
    with_keys,
)
from afterstate_lab.tui.lab.panes import results_words, stats_view, until_unbeatable
from afterstate_lab.tui.lab.scripts.script import MARK, Script
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.pages.explain import explanation
from afterstate_lab.tui.pages.lab import lab_page
from afterstate_lab.tui.pages.line import (
    WHERE,
    Line,
    done,
    help_lines,
    is_digits,
    lab_name,
    named,
    nearest,
    read,
    word_of,
)
from afterstate_lab.tui.pages.page import Leave, Page
from afterstate_lab.tui.progress import ended_by_signals, in_thread, load
from afterstate_lab.tui.theme.numerals import games_text, seconds_text

NO_COMMAND: Final = "is neither a move nor a command"
NO_MORE: Final = "The list has no more rows."
QUOTED: Final = 16
"""Maximum number of characters of an unknown line that are quoted."""
SAY_SECONDS: Final = 5.0
"""Minimum time between two lines about running work."""
ROWS: Final = 5
"""Rows of a table that are printed at a time."""
LATEST: Final = 12
"""Lines of the log that are news at most."""
Said = list[tuple[str, ...]]
"""The fields of a title, then paragraphs: a board is one, of other blocks each sentence."""

Tell = Callable[[str], None]
"""Prints a line at once."""


class Dialogue(Desk):
    """A conversation between a user and the lab; after a line, it says what is new on the page.

    Args:
        run: the first run.
        autosave: None saves nothing.
        print_now: prints a line at once, during long work.
    """

    def __init__(
        self, run: Run, *, autosave: Autosave | None = None, print_now: Tell = lambda line: None
    ) -> None:
        self.session = Session(run)
        self.controller = LabController(self.session.settings, autosave)
        self.controller.session = self.session
        if autosave is not None:
            autosave.adopt(self.session)
        self.sheets = [Sheet(lambda: lab_page(self.controller, lambda *given: None))]
        self.print_now = print_now
        self.lines: list[str] = []
        """The reply to the current line, or to the last."""

    @property
    def prompt(self) -> str:
        """The prompt for the next line."""
        if self.session.mode is Mode.STEP:
            return "stepping (h for help): "
        if not self.session.game_goes_on:
            return "n for a new game, h for help: "
        return f"{self.session.board.to_move}, your move (h for help): "

    @property
    def page(self) -> Page:
        """The front page, and the step of a lesson below it."""
        page, guide = self.front.make(), self.controller.guide
        if guide is None:
            return page
        step, todo = guide.step, f"Type: {guide.step.to_do.replace(MARK, '')}"
        if step.question is not None:
            asked = spoken(step.question[0])
            todo = f"{asked[:1].upper()}{asked[1:]}? Type answer, and what you say."
        elif todo[-1] not in "?!.":
            todo += "."
        title = f"step {guide.number + 1}/{len(guide.lesson.steps)} {step.title}"
        card = Text((guide.text.replace(MARK, ""), todo), title=title)
        return replace(page, body=Stack((page.body, card)))

    # the desk

    def tell(self, told: str, sheet: Sheet) -> None:
        if isinstance(told, Copy):
            self.lines.append(told)
        elif told:
            text = with_keys(told, word_of)
            self.lines.append(text if text.endswith(".") else sentence(text))

    def ask(self, question: Key) -> None:
        if question.usage:
            self.lines.append(with_keys(question.usage, word_of))
        else:
            self.front.asked = question
            self.lines.append(f"{sentence(question.word)} {sentence(question.asks)}")

    def run(self, work: Work | Train, sheet: Sheet) -> None:
        if isinstance(work, Train):
            self.train(work.goal)
        else:
            take(self, self.worked(work), sheet)

    def help(self, word: str) -> None:
        lines = [line for one in named(word) for line in (f"{one.names}: {one.says}", *one.usage)]
        hint = nearest(word) or "; help alone lists all words."
        unknown = [f"There is no help on {shown(word, QUOTED)}{hint}"]
        self.lines += (lines or unknown) if word else help_lines(self.session.mode)

    def explain(self, asked: str) -> None:
        self.lines += explanation(self.session, asked)

    # lines

    def begin(self, opened: OpenedRun | Script | None = None) -> list[str]:
        """Begin a game or a lesson, or continue a run."""
        lab = self.controller
        if opened is None:
            return self.reply(self.session.new_game)
        if isinstance(opened, Script):
            return self.reply(lambda: lab.begin_lesson(opened))
        return self.reply(lambda: lab.resume(opened))

    def answer(self, line: str) -> list[str]:
        """Do what a line asks for; return the reply."""
        text = " ".join(line.split())
        is_in_game = len(self.sheets) == 1 and self.session.mode is not Mode.STEP
        if text in ("again", "a") or (not text and is_in_game and not self.front.asked):
            return self.lines
        return self.reply(lambda: self.do(text))

    def reply(self, do: Callable[[], Any]) -> list[str]:
        """Do something, and return the messages about it and what is new on the front page."""
        self.lines = []
        front = self.front
        try:
            outcome = do()
            take(self, outcome, front)
            take(self, self.controller.follow(), self.sheets[0])
            if isinstance(outcome, Leave):
                self.front.said[:1] = [()] * bool(self.front.said)
        except UsageError as error:
            self.tell(sentence(error), front)
        self.lines += ["Bye."] if self.controller.is_over else self.news()
        self.lines = [*self.lines, *self.saved()] or ["Nothing changed."]
        return self.lines

    def news(self, *, asked: bool = False) -> list[str]:
        """Return what the front page says and did not say before, or everything, after its work."""
        front, is_lab = self.front, self.front is self.sheets[0]
        result = [] if is_lab and not asked else self.finish()
        before, page = [] if asked else front.said, self.page
        front.said = told(page)
        says = say(page) if asked else news(front.said, before)
        return [*result, *says, *[ways(page)] * (not is_lab and not before)]

    def do(self, text: str) -> Any:
        """Do what a line asks for; return the outcome."""
        key, self.front.asked = self.front.asked, None
        if key is not None:
            answer = text.removeprefix(f"{key.word} ").strip()
            if key.given not in AGREED or answer.lower() in (*AGREED, *REFUSED):
                return key.do(answer)
        page, is_lab = self.page, self.front is self.sheets[0]
        if not text and not is_lab:
            self.front.row = 0
            self.lines += self.news(asked=True)
            return None
        if text in ("m", "more"):
            self.front.row += ROWS
            tables = (one for one in page.blocks if isinstance(one, Table))
            rows = [one for one in tables if self.front.row < one.count]
            self.lines += [line for one in rows for line in said(one, self.front.row)] or [NO_MORE]
            return None
        mode = self.session.mode
        in_lab: Callable[[], Any] | None = None
        if mode is Mode.PLAY and is_digits(text):
            in_lab = partial(self.controller.mark, int(text[:9]) - 1)
        elif asked := read(text or "next", mode):
            in_lab = partial(self.command, asked)
        act = in_lab if is_lab else self.act_of(page, text)
        if act is not None:
            return act()
        part = [block for block in page.blocks if text in joined(block.title).split()]
        if part and in_lab is None:
            self.lines += [line for block in part for line in said(block)]
            return None
        if is_lab:
            return self.unknown(text)
        if not is_digits(text):
            if in_lab is not None:
                close(self, self.sheets[1])
                return in_lab()
            self.lines.append(self.unknown(text))
        return ways(page)

    def act_of(self, page: Page, text: str) -> Callable[[], Any] | None:
        """Return what a line does on a page; None for an unknown word."""
        found = [key for key in page.keys if key.word and f"{text} ".startswith(f"{key.word} ")]
        key = max(found, key=lambda key: len(key.word), default=None)
        rest = text if key is None else text[len(key.word) :].strip()
        if key is not None and key.asks:
            return lambda: key.do(rest) if rest else key
        if rest.isdecimal() and page.window is not None:
            return lambda: self.choose(page, rest, key)
        if key is not None:
            return None if rest else key.do
        sign = "full_stop" if text[:1] == "." else text[:1]
        digit = next((one for one in page.keys if sign in one.key.split()), None)
        if digit is None or not (sign.isdecimal() or sign == "full_stop"):
            return None

        def press() -> Any:
            """Press the key of a digit; if it begins an answer, give the whole."""
            outcome = digit.do()
            return outcome.do(text) if isinstance(outcome, Key) else outcome

        return press

    def choose(self, page: Page, number: str, key: Key | None) -> Any:
        """Choose a row by its number, say it, and press a key there."""
        assert page.window is not None
        if not 0 < int(number[:9]) <= page.window.count:
            raise UsageError(f"choose a row from 1 to {page.window.count:,}")
        page.window.cursor = int(number) - 1
        block = next(block for block in self.page.blocks if block.window is not None)
        row = f"{page.window.cursor + 1}. "
        self.lines += islice((line for line in block.say() if line.startswith(row)), 1)
        return None if key is None else key.do()

    def command(self, asked: Line) -> None:
        """Do a command of the lab."""
        lab = self.controller
        take(self, done(lab, asked), self.front)
        lab.note(lab_name(asked.command))
        if asked.command.name == "where":
            self.lines += self.news(asked=True)

    def unknown(self, text: str) -> str:
        """Return a sentence about an unknown line."""
        word, _, _ = text.partition(" ")
        if is_digits(word):
            return "A number alone marks a cell, 1 to 9, while you play; play goes to your game."
        for command in named(word):
            where = WHERE[min(command.within, key=list(Mode).index)]
            return f"{command.line} works {where}."
        if told := gone(word):
            return told
        hint = nearest(word) or "; help lists all words."
        return f"{shown(word.lower(), QUOTED)} {NO_COMMAND}{hint}"

    # work, training and saving

    def finish(self) -> list[str]:
        """Wait for the work of the front page, and report progress; return its result."""
        shown, result = "", []
        while (work := self.page.work) is not None:
            time.sleep(work.after)
            outcome = self.worked(work)
            result = [sentence(outcome)] if isinstance(outcome, str) and outcome else []
            if (now := joined(self.page.right)) != shown and now:
                shown = now
                self.print_now(sentence(spoken(now)))
            if outcome is GIVEN_UP:  # else it would begin again
                break
        return result

    def worked(self, work: Work) -> Any:
        """Return the outcome of work; Ctrl-C ends only the work."""
        running = Running(work, say=now_and_then(self.print_now))
        with interruptible(running.stop):
            if work.run is not None and work.run.games >= WORTH_COMPILING:
                work.run.kernel(Seating()).compile(recording=True)
            found = work.do(running)
        return GIVEN_UP if running() else work.taken(found)

    def saved(self) -> list[str]:
        """Save the run; return what to print."""
        autosave = self.controller.autosave
        if autosave is None:
            return []
        if self.controller.capture():
            autosave.write()
        return list(filter(None, [autosave.news()]))

    def train(self, goal: Goal) -> None:
        """Train until the goal, or Ctrl-C."""
        session, until = self.session, goal.until_unbeatable
        if not (session.run.x.learns or session.run.o.learns):
            self.lines.append("Neither player learns, so there is nothing to train.")
            return
        dropped = session.owes_a_move
        training, say = session.begin_training(goal), now_and_then(self.print_now)

        def look() -> None:
            session.look_at_training()
            for line in self.saved():
                self.print_now(line)
            now = training.snapshot
            if until:
                say(f"{games_text(now.done)} so far: {until_unbeatable(session)}.")
            else:
                left = now.seconds_left
                soon = "" if left is None else f", {seconds_text(left)} left"
                say(f"{now.done:,} of {games_text(goal.games)}{soon}.")

        long = "until neither can be beaten" if until else games_text(goal.games)
        with interruptible(training.stop):
            self.print_now(f"Training {long}; Ctrl-C stops it and keeps what was learned.")
            try:
                load(session.run, goal.games)
                in_thread(training.work, look)
            except Exception as error:
                # A rule of the user's own may fail in any way; what was learned before stays.
                self.lines.append(sentence(f"training failed: {error}"))
            last = training.snapshot
            proved = self.controller.end_training()
            session.mode = Mode.WATCH
            saved = self.saved()
        is_short = bool(last.beatable and not last.gave_up) if until else last.done < goal.games
        self.lines.append(
            f"{'Stopped after' if is_short else 'Trained'} {games_text(last.done)} in "
            f"{last.seconds:.1f} seconds: {results_words(last.results)}"
        )
        take(self, proved, self.sheets[0])
        self.lines += stats_view(session).say()
        self.lines += [*saved, *["Your game was dropped."] * dropped]


def ways(page: Page) -> str:
    """Return the words of a page's keys."""
    words = [f"{key.word} {'...' if key.asks else ''}".strip() for key in page.keys if key.word]
    chooses = "; a number chooses a row" if page.window is not None else ""
    return f"You can say {', '.join(dict.fromkeys(words))}{chooses}."


def now_and_then(tell: Tell) -> Tell:
    """Return a function that prints a line if the previous one is old enough."""
    told_at = time.monotonic()

    def say(line: str) -> None:
        nonlocal told_at
        now = time.monotonic()
        if now - told_at >= SAY_SECONDS:
            told_at = now
            tell(line)

    return say


@contextmanager
def interruptible(stop: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C only stop the work; after it, a termination or hangup ends the program."""
    with ended_by_signals(stop) as came:
        yield
    for number in came:
        if number != signal.SIGINT:
            signal.raise_signal(number)


# a page in sentences


def say(page: Page) -> Iterator[str]:
    """Yield a whole page in sentences."""
    return news(told(page, asked=True), [])


def told(page: Page, *, asked: bool = False) -> Said:
    """Return what a page says, with the blocks that are read out only when asked for, or without.

    Args:
        page: the page.
        asked: whether the user asked for the whole page.
    """
    fields = [page.name.lower(), *(f"{label} {value}" for label, value in page.title)]
    right = joined(page.right).strip("‖▶ ")
    blocks = [block for block in page.blocks if asked or not block.is_asked]
    found = [tuple(field for field in (*fields, right) if field)]
    for block in blocks:
        latest = None
        if isinstance(block, Log) and not asked:
            block, latest = replace(block, lines=block.lines[block.earlier :]), -LATEST
        head = ", ".join(text for text in (joined(block.title), joined(block.right)) if text)
        lines = [sentence(spoken(head.replace("?,", "?")))] * (head not in ("", page.name.lower()))
        if isinstance(block, Table):
            found += [*((line,) for line in lines), tuple(said(block))]
            continue
        lines += said(block)
        found += (
            [tuple(lines)] if isinstance(block, Cells) else [(line,) for line in lines][latest:]
        )
    return [*found, *[(sentence(page.note),)] * bool(page.note)]


def news(now: Said, before: Said) -> Iterator[str]:
    """Yield what a page says now and did not say before."""
    fields = [field for field in now[0] if not before or field not in before[0]]
    if fields:
        yield sentence(spoken(", ".join(fields)))
    known = Counter(before[1:])
    for paragraph in now[1:]:
        known[paragraph] -= 1
        if known[paragraph] < 0:
            yield from filter(None, paragraph)


def said(block: Block, start: int = 0) -> Iterator[str]:
    """Yield a block in sentences, of a table a few rows."""
    if not isinstance(block, Table) or block.window is None or block.message:
        yield from block.say()
        return
    end = min(start + ROWS, block.count)
    yield from (f"{n + 1}. {block.said(n)}" for n in range(start, end))
    if end < block.count:
        yield f"{block.count - end:,} more: m shows them."
