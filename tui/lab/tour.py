"""The tour: a dozen lessons, each done by doing it in the real lab."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING

from tui.lab.commands import ALL, COMMANDS, PLAY, STEP, key_of
from tui.lab.modes import Help, Mode
from tui.theme.numerals import decimals, signed
from tui.views.lab import TourView

if TYPE_CHECKING:
    from learners.tape.events import Backup
    from tui.lab.lazy_session import LazySession
    from tui.lab.session import Session
    from tui.views.words import Words


MARK = "`"
"""Stands before and after a key in what is to be done."""
GAMES = 1000
"""So many games more are a training."""


@dataclass(frozen=True, slots=True)
class Since:
    """What has happened since a lesson began."""

    asked: frozenset[str] = frozenset()
    """The commands asked for."""
    games: int = 0
    """Games played before."""


Done = Callable[["Session", Since], bool]


@dataclass(frozen=True)
class Lesson:
    """One thing to understand, and what to do to see it."""

    title: str
    text: str | Callable[[LazySession], str]
    """What there is to see; where it names numbers, those on the screen as the lesson begins."""
    todo: str
    """What to press, keys and words to type between marks."""
    done: Done
    modes: frozenset[Mode] = ALL
    """Where those keys answer."""

    @property
    def keys(self) -> tuple[str, ...]:
        """What to type, in this order; the last again until the lesson is done."""
        return tuple(self.todo.split(MARK)[1::2])

    @property
    def commands(self) -> frozenset[str]:
        """The names of the commands that the keys ask for."""
        return frozenset(
            command.name
            for command in COMMANDS
            if command.modes & self.modes and any(map(command.answers_to, self.keys))
        )

    def said(self, lazy: LazySession) -> str:
        """The text as it is true now."""
        return self.text if isinstance(self.text, str) else self.text(lazy)


def at(kind: str) -> Done:
    """Done where the current event is of a kind: `Move`, `Backup`, `NoBackup`, `GameOver`."""
    return lambda session, since: type(session.timeline.event).__name__ == kind


def asked(name: str, mode: Mode | None = None) -> Done:
    """Done once a command was asked for, in a mode or anywhere."""
    return lambda session, since: name in since.asked and mode in (None, session.mode)


def in_step_mode(session: Session, since: Since) -> bool:
    """Done where something is stepped through."""
    return session.mode is Mode.STEP


def written(session: Session, since: Since) -> bool:
    """Done where a backup is looked at with its new value written."""
    from learners.tape.timeline import WRITE

    return at("Backup")(session, since) and session.timeline.phase == WRITE


def explored(session: Session, since: Since) -> bool:
    """Done where an exploratory move is looked at."""
    return bool(getattr(session.timeline.event, "exploratory", False))


def backup_of(lazy: LazySession) -> Backup | None:
    """The backup that is looked at, where it changes a value by a part of the way to a target."""
    from learners.tape.events import Backup

    event = lazy.session.timeline.event if lazy.is_started else None
    if isinstance(event, Backup):
        moved = event.old + event.step * event.trace * event.error
        is_part = isclose(event.new, moved, abs_tol=1e-9)
        return event if is_part and event.new != event.old else None
    return None


def tell_backup(lazy: LazySession) -> str:
    """What a backup is, by the one that is looked at, with the equation's decimals."""
    event = backup_of(lazy)
    said = "A backup moves V of the board before part of the way to V now"
    if event is None:
        return f"{said}: a guess learns from the next guess."
    old, target = decimals(event.old, 6), decimals(event.target, 6)
    part = decimals(event.step * event.trace, 2)
    return f"{said}: from {old}, {part} of the way to {target}."


def tell_error(lazy: LazySession) -> str:
    """What the error is, by the backup that is looked at, with the equation's decimals."""
    event, rest = backup_of(lazy), "V moves by a small part α of it: one game proves little."
    if event is None:
        return f"The error δ is the target minus the old value. {rest}"
    old, target, error = decimals(event.old, 6), decimals(event.target, 6), signed(event.error, 6)
    return f"δ = target − old = {target} − {old} = {error}. {rest}"


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "a value",
        "Each empty cell shows what X expects of marking it: 1 is a win, 0 a loss;"
        " .5 a draw, or no idea yet.",
        "`s` plays a game, and stops at what it taught",
        in_step_mode,
    ),
    Lesson(
        "an afterstate",
        "Sₜ is an afterstate: a board right after one's own move. It has one value V,"
        " however one came to it.",
        "`←` goes back, to before V was written",
        asked("phase_back"),
        STEP,
    ),
    Lesson(
        "a backup",
        tell_backup,
        "`→`, until the top right corner says: write",
        written,
        STEP,
    ),
    Lesson(
        "the error",
        tell_error,
        "`←` takes the write back, to the last bit",
        asked("phase_back"),
        STEP,
    ),
    Lesson(
        "experience",
        "Only the end of a game is told from outside. All else is learned from later"
        " guesses, game by game.",
        "`t`, `2000`, `Enter` trains them in a blink",
        lambda session, since: session.run.games - since.games >= GAMES and not session.is_training,
    ),
    Lesson(
        "the microscope",
        "Any of these games can be taken apart, backup by backup, back and forth.",
        "`s` steps through the last one",
        in_step_mode,
    ),
    Lesson(
        "five phases",
        "The reply is seen, the moves are valued, dice choose, the target is known,"
        " the value is written.",
        "`→`, until the top right corner says: write",
        written,
        STEP,
    ),
    Lesson(
        "exploration",
        "Now and then, ε of the time, a move is drawn at random: or no better one"
        " would ever be found.",
        "`b`, `exploratory`, `Enter`, then `C`: back to such a move",
        explored,
        STEP,
    ),
    Lesson(
        "no backup",
        "Where a random move leads says nothing about how good the board before it was:"
        " V stays as it is.",
        "`]` goes on to where it says: no backup",
        at("NoBackup"),
        STEP,
    ),
    Lesson(
        "the truth",
        "This game is small enough to solve: beside each V that is believed stands"
        " v*, the exact value.",
        "`v` opens the table of all boards, `Esc` comes back",
        asked("table"),
    ),
    Lesson(
        "you against it",
        "Play it: a coach says what each of your moves keeps or gives away, and the"
        " other side learns on.",
        "`p`, then `5` takes the centre",
        asked("cell", Mode.PLAY),
        ALL,
    ),
    Lesson(
        "help while you play",
        "The board can say more of your moves: which hold, their ranks, what the learner"
        " of your side expects, and v*.",
        "`h`, until the board says: exact",
        lambda session, since: session.help is Help.EXACT,
        PLAY,
    ),
    Lesson(
        "that is all",
        "Beatable or not is computed, never sampled. Train (t) until unbeatable,"
        " and then try to win.",
        "`T` ends the tour, `?` tells all keys",
        lambda session, since: False,
    ),
)


class Tour:
    """Where a user is in the tour."""

    def __init__(self, lazy: LazySession) -> None:
        self._lazy = lazy
        self.turn_to(0)

    @property
    def lesson(self) -> Lesson:
        return LESSONS[self.number]

    def turn_to(self, number: int) -> None:
        """Begin a lesson, where there is one of that number."""
        self.number = min(max(number, 0), len(LESSONS) - 1)
        self._text = self.lesson.said(self._lazy)
        self._since, self._was_done = Since(), False
        if self._lazy.is_started:
            self._since = Since(games=self._lazy.session.run.games)
            self._was_done = self.lesson.done(self._lazy.session, self._since)

    def follow(self, command: str = "") -> None:
        """Take note of a command and go on to the next lesson where this one is done.

        What was done before a lesson began, as when one turned back to it, does not count: then
        one of its own keys must have been pressed.
        """
        if not self._lazy.is_started:
            return
        asked = self._since.asked | {command} if command else self._since.asked
        self._since = replace(self._since, asked=asked)
        is_done = self.lesson.done(self._lazy.session, self._since)
        if is_done and (not self._was_done or asked & self.lesson.commands):
            self.turn_to(self.number + 1)

    @property
    def view(self) -> TourView:
        lesson = self.lesson
        return TourView(
            f"{self.number + 1}/{len(LESSONS)} {lesson.title}",
            f"< > lesson  {key_of('tour')} ends the tour",
            self._text,
            marked(lesson.todo, lesson.modes)
            if self._lazy.mode in lesson.modes
            else marked(way_to(lesson.modes)),
        )


def way_to(modes: frozenset[Mode]) -> str:
    """How to come to a mode in which a lesson can be done."""
    name = next(iter(modes)).value
    return f"{MARK}{name[0]}{MARK} first: this goes on in {name.upper()}"


def marked(todo: str, modes: frozenset[Mode] = ALL) -> Words:
    """What is to be done, the keys in it in their own style, and as the user has them."""
    pieces = enumerate(todo.split(MARK))
    return tuple(
        (own_key(text, modes), "key") if place % 2 else (text, "text")
        for place, text in pieces
        if text
    )


def own_key(key: str, modes: frozenset[Mode]) -> str:
    """The key that a user has in place of one, in some modes."""
    own = (c.shown for c in COMMANDS if c.usual and c.modes & modes and c.answers_to(key))
    return next(own, key)
