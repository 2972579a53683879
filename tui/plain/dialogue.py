"""The lab without a screen: a line in, some lines out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.runs.replay import OpenedAddress
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.commands import Plain, Screen
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.lazy_session import LazySession
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    Copy,
    Key,
    Message,
    MessageKind,
    Open,
    Outcome,
    Request,
    Steps,
    Train,
    Work,
    is_refusal,
    sentence,
)
from afterstate_lab.tui.lab.playing import mark_cell
from afterstate_lab.tui.lab.scripts.script import Script
from afterstate_lab.tui.lab.session import PlainSession
from afterstate_lab.tui.pages.line import (
    WHERE,
    Line,
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
from afterstate_lab.tui.pages.page import page_of
from afterstate_lab.tui.pages.setup import rule_lines
from afterstate_lab.tui.plain.narrator import Narrator
from afterstate_lab.tui.plain.pages import Reader

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.runs.listing import LoadedRun
    from afterstate_lab.tui.lab.autosave import Autosave
    from afterstate_lab.tui.pages.quiz import Quiz

HELP: Final = tuple(help_lines(Mode.PLAY))
"""Help for a person who plays."""
ASIDE: Final = "You now explore on your own: walkthrough, or l, returns to the walkthrough."
NO_COMMAND: Final = "is neither a move nor a command"
QUOTED: Final = 16
"""Maximum number of characters of an unknown line that are quoted."""
MARKED: Final = Plain("", tells="move")
"""A cell marked by its number."""
NOTHING: Final = Plain("")


def silent(line: str) -> None:
    """Print nothing."""


class Dialogue:
    """A conversation between a user and the lab.

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
        tell: Callable[[str], None] = silent,
    ) -> None:
        self.is_over = False
        self.session = PlainSession(run)
        self.controller = LabController(LazySession.of(self.session), autosave)
        self.controller.shows = show
        if autosave is not None:
            autosave.leave_unsaved(self.session)
        self._narrator = Narrator(self.controller, self.session)
        self._page: tuple[Reader, Callable[[Any], Outcome] | None] | None = None
        """The open page, and the receiver of its answer."""
        self._say = tell
        self._last: list[str] = []

    @property
    def prompt(self) -> str:
        """The prompt for the next line."""
        if self.session.mode is Mode.STEP:
            return "stepping (h for help): "
        if self.session.mode is Mode.WATCH or self._narrator.is_over:
            return "n for a new game, h for help: "
        return f"{self.session.board.to_move}, your move (h for help): "

    def begin(self, loaded: LoadedRun | OpenedAddress | Script | None = None) -> list[str]:
        """Begin a game or a lesson, or continue a run or an address."""
        if isinstance(loaded, OpenedAddress):
            told = self._told(self.controller.current.take_address(loaded), NOTHING)
            self._last = [*told, *self._narrator.where()]
        elif isinstance(loaded, Script):
            told = self._told(self.controller.lessons.begin(loaded), NOTHING)
            self._last = [*told, *self._narrator.tour()]
        elif loaded is None:
            self.session.new_game()
            self._last = self._narrator.game()
        else:
            self.controller.current.resume(loaded)
            self._last = self._narrator.opened(loaded)
        return self._last

    def answer(self, line: str) -> list[str]:
        """Do what a line asks for; return the reply."""
        text = " ".join(line.split())
        mode = self.session.mode
        lectures = self.controller.lectures
        was_aside = lectures.is_aside
        if (told := self._quizzed(text)) is not None:
            self._last = told
            return told
        if (told := self._paged(text)) is not None:
            self._last = [*told, *self._saved()]
            return self._last
        if not text and mode is Mode.STEP:
            text = "next"
        if not text:
            return self._last
        if mode is Mode.PLAY and is_number(text):
            lectures.step_aside()
            name, lines = "cell", self._told(mark_cell(self.session, int(text[:9]) - 1), MARKED)
        elif (asked := read(text, mode)) is not None:
            if asked.command.name == "again":
                return self._last
            name, lines = lab_name(asked.command), self._done(asked)
        else:
            return [self._unknown(text)]
        aside = [ASIDE] if lectures.is_aside and not was_aside else []
        self._last = [*lines, *aside, *self._next_step(name), *self._saved()]
        return self._last

    def _quizzed(self, text: str) -> list[str] | None:
        """Return the reply to an answer in a quiz; None if the line is not one."""
        quiz: Quiz | None = self.controller.current_quiz
        if quiz is None:
            return None
        told = quiz.answered(text)
        if quiz.answers.is_over:
            self.controller.current_quiz = None
        return told

    def _paged(self, text: str) -> list[str] | None:
        """Return the open page's reply; None if it does not know the word, and closes."""
        if self._page is None:
            return None
        reader, take = self._page
        guide, told = self.controller.lessons.guide, reader.do(text)
        if reader.left is not None:
            self._page, answer = None, reader.left.answer
            if isinstance(answer, Open):
                return self._opened(answer)
            told = self._told(None if take is None else take(answer), NOTHING)
            if hasattr(answer, "stored"):
                return self._narrator.opened(answer)
            if answer is not None and self.controller.lessons.guide is not guide:
                return [*told, *self._narrator.tour()]
            return told or self._narrator.where()
        if told is None:
            self._page = None
        return told

    def follow(self) -> list[str]:
        """Catch up with the followed walkthrough; return what to print."""
        before, place = self.session.run, self.session.timeline.place
        outcome = self.controller.lectures.follow()
        if outcome is None:
            return []
        if is_refusal(outcome):
            return self._told(outcome, NOTHING)
        told = self._told(outcome, NOTHING)
        if self.session.run is not before or self.session.mode is not Mode.STEP:
            told = [*self._narrator.where(), *told]
        elif self.session.timeline.place != place or not told:
            told = [*self._narrator.place(), *told]
        self._last = told
        return self._last

    def close(self) -> None:
        if self.controller.current.autosave is not None:
            self.controller.current.autosave.finish(self.session)

    def _done(self, asked: Line) -> list[str]:
        """Do a command; return the reply."""
        command, plain, rest = asked
        if command.name == "more":
            return ["The list has no more rows."]
        lines: list[str] = []
        for outcome in done(self.controller, asked):
            lines += self._told(outcome, plain)
            if is_refusal(outcome):
                return lines
        if rest and command.name == "setup":
            return lines or self._begun()
        return [*lines, *self._narrator.tour()] if rest and command.name == "lessons" else lines

    def _told(self, outcome: Outcome, plain: Plain) -> list[str]:
        """Return the reply to a command's outcome."""
        if isinstance(outcome, Message):
            return self._said(outcome, plain)
        if isinstance(outcome, Key):
            return [Message(outcome.usage).named(word_of).text]
        if isinstance(outcome, Steps):
            return [line for _ in outcome.events for line in self._narrator.event()]
        if isinstance(outcome, Train):
            from afterstate_lab.tui.plain.long_work import trained

            return trained(self.session, outcome.goal, self._say, self._save)
        if isinstance(outcome, Work):
            return self._worked(outcome, plain)
        if isinstance(outcome, Open):
            return self._opened(outcome)
        if isinstance(outcome, Copy):
            return [outcome.text]
        if outcome is Request.QUIT:
            self.is_over = True
            return ["Bye."]
        return [*([plain.done] if plain.done else []), *self._narrator.tell(plain.tells)]

    def _said(self, message: Message, plain: Plain) -> list[str]:
        text = message.named(word_of).text
        if not text:
            return self._narrator.tell(plain.tells)
        line = text if text.endswith(".") else sentence(text)
        if message.kind is not MessageKind.NOTE:
            return [line]
        # A game of which something is said is not a new one.
        tells = "where" if plain.tells == "game" else plain.tells
        return [line, *self._narrator.tell(tells)]

    def _worked(self, work: Work, plain: Plain) -> list[str]:
        from afterstate_lab.tui.plain.long_work import GIVEN_UP, searched

        try:
            found = searched(work, self._say)
            if found is GIVEN_UP or isinstance(found, str):
                return [sentence(found)]
            outcome = work.taken(found)
        except UsageError as error:
            return [sentence(error)]
        return self._told(outcome, plain) if work.run else self._narrator.opened(found)

    def _opened(self, what: Open) -> list[str]:
        if what.screen is Screen.HELP:
            return self._help(what.text)
        if what.screen is Screen.HOME:
            return home(self.session)
        if what.screen is Screen.EXPLAIN:
            from afterstate_lab.tui.pages.explain import explanation

            return explanation(self.session, what.text)
        if what.screen is Screen.QUIZ:
            from afterstate_lab.tui.pages.quiz import Quiz

            self.controller.current_quiz = quiz = Quiz(what.data)
            return quiz.lines()
        try:
            make, take = page_of(self.controller, what)
        except UsageError as error:
            return [sentence(error)]
        reader = Reader(make, self._say)
        self._page = reader, take
        return reader.begin()

    def _begun(self) -> list[str]:
        """Return the first lines of a run with other players."""
        settings = self.session.seated_settings
        begun = f"A new run: X is {settings.x}, O is {settings.o}, seed {settings.seed}."
        if self.session.mode is Mode.PLAY:
            return [begun, *self._narrator.where_in_game()]
        return [begun, "n begins a game against O, w watches one, t trains."]

    def _help(self, text: str) -> list[str]:
        if not text:
            return list(help_lines(self.session.mode))
        words = named(text)
        lines = [line for word in words for line in (f"{word.names}: {word.help}", *word.usage)]
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
        for plain in named(word):
            where = WHERE[min(plain.modes, key=list(Mode).index)]
            return f"{plain.line} works {where}."
        near = nearest(word)
        if near:
            return f"{shown(text, QUOTED)} {NO_COMMAND}: did you mean {near}?"
        cells = "1 to 9, " if is_playing else ""
        letters = ", ".join(short_words(self.session.mode))
        return f"{shown(text, QUOTED)} {NO_COMMAND}: {cells}{letters} or q."

    def _next_step(self, name: str) -> list[str]:
        """Return the next step of a lesson, if this command did the current step."""
        guide = self.controller.lessons.guide
        if guide is None:
            return []
        before = guide.number
        self.controller.lessons.note(name)
        told = self._told(self.controller.lessons.follow(), NOTHING)
        return [*told, *self._narrator.lesson()] if guide.number != before else []

    def _saved(self) -> list[str]:
        """Save the run; return what to print."""
        autosave = self.controller.current.autosave
        if autosave is None:
            return []
        if self.controller.current.capture():
            autosave.write()
        return [sentence(message.text) for message in autosave.news() if message.text]

    def _save(self) -> None:
        for line in self._saved():
            self._say(line)


def seated_run(x: PlayerSpec, o: PlayerSpec, seed: int) -> Run:
    """Return a run with a seat for a person, or raise `UsageError` without one."""
    if not (x.rule.human or o.rule.human):
        raise UsageError("play needs a person on one side: --x human or --o human")
    return Run.of(x, o, seed)


def home(session: PlainSession) -> list[str]:
    """Describe the lab, and the ways into it."""
    from afterstate_lab.tui.pages.home import ABOUT, WAYS, place_of
    from afterstate_lab.tui.pages.line import word_of

    ways = [
        f"{word_of('lessons' if name == 'lesson' else name)}: {says}"
        for name, (_, says) in WAYS.items()
    ]
    return [ABOUT, place_of(session), *ways, "runs: continue an earlier run."]
