"""The lab without a screen: a line in, some lines out."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.seating import Seating
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.blocks.stats import results_words
from afterstate_lab.tui.blocks.table import Table
from afterstate_lab.tui.gone import gone
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    Copy,
    Key,
    Message,
    Open,
    Outcome,
    Request,
    Running,
    Train,
    Work,
    sentence,
)
from afterstate_lab.tui.lab.panes import side_stats, until_unbeatable
from afterstate_lab.tui.lab.resume_hint import games_text
from afterstate_lab.tui.lab.scripts.script import Script
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.pages import page_of
from afterstate_lab.tui.pages.be import Quiz
from afterstate_lab.tui.pages.explain import explanation
from afterstate_lab.tui.pages.home import ABOUT, WAYS, place_of
from afterstate_lab.tui.pages.line import (
    WHERE,
    done,
    help_lines,
    is_number,
    lab_name,
    named,
    nearest,
    read,
    short_words,
    word_of,
)
from afterstate_lab.tui.pages.page import Answered, Leave, Opened, Page, left
from afterstate_lab.tui.pages.setup import rule_lines
from afterstate_lab.tui.plain.says import ROWS, SHOWN, lesson_lines, paragraphs, said, say, where
from afterstate_lab.tui.progress import Stoppable, ended_by_signals, load, watched
from afterstate_lab.tui.theme.numerals import seconds_text

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.runs.replay import OpenedRun
    from afterstate_lab.learners.training import Goal, Snapshot, Training
    from afterstate_lab.tui.lab.autosave import Autosave

NO_COMMAND: Final = "is neither a move nor a command"
NO_MORE: Final = "The list has no more rows."
GIVEN_UP: Final = "Given up."
QUOTED: Final = 16
"""Maximum number of characters of an unknown line that are quoted."""
SAY_SECONDS: Final = 5.0
"""Minimum time between two lines about running work."""

Tell = Callable[[str], None]
"""Prints a line at once."""


class Reader:
    """Pages in plain mode: takes a line, returns sentences.

    Args:
        tell: prints progress while something is still running.
        make: makes the first page.
    """

    def __init__(self, tell: Tell, make: Callable[[], Page] | None = None) -> None:
        self.tell = tell
        self.pages: list[Opened] = []
        """The makers of the open pages, the front page last, and the receivers of their answers."""
        self.asked: Key | None = None
        """The key that waits for an answer."""
        self.row = 0
        self._before: set[str] = set()
        if make is not None:
            self.pages.append((make, None))

    @property
    def page(self) -> Page:
        return self.pages[-1][0]()

    def whole(self) -> list[str]:
        """Return the whole page, after its work."""
        return [*self.finish(), *say(self.page)]

    def push(self, make: Callable[[], Page], answered: Answered = None) -> list[str]:
        """Open a page in front."""
        self.pages.append((make, answered))
        self.row = 0
        return self.whole()

    def do(self, line: str) -> list[str] | None:
        """Do what a line asks for; return the reply, or None for an unknown word."""
        page, text = self.page, " ".join(line.split())
        self._before = set(say(page))
        key, self.asked = self.asked, None
        try:
            if key is not None:
                return self.take(key.do(text))
            if text in ("", "m", "more"):
                self.row = self.row + ROWS if text else 0
                return list(say(page, self.row)) if not text else self._rows(page)
            if text.isdecimal() and page.window is not None:
                self._choose(page, text)
                blocks = (block for block in self.page.blocks if block.window is not None)
                return [next(islice(next(blocks).say(), page.window.cursor, None))]
            return self._word(page, text)
        except UsageError as error:
            return [refused(error)]

    def _rows(self, page: Page) -> list[str]:
        blocks = [one for one in page.blocks if isinstance(one, Table) and self.row < one.count]
        return [line for block in blocks for line in said(block, self.row)] or [NO_MORE]

    def _choose(self, page: Page, number: str) -> None:
        assert page.window is not None
        if not 0 < int(number[:9]) <= page.window.count:
            raise UsageError(f"choose a row from 1 to {page.window.count:,}")
        page.window.cursor = int(number) - 1

    def _word(self, page: Page, text: str) -> list[str] | None:
        found = [key for key in page.keys if key.word and f"{text} ".startswith(f"{key.word} ")]
        key = max(found, key=lambda key: len(key.word), default=None)
        if key is None:
            return None
        rest = text[len(key.word) :].strip()
        if rest.isdecimal() and not key.asks and page.window is not None:
            self._choose(page, rest)
        elif rest and not key.asks:
            return None
        if key.asks and not rest:
            self.asked = key
            return [f"{sentence(key.word)} {sentence(key.asks)}"]
        return self.take(key.do(rest) if key.asks else key.do())

    def take(self, outcome: Any) -> list[str]:
        """Return the reply to an outcome."""
        if isinstance(outcome, Leave):
            _, answered = self.pages.pop()
            told = self.take(found) if (found := left(outcome, answered)) is not None else []
            return told or (list(say(self.page)) if self.pages else [])
        if isinstance(outcome, Copy):
            return [outcome.text]
        if isinstance(outcome, str) and outcome:
            return [sentence(outcome)]
        if isinstance(outcome, Key):
            self.asked = None if outcome.usage else outcome
            return [outcome.usage or sentence(outcome.asks)]
        if isinstance(outcome, Work):
            return self.take(self.worked(outcome))
        if callable(outcome):
            return self.push(outcome)
        if not self.pages:
            return []
        before = self._before
        return [
            *self.finish(),
            *([one for one in say(self.page) if one not in before] or ["Nothing changed."]),
        ]

    def finish(self) -> list[str]:
        """Wait for the page's work, and report progress; return its result."""
        told, result = "", []
        while (work := self.page.work) is not None:
            time.sleep(work.after)
            outcome = work.taken(work.do(Running(work)))
            result = [sentence(outcome)] if isinstance(outcome, str) and outcome else []
            if (now := joined(self.page.right)) != told and now:
                told = now
                self.tell(sentence(spoken(now)))
        return result

    def worked(self, work: Work) -> Any:
        """Return the outcome of work; Ctrl-C ends only the work."""
        running = Searching(work, self.tell)
        with interruptible(running):
            if work.run is not None and work.run.games >= WORTH_COMPILING:
                work.run.kernel(Seating()).compile(recording=True)
            found = work.do(running)
        return GIVEN_UP if running() else work.taken(found)


class Dialogue(Reader):
    """A conversation between a user and the lab; after a word, it shows what is new.

    Args:
        run: the first run.
        show: what to print before the other side moves: `values`, `exact` or `none`.
        autosave: None saves nothing.
        tell: prints a line at once, during long work.
    """

    def __init__(
        self,
        run: Run,
        show: str = "values",
        *,
        autosave: Autosave | None = None,
        tell: Tell = lambda line: None,
    ) -> None:
        super().__init__(tell)
        self.is_over = False
        self.session = Session(run)
        self.controller = LabController(self.session.settings, autosave)
        self.controller.session = self.session
        self.controller.shows = show
        if autosave is not None:
            autosave.leave_unsaved(self.session)
        self._last: list[str] = []
        self._shown: tuple[Run, Mode, dict[Hashable, tuple[str, ...]]] = run, Mode.PLAY, {}
        """The run, the mode, and what was shown of it."""

    @property
    def prompt(self) -> str:
        """The prompt for the next line."""
        if self.session.mode is Mode.STEP:
            return "stepping (h for help): "
        if not self.session.game_goes_on:
            return "n for a new game, h for help: "
        return f"{self.session.board.to_move}, your move (h for help): "

    def begin(self, opened: OpenedRun | Script | None = None) -> list[str]:
        """Begin a game or a lesson, or continue a run."""
        lab, told = self.controller, []
        if opened is None:
            self.session.new_game()
        elif isinstance(opened, Script):
            try:
                told = self.take(lab.lessons.begin(opened))
            except UsageError as error:
                told = [refused(error)]
        else:
            told = [*self.take(lab.resume(opened)), *self.place()]
        news = self.news()
        self._last = [*told, *(news if opened is None or isinstance(opened, Script) else [])]
        return self._last

    def answer(self, line: str) -> list[str]:
        """Do what a line asks for; return the reply."""
        text, lab = " ".join(line.split()), self.controller
        told = self._quizzed(text)
        if told is None and self.pages:
            told = self.do(text)
            if told is None:
                self.pages.clear()
            elif not self.pages:
                told = [*told, *self.news()] or self.place()
        if told is None and self.asked is not None:
            key, self.asked = self.asked, None
            told = self._done("", map(key.do, [text]))
        if told is None:
            if not text and self.session.mode is not Mode.STEP:
                return self._last
            asked = read(text or "next", self.session.mode)
            if self.session.mode is Mode.PLAY and is_number(text):
                told = self._done("cell", map(lab.mark, [int(text[:9]) - 1]))
            elif asked is None:
                return [self._unknown(text)]
            elif asked.command.name == "again":
                return self._last
            else:
                told = self._done(lab_name(asked.command), done(lab, asked))
        self._last = [*told, *self._saved()]
        return self._last

    def _done(self, name: str, outcomes: Iterable[Outcome]) -> list[str]:
        """Return the reply to the outcomes of a command, and what is new."""
        lab, told = self.controller, []
        was_guided, quiz = lab.lessons.guide is not None, lab.current_quiz
        try:
            for outcome in outcomes:
                told += [] if outcome is None else self.take(outcome)
        except UsageError as error:
            return [*told, refused(error)]
        told += SHOWN[name](lab) if name in SHOWN else ()
        lab.lessons.note(name)
        if (followed := lab.lessons.follow()) is not None:
            told += self.take(followed)
        if was_guided and lab.lessons.guide is None:
            told.append("The lesson is over; lessons lists them all.")
        known, news = self._shown[2], self.news()
        if self.pages or name in SHOWN or lab.current_quiz is not quiz:  # it asks what is new
            return [*told, *self.lesson(known)]
        return [*told, *news] or self.place()

    def lesson(self, known: Container[Hashable] = ()) -> list[str]:
        """Return the step of the lesson, if any, without known paragraphs."""
        guide = self.controller.lessons.guide
        told = [] if guide is None else lesson_lines(guide)
        return [line for lines in told if lines not in known for line in lines]

    def place(self, known: Container[Hashable] = ()) -> list[str]:
        """Return where you are, and the step of the lesson."""
        lesson = self.lesson(known)
        is_brief = bool(lesson) and self.session.mode is not Mode.STEP
        return [*(() if is_brief else where(self.controller, is_brief=True)), *lesson]

    def news(self) -> list[str]:
        """Return what the lab shows and did not show before; of another run, where you are."""
        session, (run, mode, before) = self.session, self._shown
        now = paragraphs(self.controller)
        self._shown = session.run, session.mode, now
        is_game = session.mode is Mode.PLAY
        if is_game and not session.script and len(session.timeline.rows):
            before = before if run is session.run else {}  # the other side has opened
        elif run is not session.run or (is_game and mode is not Mode.PLAY):
            return self.place(before)
        return [line for key, lines in now.items() if key not in before for line in lines]

    def _quizzed(self, text: str) -> list[str] | None:
        """Return the reply to an answer by hand; None if the line is not one."""
        quiz: Quiz | None = self.controller.current_quiz
        if quiz is None:
            return None
        told = quiz.answered(text)
        if quiz.answers.is_over:
            self.controller.current_quiz = None
        return told

    def close(self) -> None:
        if self.controller.autosave is not None:
            self.controller.autosave.finish(self.session)

    def take(self, outcome: Any) -> list[str]:
        if isinstance(outcome, Message):
            text = outcome.named(word_of).text
            return [text if text.endswith(".") else sentence(text)] if text else []
        if isinstance(outcome, Key) and outcome.usage:
            return [Message(outcome.usage).named(word_of).text]
        if isinstance(outcome, Train):
            return self._trained(outcome.goal)
        if isinstance(outcome, Open):
            return self._opened(outcome)
        if outcome is Request.QUIT:
            self.is_over = True
            return ["Bye."]
        return super().take(outcome)

    def _opened(self, what: Open) -> list[str]:
        if what.page == "help":
            return self._help(what.text)
        if what.page == "home":
            return home(self.session)
        if what.page == "explain":
            return explanation(self.session, what.text)
        if what.page == "be":
            self.controller.current_quiz = quiz = Quiz(what.data)
            return quiz.lines()
        return self.push(*page_of(self.controller, what))

    def _help(self, text: str) -> list[str]:
        if not text:
            return list(help_lines(self.session.mode))
        words = named(text)
        lines = [line for word in words for line in (f"{word.names}: {word.says}", *word.usage)]
        lines = lines or rule_lines(text.lower())
        if lines:
            return lines
        near = nearest(text)
        hint = f": did you mean help {near}?" if near else "; help alone lists all words."
        return [f"There is no help on {shown(text, QUOTED)}{hint}"]

    def _unknown(self, text: str) -> str:
        """Return a sentence about an unknown line."""
        word, _, rest = text.partition(" ")
        text = word.lower() if rest else text.lower()
        is_playing = self.session.mode is Mode.PLAY
        if is_number(word):
            alone = "A number alone marks a cell, 1 to 9."
            marks = (
                "A number marks a cell while you play; play goes to your game, help lists words."
            )
            return alone if is_playing else marks
        for command in named(word):
            where = WHERE[min(command.within, key=list(Mode).index)]
            return f"{command.line} works {where}."
        if told := gone(word):
            return told
        near = nearest(word)
        if near:
            return f"{shown(text, QUOTED)} {NO_COMMAND}: did you mean {near}?"
        cells = "1 to 9, " if is_playing else ""
        letters = ", ".join(short_words(self.session.mode))
        return f"{shown(text, QUOTED)} {NO_COMMAND}: {cells}{letters} or q."

    def _saved(self) -> list[str]:
        """Save the run; return what to print."""
        autosave = self.controller.autosave
        if autosave is None:
            return []
        if self.controller.capture():
            autosave.write()
        return [sentence(message.text) for message in autosave.news() if message.text]

    def _trained(self, goal: Goal) -> list[str]:
        """Train until the goal, or Ctrl-C; return what it changed."""
        session, until = self.session, goal.until_unbeatable
        if not (session.run.x.learns or session.run.o.learns):
            return ["Neither player learns, so there is nothing to train."]
        mode, dropped = session.mode, session.owes_a_move
        told: list[str] = []
        before = {line for side in map(side_stats, "XO", session.evaluation) for line in side.say()}
        training, say = session.begin_training(goal), now_and_then(self.tell)

        def look(training: Training) -> None:
            session.look_at_training()
            for line in self._saved():
                self.tell(line)
            say(
                f"{games_text(training.snapshot.done)} so far: {until_unbeatable(session)[0]}."
                if until
                else progress(training.snapshot)
            )

        long = "until neither can be beaten" if until else games_text(goal.games)
        with interruptible(training):
            self.tell(f"Training {long}; Ctrl-C stops it and keeps what was learned.")
            try:
                load(session.run, goal.games)
                watched(training, look, bar=False)
            except Exception as error:
                # A rule of the user's own may fail in any way; what was learned before stays.
                told = [sentence(f"training failed: {error}")]
            last = training.snapshot
            proved = self.controller.end_training()
            session.mode = Mode.STEP if mode is Mode.STEP else Mode.WATCH
            saved = self._saved()
        is_short = bool(last.beatable and not last.gave_up) if until else last.done < goal.games
        told += [
            f"{'Stopped after' if is_short else 'Trained'} {games_text(last.done)} in "
            f"{last.seconds:.1f} seconds: {results_words(last.results)}",
            *self.take(proved),
            *(
                line
                for side in map(side_stats, "XO", last.evaluation)
                for line in side.say()
                if line not in before
            ),
        ]
        self.news()
        return [*told, *saved, *["Your game was dropped."] * dropped]


def refused(error: UsageError) -> str:
    """Return the sentence of an error, with the commands' words."""
    return Message(sentence(error)).named(word_of).text


class Searching(Running):
    """Work that prints its progress."""

    def __init__(self, work: Work, tell: Tell) -> None:
        super().__init__(work)
        self._say = now_and_then(tell)

    def tell(self, part: float) -> None:
        self._say(f"{part:.0%} searched; Ctrl-C gives up.")


def now_and_then(tell: Tell, clock: Callable[[], float] = time.monotonic) -> Tell:
    """Return a function that prints a line if the previous one is old enough."""
    told_at = clock()

    def say(line: str) -> None:
        nonlocal told_at
        if clock() - told_at >= SAY_SECONDS:
            told_at = clock()
            tell(line)

    return say


@contextmanager
def interruptible(work: Stoppable) -> Iterator[None]:
    """Let Ctrl-C end only the work; after it, a termination or hangup ends the program."""
    with ended_by_signals(work) as came:
        yield
    for number in came:
        if number != signal.SIGINT:
            signal.raise_signal(number)


def progress(snapshot: Snapshot) -> str:
    """Return the progress of a training run."""
    left = snapshot.seconds_left
    soon = "" if left is None else f", {seconds_text(left)} left"
    return f"{snapshot.done:,} of {games_text(snapshot.goal.games)}{soon}."


def seated_run(x: PlayerSpec, o: PlayerSpec, seed: int) -> Run:
    """Return a run with a seat for a person, or raise `UsageError` without one."""
    if not (x.rule.human or o.rule.human):
        raise UsageError("play needs a person on one side: --x human or --o human")
    return Run.of(x, o, seed)


def home(session: Session) -> list[str]:
    """Describe the lab, and the ways into it."""

    ways = [
        f"{word_of('lessons' if name == 'lesson' else name)}: {says}"
        for name, (_, says) in WAYS.items()
    ]
    return [ABOUT, place_of(session), *ways, "runs: continue an earlier run."]
