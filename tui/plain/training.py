"""Training, told in a few short lines: that it begins, how far it has come, what it changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from game import Side
from learners.errors import shown
from learners.judge.evaluation import evaluate_memory
from learners.judge.figures import BEATABLE, OPTIMAL, WIN
from tui.lab.goal import goal_of
from tui.lab.modes import Mode
from tui.plain.progress_reporter import Patience, Tell, interruptible
from tui.plain.speech import figure, sentence
from tui.progress import duration, load, watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from learners.judge.evaluation import Evaluation
    from learners.training import Goal, Snapshot, Training
    from tui.plain.session import PlainSession

USE: Final = "train 20000 or train until unbeatable trains the two learners."
UNTIL: Final = re.compile(r"(?:(?:until|till) )?(?:they are )?(.*)")


class Trainer:
    """Trains the run of a session.

    Args:
        session: whose run.
        tell: says a line at once.
        keep: saves what was learned so far, where it is time for that.
    """

    def __init__(self, session: PlainSession, tell: Tell, keep: Callable[[], None]) -> None:
        self._session = session
        self._tell = tell
        self._keep = keep

    def train(self, text: str) -> list[str]:
        """Train for as long as was asked for, or until Ctrl-C."""
        match = UNTIL.fullmatch(text)
        goal = goal_of(match[1]) if match is not None else None
        if goal is None:
            return [f"{shown(text)} is no number of games: {USE}" if text else f"How long? {USE}"]
        run = self._session.run
        if not (run.x.learns or run.o.learns):
            return ["Neither player learns, so there is nothing to train."]
        return self._trained(goal)

    def _trained(self, goal: Goal) -> list[str]:
        session = self._session
        mode, dropped = session.mode, bool(session.waits and session.script)
        before = evaluate_memory(session.run.layout, session.run.memory)
        failure = ""
        training = session.begin_training(goal)
        patience = Patience(self._tell)

        def look(training: Training) -> None:
            session.look_at_training()
            self._keep()
            patience.say(lambda: progress(training.snapshot))

        with interruptible(training):
            self._tell(beginning(goal))
            try:
                load(session.run, goal.games)
                watched(training, look, bar=False)
            except Exception as error:
                # A rule of the user's own may fail in any way; what was learned before stays.
                failure = sentence(f"training failed: {error}")
            last = training.snapshot
            session.end_training()
            session.mode = Mode.STEP if mode is Mode.STEP else Mode.WATCH
            self._keep()
        lines = [failure] if failure else []
        lines += ended(last, is_short=last.done < goal.games and not goal.until_unbeatable)
        if goal.until_unbeatable:
            lines.append(verdict_of_goal(last))
        lines += changes(before, last.evaluation)
        if dropped:
            lines.append("Your game was dropped.")
        return lines


def beginning(goal: Goal) -> str:
    """What is said first."""
    long = "until neither can be beaten" if goal.until_unbeatable else games_text(goal.games)
    return f"Training {long}; Ctrl-C stops it and keeps what was learned."


def games_text(games: int) -> str:
    """So many games in words."""
    return "1 game" if games == 1 else f"{games:,} games"


def progress(snapshot: Snapshot) -> str:
    """How far a training has come."""
    if snapshot.goal.until_unbeatable:
        return f"{games_text(snapshot.done)} so far."
    left = snapshot.seconds_left
    soon = "" if left is None else f", {duration(left)} left"
    return f"{snapshot.done:,} of {games_text(snapshot.goal.games)}{soon}."


def ended(last: Snapshot, *, is_short: bool) -> list[str]:
    """How long a training was, and how its games ended."""
    won_x, drawn, won_o = last.results
    stopped = "Stopped after" if is_short else "Trained"
    return [
        f"{stopped} {games_text(last.done)} in {last.seconds:.1f} seconds: "
        f"X won {won_x:,}, {drawn:,} drawn, O won {won_o:,}."
    ]


def verdict_of_goal(last: Snapshot) -> str:
    """Whether a training until unbeatable got there."""
    beatable = any(side and side[BEATABLE] for side in last.evaluation)
    return "Stopped before neither could be beaten." if beatable else "Neither can be beaten now."


def changes(
    before: tuple[Evaluation | None, Evaluation | None],
    after: tuple[Evaluation | None, Evaluation | None],
) -> list[str]:
    """What a training changed, three sentences for each learner."""
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
    """Whether a player can be beaten, now and before."""
    could, can = was[BEATABLE], now[BEATABLE]
    if could == can:
        return "can still be beaten" if can else "still cannot be beaten"
    return "can be beaten now" if can else "cannot be beaten any more"
