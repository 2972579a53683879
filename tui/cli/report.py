"""Exact verdicts in words, for the commands that print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.exact import PlayerEvaluation as Verdict
    from learners.judge.evaluation import Evaluation


def evaluation_lines(x: Evaluation | None, o: Evaluation | None) -> list[str]:
    """What is exactly true of both sides, a few lines each."""
    lines: list[str] = []
    for name, side in (("X", x), ("O", o)):
        if side is None:
            lines.append(f"{name} is not a learner")
            continue
        lines += [f"{name} {side.spec}, exact, greedy play:", *verdict_lines(side.verdict)]
        written, of = side.coverage
        rms = (
            ""
            if side.rms_minimax is None
            else f", RMS error against minimax {side.rms_minimax:.4f}"
        )
        lines.append(f"  {written:,} of {of:,} entries written{rms}")
        if side.as_played is not None:
            lines += [f"{name} as it plays, drawing its moves:", *verdict_lines(side.as_played)]
    return lines


def verdict_lines(verdict: Verdict) -> list[str]:
    """One verdict in three lines."""
    chance = f"yes, with probability up to {verdict.worst_loss:.4f}"
    right, decisions = verdict.optimal
    random, perfect = verdict.vs_random, verdict.vs_perfect
    return [
        f"  beatable: {chance if verdict.beatable else 'no'}",
        f"  against random: wins {random.win:.4f}, draws {random.draw:.4f}, "
        f"loses {random.loss:.4f}; "
        f"against perfect: draws {perfect.draw:.4f}, loses {perfect.loss:.4f}",
        f"  {right:,} of {decisions:,} decisions optimal; {verdict.missed_wins} wins missed",
    ]
