"""How often `judge --like` is right: a table of verdicts on agents that it has not seen.

    python tests/benchmarks/likeness.py [--like td mc ...] [--games N ...] [--agents 100]
    python tests/benchmarks/likeness.py --plain [--agents 20]

Agents are other seeds of the correct learner and of each mistake of the museum, as X alone, O
alone and both; with `--plain`, learners of plain Python that share no code with the package, with
three settings. A row is a kind of agents: how many were flagged, how many were named right (within
their group), and which other names they got. Both sides are flagged if one is, and named right if
one is named right and none wrong.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import plain_learner

from afterstate_lab.game import Side, space
from afterstate_lab.learners.experiments.expect import sampled
from afterstate_lab.learners.experiments.like import Comparison, kinds, play_numbers, players
from afterstate_lab.learners.judge.evaluated_state import Play
from afterstate_lab.learners.players.resolve import parse_player

EVERYWHERE = np.ones(5478, dtype=np.bool_)
Pair = tuple[np.ndarray, np.ndarray]
"""The policies of X and O."""


def verdicts(known: Comparison, agents: Iterable[Pair]) -> Iterator[tuple[str, str]]:
    """Yield for X and O of each agent "" if it is normal, else its name, or ?."""
    for pair in agents:
        found = []
        for side, policy in zip(Side, pair, strict=True):
            numbers = play_numbers(Play(policy, side))
            told = known.compared(side, policy, numbers, EVERYWHERE)
            named = told.looks_like[0][0][0] if told.looks_like else "?"
            found.append("" if told.is_normal else named)
        yield found[0], found[1]


def row(kind: str, found: list[tuple[str, str]]) -> str:
    """Return the line of a kind."""
    right = players(kind)[0] if kind else ""
    texts = []
    for sides in ((0,), (1,), (0, 1)):
        told = [{pair[side] for side in sides} for pair in found]
        flagged = sum(one != {""} for one in told)
        named = sum(bool(kind) and one - {""} == {right} for one in told)
        texts.append(f"{flagged:4} {named:4}")
    wrong = Counter(name for pair in found for name in pair if name not in ("", right))
    rest = ", ".join(f"{name.removeprefix('museum:')} {n}" for name, n in wrong.most_common())
    return f"  {kind.removeprefix('museum:') or 'correct':24}{'   '.join(texts)}   {rest}"


def ours(spec: str, games: int, agents: int) -> Iterator[str]:
    like = parse_player(spec)
    known = Comparison.train(like, None, games, [*Side])
    for kind, player in kinds(like).items():
        if kind and not kind.startswith("museum"):
            continue
        sample = sampled(
            player, player, (games,), agents, first=10**6, keeps_policies=True, measures=False
        )
        moves = (one.astype(np.float64) for one in sample.policies)
        yield row(kind, [*verdicts(known, ((one, one) for one in moves))])


def plain(alpha: float, epsilon: float, games: int, agents: int) -> Iterator[str]:
    spec = parse_player(f"td:alpha={alpha},epsilon={epsilon}")
    known = Comparison.train(spec, None, games, [*Side])
    for mistake, name in {"": "", **plain_learner.MISTAKES}.items():
        pairs = (
            tuple(map(policy_of, plain_learner.train(games, seed, alpha, epsilon, mistake)))
            for seed in range(agents)
        )
        yield row(name, [*verdicts(known, pairs)])


def policy_of(player: plain_learner.Player) -> np.ndarray:
    """Return float64[16167]: the greedy moves of a learner of plain Python."""
    s, answers = space(), plain_learner.policy(player)
    moves = zip(s.edge_state, s.edge_cell, strict=True)
    chances = (answers.get(s.text(int(b)), {}).get(int(cell) + 1, 0.0) for b, cell in moves)
    return np.array([*chances])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--like", nargs="+", default=["td"])
    parser.add_argument("--games", nargs="+", type=int, default=[5_000, 20_000, 100_000])
    parser.add_argument("--agents", type=int, default=100)
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    heads = "flagged and named right:    X          O         both      other names"
    if given.plain:
        for alpha, epsilon in ((0.1, 0.1), (0.3, 0.1), (0.1, 0.3)):
            print(f"plain td, alpha {alpha}, epsilon {epsilon}, {given.games[0]:,} games; {heads}")
            for line in plain(alpha, epsilon, given.games[0], given.agents):
                print(line, flush=True)
        return
    for spec in given.like:
        for games in given.games:
            print(f"{spec}, {games:,} games, {given.agents} agents each; {heads}", flush=True)
            for line in ours(spec, games, given.agents):
                print(line, flush=True)


if __name__ == "__main__":
    main()
