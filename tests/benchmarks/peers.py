"""Games a second of tabular learners of tic-tac-toe side by side, in one run on one machine.

    python tests/benchmarks/peers.py [--rounds N] [--games N] [--json]

Each plays against itself and learns as both sides. `plain Python` and `numpy` are written here for
the comparison, as many tutorials have them: TD(0) on afterstates in a dictionary, and in an array
by board. OpenSpiel's is the tabular Q-learner of its own example (`pip install open_spiel`; left
out, with the reason, where it is missing). All take their turn in every round; the best round of
each counts, by processor time, so that other work on the machine does not.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from learners.players.resolve import parse_player
from learners.tape.run import Run

ALPHA, EPSILON = 0.1, 0.1
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
POWERS = 3 ** np.arange(9)
FASTER = 1000
"""Compiled code plays so many times as many games in a round."""
Train = Callable[[int], object]
"""Plays so many games."""


def has_won(board: list[str] | str, mark: str) -> bool:
    return any(all(board[cell] == mark for cell in line) for line in LINES)


class PlainPython:
    """TD(0) on afterstates: a dictionary from the board to its value."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.dice = random.Random(1)

    def value(self, board: str, mark: str) -> float:
        """What an afterstate is worth to who made it; a finished game what it ended with."""
        if board not in self.values:
            self.values[board] = 1.0 if has_won(board, mark) else 0.5
        return self.values[board]

    def train(self, games: int) -> None:
        for _ in range(games):
            board = "." * 9
            last: dict[str, str] = {}
            for ply in range(9):
                mark, other = "XO"[ply % 2], "OX"[ply % 2]
                moves = [
                    board[:cell] + mark + board[cell + 1 :]
                    for cell in range(9)
                    if board[cell] == "."
                ]
                if self.dice.random() < EPSILON:
                    board = self.dice.choice(moves)
                    learns = False
                else:
                    best = max(self.value(after, mark) for after in moves)
                    ties = [after for after in moves if self.value(after, mark) == best]
                    board = self.dice.choice(ties)
                    learns = True
                if learns and mark in last:
                    self.back_up(last[mark], mark, self.value(board, mark))
                last[mark] = board
                is_won = has_won(board, mark)
                if is_won or ply == 8:
                    if other in last:
                        self.back_up(last[other], other, 0.0 if is_won else 0.5)
                    break

    def back_up(self, board: str, mark: str, target: float) -> None:
        self.values[board] = (1 - ALPHA) * self.value(board, mark) + ALPHA * target


class Numpy:
    """The same with arrays: values by the board's number, all moves of a ply judged at once."""

    def __init__(self) -> None:
        self.values = np.full((2, 3**9), np.nan)
        self.dice = np.random.default_rng(1)
        self.lines = np.array(LINES)

    def train(self, games: int) -> None:
        for _ in range(games):
            board = np.zeros(9, dtype=np.int64)
            last = [-1, -1]
            for ply in range(9):
                side = ply % 2
                mark = side + 1
                empty = np.flatnonzero(board == 0)
                codes = board @ POWERS + mark * POWERS[empty]
                values = self.values[side]
                for cell, code in zip(empty, codes, strict=True):
                    if np.isnan(values[code]):
                        after = board.copy()
                        after[cell] = mark
                        values[code] = 1.0 if self.is_won(after, mark) else 0.5
                worth = values[codes]
                if explores := self.dice.random() < EPSILON:
                    pick = self.dice.integers(len(empty))
                else:
                    pick = self.dice.choice(np.flatnonzero(worth == worth.max()))
                board[empty[pick]] = mark
                if not explores and last[side] >= 0:
                    values[last[side]] += ALPHA * (worth[pick] - values[last[side]])
                last[side] = codes[pick]
                is_won = self.is_won(board, mark)
                if is_won or ply == 8:
                    if last[1 - side] >= 0:
                        target = 0.0 if is_won else 0.5
                        old = self.values[1 - side, last[1 - side]]
                        self.values[1 - side, last[1 - side]] += ALPHA * (target - old)
                    break

    def is_won(self, board: np.ndarray, mark: int) -> bool:
        return bool((board[self.lines] == mark).all(axis=1).any())


def open_spiel() -> Train:
    """OpenSpiel's Q-learner against itself, as `tic_tac_toe_qlearner.py` of its examples trains.

    Raises:
        ImportError: it is not installed.
    """
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    environment = rl_environment.Environment("tic_tac_toe")
    actions = environment.action_spec()["num_actions"]
    agents = [QLearner(player_id=player, num_actions=actions) for player in range(2)]

    def train(games: int) -> None:
        for _ in range(games):
            step = environment.reset()
            while not step.last():
                player = step.observations["current_player"]
                step = environment.step([agents[player].step(step).action])
            for agent in agents:
                agent.step(step)

    return train


def ours(spec: str, *, interpreted: bool = False) -> Train:
    """A learner of this program against itself."""
    player = parse_player(spec)
    run = Run(player, player, 7)
    if not interpreted:
        run.kernel().compile()
        return run.train
    memory, tally = run.memory.copy(), run.tally.copy()
    return lambda games: run.kernel().play_interpreted(memory, 0, games, tally)


def learners() -> tuple[dict[str, Train], dict[str, str]]:
    """Those that can be trained here, and why the others cannot."""
    found: dict[str, Train] = {
        "Afterstate, td": ours("td"),
        "Afterstate, q": ours("q"),
        "Afterstate, td, interpreted": ours("td", interpreted=True),
        "plain Python, TD(0)": PlainPython().train,
        "numpy, TD(0)": Numpy().train,
    }
    try:
        return found | {"OpenSpiel, Q-learner": open_spiel()}, {}
    except ImportError as error:
        return found, {"OpenSpiel, Q-learner": f"left out: {error}"}


def measure(rounds: int, games: int) -> tuple[dict[str, float], dict[str, str]]:
    """Games a second of processor time of each, the best round; and who was left out."""
    found, missing = learners()
    compiled = {"Afterstate, td", "Afterstate, q"}
    best = dict.fromkeys(found, 0.0)
    for _ in range(rounds):
        for name, train in found.items():
            count = games * FASTER if name in compiled else games
            began = time.process_time()
            train(count)
            best[name] = max(best[name], count / (time.process_time() - began))
    return best, missing


def main() -> None:
    parser = argparse.ArgumentParser(description="learners of tic-tac-toe side by side")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the best counts")
    parser.add_argument("--games", type=int, default=1000, help="of a round, of what is slow")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    best, missing = measure(options.rounds, options.games)
    if options.json:
        print(json.dumps({"games_a_second": best, "left_out": missing}))
        return
    most = best["Afterstate, td"]
    print("| learner | games a second | `td` is faster by |\n|---|---:|---:|")
    for name, speed in sorted(best.items(), key=lambda item: -item[1]):
        print(f"| {name} | {speed:,.0f} | {most / speed:,.1f} |")
    for name, why in missing.items():
        print(f"\n{name}: {why}")


if __name__ == "__main__":
    main()
