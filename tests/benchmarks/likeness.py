"""How often `judge --like` is right: a table of verdicts on agents that it has not seen.

    python tests/benchmarks/likeness.py [--like td mc ...] [--games N ...] [--agents 100]
    python tests/benchmarks/likeness.py --plain [--games 20000] [--agents 20]

Agents are other seeds of the correct learner and of each mistake, as X alone, O alone and both;
with `--plain`, learners of plain Python that share no code with the package, with three settings. A
row is a kind of agents: how many were flagged, how many were named right (within their group), how
many got the name of another mistake, and all other names. Both sides are flagged if one is, and
named right if one is named right and none wrong; ? is no name.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("learners", "tui/truth")]
import plain_learner

from afterstate_lab.game import Side
from afterstate_lab.learners.experiments.expect import SEEDS, sampled
from afterstate_lab.learners.experiments.like import Comparison, Fit, is_mistake, kinds
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.library import judge_agent
from afterstate_lab.learners.players.judged import Judged
from afterstate_lab.learners.players.resolve import parse_player

SIDES = {"X": (Side.X,), "O": (Side.O,), "both": (Side.X, Side.O)}
Verdicts = list[list[str]]
"""By agent and side "" if it is normal, else its name, or ?."""


def row(kind: str, found: Iterable[Verdicts]) -> str:
    """Return the line of a kind, from the verdicts on X, on O and on both."""
    right, texts, others = kind, [], Counter[str]()
    for verdicts in found:
        told = [{*names} - {""} for names in verdicts]
        flagged = sum(map(bool, told))
        named = sum(bool(kind) and names == {right} for names in told)
        wrong = sum(any(is_mistake(one) and one != right for one in names) for names in told)
        texts.append(f"{flagged:4} {named:4} {wrong:4}")
        others.update(one for names in told for one in names if one != right)
    rest = ", ".join(f"{name.removeprefix('museum:')} {n}" for name, n in others.most_common())
    return f"  {kind.removeprefix('museum:') or 'correct':24}{'   '.join(texts)}   {rest}"


def name_of(told: dict) -> str:
    alike = told["looks_like"]
    return "" if told["normal"] else alike[0]["players"][0] if alike else "?"


def ours(spec: str, games: int, agents: int, seconds: float) -> Iterator[str]:
    like = parse_player(spec)
    both = Comparison.train(like, None, games, [*Side], seconds=seconds)
    alone = {side: replace(both, samples={side: both.samples[side]}, _fits={}) for side in Side}
    yield f"  {len(both.samples[Side.X][''])} of {SEEDS} correct learners"
    for kind, player in kinds(like).items():
        if kind and not is_mistake(kind):
            continue
        points = (games if player.learns else 0,)
        sample = sampled(
            player, player, points, agents, first=10**6, keeps_policies=True, metrics=()
        )
        found: dict[str, Verdicts] = {name: [] for name in SIDES}
        for policy in (one.astype(np.float64) for one in sample.policies):
            judged = [
                Judged("", side, Evaluation.of_play("", policy, side), policy, is_learner=True)
                for side in Side
            ]
            for name, sides in SIDES.items():
                known = both if len(sides) > 1 else alone[sides[0]]
                told = [known.of(judged[side]).as_json() for side in sides]
                found[name].append([*map(name_of, told)])
        yield row(kind, found.values())


def plain(alpha: float, epsilon: float, games: int, agents: int) -> Iterator[str]:
    like = f"td:alpha={alpha},epsilon={epsilon}"
    for mistake, name in {"": "", **plain_learner.MISTAKES}.items():
        found: dict[str, Verdicts] = {name: [] for name in SIDES}
        for seed in range(agents):
            told = {}
            for player in plain_learner.train(games, seed, alpha, epsilon, mistake):
                mark = player.mark
                moves = plain_learner.policy(player)
                told[mark] = name_of(judge_agent(moves, mark, like=like, games=games)["like"])
            for sides, names in found.items():
                names.append([told[mark] for mark in told if sides in (mark, "both")])
        yield row(name, found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--like", nargs="+", default=["td"])
    parser.add_argument("--games", nargs="+", type=int, default=[5_000, 20_000, 100_000])
    parser.add_argument("--agents", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="limit of training")
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    heads = "flagged, named right, named wrong:    X    O    both; other names"
    if given.plain:
        train = cache(Comparison.train)  # the agents of a setting are compared with the same
        Comparison.train = lambda spec, against, games, sides: train(
            spec, against, games, tuple(sides), seconds=given.seconds
        )
        for alpha, epsilon in ((0.1, 0.1), (0.3, 0.1), (0.1, 0.3)):
            print(f"plain td, alpha {alpha}, epsilon {epsilon}, {given.games[0]:,} games; {heads}")
            for line in plain(alpha, epsilon, given.games[0], given.agents):
                print(line, flush=True)
        return
    Fit._telling = lambda *_: ()  # only the names count here
    for spec in given.like:
        for games in given.games:
            print(f"{spec}, {games:,} games, {given.agents} agents each; {heads}", flush=True)
            for line in ours(spec, games, given.agents, given.seconds):
                print(line, flush=True)


if __name__ == "__main__":
    main()
