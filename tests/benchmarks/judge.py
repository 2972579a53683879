"""How long `afterstate judge` takes for each agent: to ask it everywhere, and then to judge it.

python tests/benchmarks/judge.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from game import Side
from game.exact import likeliest_refutation
from learners.judge.evaluated_state import Play
from learners.judge.evaluation import Evaluation
from learners.players.judged import mistakes
from learners.players.resolve import parse_player

AGENTS = Path(__file__).parents[1] / "agents"
NAMES = (
    "minimax.py:perfect", "minimax.py:quick", "minimax.py:buggy", "heuristic.py:move",
    "simple.py:first_free", "simple.py:anything", "net.py:move", "net.py:softmax",
)  # fmt: skip


def main() -> None:
    """One line for each agent, both sides together."""
    programs = [f"cmd:{sys.executable} {AGENTS / 'first_free.py'}"]
    print(f"{'agent':<24}{'boards':>8}{'asked ms':>10}{'judged ms':>11}")
    for name in [*(str(AGENTS / name) for name in NAMES), *programs]:
        spec = parse_player(name)
        asked = judged = 0.0
        boards = 0
        for side in Side:
            began = time.perf_counter()
            answers = spec.rule.answers(side, spec.settings)  # type: ignore[attr-defined]
            asked += time.perf_counter() - began
            boards += answers.answered[1]
            runs = []
            for _ in range(5):
                began = time.perf_counter()
                play = Play(answers.policy, side)
                Evaluation.of_play(name, play, answers.answered)
                likeliest_refutation(play.policy, side.player)
                list(mistakes(play))
                runs.append(time.perf_counter() - began)
            judged += sorted(runs)[2]
        label = Path(name.rpartition(" ")[2]).name
        print(f"{label:<24}{boards:>8,}{1000 * asked:>10.0f}{1000 * judged:>11.1f}")


if __name__ == "__main__":
    main()
