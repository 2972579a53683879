"""How often `judge --like` is right: a table of verdicts on agents that it has not seen.

    python tests/benchmarks/likeness.py [--like td mc ...] [--games N ...] [--agents 100]

Agents are other seeds of the correct learner and of each mistake, as X alone, O alone and both. A
row is a kind of agents: how many were flagged, how many were named right (within their group), how
many got the name of another mistake, and all other names. Both sides are flagged if one is, and
named right if one is named right and none wrong; ? is no name.
"""

import argparse
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from afterstate_lab.game import Side
from afterstate_lab.learners.experiments.expect import sampled
from afterstate_lab.learners.experiments.like import Comparison, Fit, is_mistake, kinds
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.players.judged import Judged
from afterstate_lab.learners.players.resolve import parse_player

SIDES = ((Side.X,), (Side.O,), (Side.X, Side.O))


def row(kind: str, found: Iterable[list[list[str]]]) -> str:
    """Return the line of a kind, from the verdicts on X, on O and on both."""
    texts, others = [], Counter[str]()
    for verdicts in found:
        told = [{*names} - {""} for names in verdicts]
        flagged = sum(map(bool, told))
        named = sum(bool(kind) and names == {kind} for names in told)
        wrong = sum(any(is_mistake(one) and one != kind for one in names) for names in told)
        texts.append(f"{flagged:4} {named:4} {wrong:4}")
        others.update(one for names in told for one in names if one != kind)
    rest = ", ".join(f"{name.removeprefix('museum:')} {n}" for name, n in others.most_common())
    return f"  {kind.removeprefix('museum:') or 'correct':24}{'   '.join(texts)}   {rest}"


def verdict(known: Comparison, side: Side, policy: np.ndarray) -> str:
    """Return "" if an agent is normal, else the name of what it looks like, or ?."""
    evaluation = Evaluation.of_play("", policy, side)
    told = known.of(Judged("", side, evaluation, policy, is_learner=True)).as_json()
    alike = told["looks_like"]
    return "" if told["normal"] else alike[0]["players"][0] if alike else "?"


def count(spec: str, games: int, agents: int) -> None:
    like = parse_player(spec)
    both = Comparison.train(like, None, games, [*Side], seconds=float("inf"))
    known = {
        sides: replace(both, samples={s: both.samples[s] for s in sides}, _fits={})
        for sides in SIDES
    }
    for kind, player in kinds(like).items():
        if kind and not is_mistake(kind):
            continue
        points = (games if player.learns else 0,)
        sample = sampled(
            player, player, points, agents, first=10**6, keeps_policies=True, metrics=()
        )
        policies = [one.astype(np.float64) for one in sample.policies]
        found = [
            [[verdict(comparison, side, policy) for side in sides] for policy in policies]
            for sides, comparison in known.items()
        ]
        print(row(kind, found), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--like", nargs="+", default=["td"])
    parser.add_argument("--games", nargs="+", type=int, default=[5_000, 20_000, 100_000])
    parser.add_argument("--agents", type=int, default=100)
    given = parser.parse_args()
    heads = "flagged, named right, named wrong:    X    O    both; other names"
    Fit._telling = lambda *_: ()  # only the names count here
    for spec in given.like:
        for games in given.games:
            print(f"{spec}, {games:,} games, {given.agents} agents each; {heads}", flush=True)
            count(spec, games, given.agents)


if __name__ == "__main__":
    main()
