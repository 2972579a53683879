"""Long work: Ctrl-C ends only the work, and progress is printed now and then."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Side
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import BEATABLE, OPTIMAL, WIN
from afterstate_lab.learners.kernel.kernel import WORTH_COMPILING
from afterstate_lab.learners.tape.run import Seating
from afterstate_lab.tui.blocks.speech import figure
from afterstate_lab.tui.lab.goal import gave_up
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Running, Work, sentence
from afterstate_lab.tui.lab.resume_hint import games_text
from afterstate_lab.tui.progress import Stoppable, ended_by_signals, load, watched
from afterstate_lab.tui.theme.numerals import seconds_text

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.evaluation import Evaluation
    from afterstate_lab.learners.training import Goal, Snapshot, Training
    from afterstate_lab.tui.lab.session import PlainSession

SAY_SECONDS: Final = 5.0
"""Minimum time between two lines about running work."""

GIVEN_UP: Final = "Given up."

Tell = Callable[[str], None]


@contextmanager
def interruptible(work: Stoppable) -> Iterator[list[int]]:
    """Let Ctrl-C end only the work; after it, a termination or hangup ends the program.

    Yields:
        The received signals.
    """
    with ended_by_signals(work) as came:
        yield came
    for number in came:
        if number != signal.SIGINT:
            signal.raise_signal(number)


class ProgressReporter:
    """Prints progress, not too often.

    Args:
        tell: prints a line at once.
        clock: seconds, for tests.
    """

    def __init__(self, tell: Tell, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._clock = clock
        self._told_at = clock()

    def say(self, line: Callable[[], str]) -> None:
        """Print a line, if the previous line is old enough."""
        if self._clock() - self._told_at >= SAY_SECONDS:
            self._told_at = self._clock()
            self._tell(line())


class Searching(Running):
    """Work that prints its progress."""

    def __init__(self, work: Work, tell: Tell) -> None:
        super().__init__(work)
        self._reporter = ProgressReporter(tell)

    def tell(self, part: float) -> None:
        self._reporter.say(lambda: f"{part:.0%} searched; Ctrl-C gives up.")


def searched(work: Work, tell: Tell) -> Any:
    """Return the result of a search through a run; `GIVEN_UP` after Ctrl-C.

    For a long run the compiler is loaded.
    """
    running = Searching(work, tell)
    with interruptible(running):
        if work.run is not None and work.run.games >= WORTH_COMPILING:
            work.run.kernel(Seating()).compile(recording=True)
        found = work.do(running)
    return GIVEN_UP if running() else found


def trained(session: PlainSession, goal: Goal, tell: Tell, save: Callable[[], None]) -> list[str]:
    """Train until the goal, or Ctrl-C; return what it changed.

    Args:
        session: whose run is trained.
        goal: how long.
        tell: prints a line at once.
        save: saves the progress, if it is time.
    """
    if not (session.run.x.learns or session.run.o.learns):
        return ["Neither player learns, so there is nothing to train."]
    mode, dropped = session.mode, bool(session.waits and session.script)
    before = evaluate_memory(session.run.layout, session.run.memory)
    failure = ""
    training = session.begin_training(goal)
    reporter = ProgressReporter(tell)

    def look(training: Training) -> None:
        session.look_at_training()
        save()
        reporter.say(lambda: progress(training.snapshot))

    with interruptible(training):
        tell(beginning(goal))
        try:
            load(session.run, goal.games)
            watched(training, look, bar=False)
        except Exception as error:
            # A rule of the user's own may fail in any way; what was learned before stays.
            failure = sentence(f"training failed: {error}")
        last = training.snapshot
        session.end_training()
        session.mode = Mode.STEP if mode is Mode.STEP else Mode.WATCH
        save()
    lines = [failure] if failure else []
    lines += ended(last, is_short=last.done < goal.games and not goal.until_unbeatable)
    if goal.until_unbeatable:
        lines.append(verdict_of_goal(last))
    lines += changes(before, last.evaluation)
    if dropped:
        lines.append("Your game was dropped.")
    return lines


def beginning(goal: Goal) -> str:
    """Return the first line about a training run."""
    long = "until neither can be beaten" if goal.until_unbeatable else games_text(goal.games)
    return f"Training {long}; Ctrl-C stops it and keeps what was learned."


def progress(snapshot: Snapshot) -> str:
    """Return the progress of a training run."""
    if snapshot.goal.until_unbeatable:
        return f"{games_text(snapshot.done)} so far: {still_beatable(snapshot)}."
    left = snapshot.seconds_left
    soon = "" if left is None else f", {seconds_text(left)} left"
    return f"{snapshot.done:,} of {games_text(snapshot.goal.games)}{soon}."


def ended(last: Snapshot, *, is_short: bool) -> list[str]:
    """Return how long a training run was, and how its games ended."""
    won_x, drawn, won_o = last.results
    stopped = "Stopped after" if is_short else "Trained"
    return [
        f"{stopped} {games_text(last.done)} in {last.seconds:.1f} seconds: "
        f"X won {won_x:,}, {drawn:,} {'draw' if drawn == 1 else 'draws'}, O won {won_o:,}."
    ]


def verdict_of_goal(last: Snapshot) -> str:
    """Return whether a training run reached unbeatable."""
    if last.gave_up:
        return gave_up(last)
    if last.beatable:
        return f"Stopped before neither could be beaten: {still_beatable(last)}."
    after = last.unbeatable_after
    return f"Neither can be beaten {'now' if after is None else f'after {games_text(after)}'}."


def still_beatable(snapshot: Snapshot) -> str:
    """Return the latest verdict on both players: `X unbeatable, O still beatable`."""
    return ", ".join(
        f"{name} {'still beatable' if side[BEATABLE] else 'unbeatable'}"
        for name, side in zip(Side.__members__, snapshot.evaluation, strict=True)
        if side is not None
    )


def changes(
    before: tuple[Evaluation | None, Evaluation | None],
    after: tuple[Evaluation | None, Evaluation | None],
) -> list[str]:
    """Return what a training run changed, three sentences for each learner."""
    lines = []
    for name, was, now in zip(Side.__members__, before, after, strict=True):
        if was is None or now is None:
            continue
        lines.append(f"{name} {beatable_change(was, now)}.")
        (old, of), (new, _) = was[OPTIMAL], now[OPTIMAL]
        won, wins = was[WIN], now[WIN]
        lines.append(f"{name} decides {new:,} of {of:,} positions rightly, {old:,} before.")
        lines.append(f"Against random {name} wins {figure(wins)}, {figure(won)} before.")
    return lines


def beatable_change(was: Evaluation, now: Evaluation) -> str:
    """Return whether a player can be beaten, now and earlier."""
    could, can = was[BEATABLE], now[BEATABLE]
    if could == can:
        return "can still be beaten" if can else "still cannot be beaten"
    return "can be beaten now" if can else "cannot be beaten any more"
