"""How good the players are, exactly, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import Side
from learners.judge import figures as f
from learners.judge.evaluation import evaluate_memory
from learners.kernel.kernel import recent_results
from tui.lab.modes import Mode
from tui.plain.speech import figure
from tui.plain.training import games_text

if TYPE_CHECKING:
    from learners.judge.evaluation import Evaluation
    from learners.tape.run import Run
    from tui.plain.session import PlainSession

LATEST = 200
"""Games whose results are told."""


def figures(session: PlainSession) -> list[str]:
    """The results, and each player's exact figures at the place that is looked at."""
    run = session.run
    if session.mode is Mode.STEP and not session.is_at_end:
        memory = session.timeline.v
        lines = [f"In game {session.timeline.game + 1:,} of {run.games:,}, at this place."]
    else:
        memory = run.memory
        lines = [results(run)]
    lines.append("Exact, with greedy play:")
    sides = evaluate_memory(run.layout, memory)
    for name, spec, side in zip(Side.__members__, (run.x, run.o), sides, strict=True):
        lines += (
            [f"{name} is {spec}, which does not learn."] if side is None else of_side(name, side)
        )
    return lines


def results(run: Run) -> str:
    """How the latest games ended."""
    won_x, drawn, won_o = recent_results(run.tally, LATEST)
    many = won_x + drawn + won_o
    if not many:
        return "No game has been played yet."
    return (
        f"Of the latest {games_text(many)} of {run.games:,}: "
        f"X won {won_x:,}, {drawn:,} drawn, O won {won_o:,}."
    )


def of_side(name: str, side: Evaluation) -> list[str]:
    """One learner's figures."""
    right, decisions = side[f.OPTIMAL]
    written, of = side[f.COVERAGE]
    lines = [
        beatable(name, side),
        chances(name, side),
        f"{name} decides {right:,} of {decisions:,} positions rightly.",
        f"{name} has written {written:,} of {of:,} values.",
    ]
    rms = side[f.RMS_MINIMAX]
    if rms is not None:
        lines.append(f"The root mean square error of its values is {figure(rms)}.")
    lines += [f"{name}, {other.label}: {other.kind.text(value)}." for other, value in side.others]
    if side.as_played is not None:
        drawn = side.as_played
        lines += [
            f"As it plays, drawing its moves, {beatable(name, drawn)}",
            chances(name, drawn),
        ]
    return lines


def beatable(name: str, found: Evaluation) -> str:
    """Whether a player can be beaten."""
    if not found[f.BEATABLE]:
        return f"{name} cannot be beaten."
    return f"{name} can be beaten, with probability up to {figure(found[f.WORST_LOSS])}."


def chances(name: str, found: Evaluation) -> str:
    """How a player does against a random and a perfect one."""
    return (
        f"Against random {name} wins {figure(found[f.WIN])}, draws {figure(found[f.DRAW])}, "
        f"loses {figure(found[f.LOSS])}; "
        f"against perfect it draws {figure(found[f.PERFECT_DRAW])}."
    )
