"""What to expect of each learner: how many seeds are unbeatable after how many games.

    python docs/expectations.py [--seeds 1000] [--many 100] [--page]

Writes docs/expectations.json as it goes, and leaves out what is there; then docs/expect.md, whose
tables are made from it. `--page` makes only the page. `--many` is the number of seeds of a million
games. Half an hour of processor time with the usual numbers.
"""

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path

from afterstate_lab.learners.experiments.expect import LEVELS, sampled
from afterstate_lab.learners.judge.figures import LOSS, WIN
from afterstate_lab.learners.players.resolve import parse_player

DOCS = Path(__file__).parent
DATA, PAGE = DOCS / "expectations.json", DOCS / "expect.md"
LEARNERS = (
    "td", "mc", "nstep", "tdlambda", "chain", "negamax", "q", "sarsa", "expected-sarsa", "double-q",
    "menace",
)  # fmt: skip
VARIANTS = (
    "td:alpha=0.03", "td:alpha=0.3", "td:step=1/n", "td:epsilon=0.03", "td:epsilon=0.3",
    "td:draw=0", "td:draw=0.25", "td:initial=0", "td:initial=1", "td:symmetry=on",
    "td:exploration=learn", "tdlambda:lambda=0.5", "tdlambda:lambda=0.95",
)  # fmt: skip
OPPONENTS = (("td", "random"), ("random", "td"), ("td", "perfect"), ("perfect", "td"))
LOOKS = (*(digit * 10**power for power in (2, 3, 4) for digit in range(1, 10)), 100_000)
LATE = tuple(digit * 10**5 for digit in range(2, 11))
SHOWN = (1_000, 10_000, 100_000, 1_000_000)


def measured(x: str, o: str, seeds: int, many: int) -> dict[str, object]:
    """Return counts of unbeatable seeds by games, and quantiles of results after 20,000 games."""
    pair = parse_player(x), parse_player(o)
    row: dict[str, object] = {"x": x, "o": o, "seeds": seeds, "many": many}
    early, at_20k = sampled(*pair, LOOKS, seeds), sampled(*pair, (20_000,), seeds)
    late = sampled(*pair, LATE, many) if many else None
    for n, side in enumerate(early.sides):
        counts = dict(zip(LOOKS, (early.values[:, n] == 0.0).sum(axis=0).tolist(), strict=True))
        if late is not None:
            counts |= dict(zip(LATE, (late.values[:, n] == 0.0).sum(axis=0).tolist(), strict=True))
        levels = at_20k.levels(side)
        row[side.mark] = {
            "unbeatable": counts,
            **{m.name: [round(levels[m][k], 4) for k in LEVELS] for m in (WIN, LOSS)},
        }
    row["draw_each_other"] = int(at_20k.draws.sum())
    row["both_unbeatable"] = int((at_20k.draws & (at_20k.values[..., -1] == 0.0).all(1)).sum())
    return row


def wanted(many: int) -> Iterator[tuple[str, str, int]]:
    yield from ((one, one, many) for one in LEARNERS)
    yield from ((one, one, 0) for one in VARIANTS)
    yield from ((x, o, 0) for x, o in OPPONENTS)


def first(row: dict, mark: str, share: float) -> str:
    """Return after how many games a share of the seeds is unbeatable."""
    for games, count in row[mark]["unbeatable"].items():
        if count >= share * (row["seeds"] if int(games) <= LOOKS[-1] else row["many"]):
            return f"{int(games):,}"
    return f"> {int(games):,}"


def interval(count: int, seeds: int) -> str:
    """Return a share with its 95% interval (Wilson), in percent."""
    p, z = count / seeds, 1.96
    middle = (p + z * z / (2 * seeds)) / (1 + z * z / seeds)
    half = z / (1 + z * z / seeds) * math.sqrt(p * (1 - p) / seeds + z * z / (4 * seeds**2))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * p:.0f} ({100 * low:.0f}–{100 * high:.0f})"


def shares(row: dict, mark: str) -> list[str]:
    known = row[mark]["unbeatable"]
    return [
        interval(known[str(games)], row["seeds"] if games <= LOOKS[-1] else row["many"])
        if str(games) in known
        else ""
        for games in SHOWN
    ]


def table(rows: list[dict], marks: str = "XO") -> Iterator[str]:
    yield "| X, O | side | half after | 95% after | 1k | 10k | 100k | 1M |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for row in rows:
        name = row["x"] if row["x"] == row["o"] else f"{row['x']}, {row['o']}"
        for mark in marks:
            if mark in row:
                cells = first(row, mark, 0.5), first(row, mark, 0.95), *shares(row, mark)
                yield f"| `{name}` | {mark} | {' | '.join(cells)} |"


def results(rows: list[dict]) -> Iterator[str]:
    yield "| learner | side | wins: 5% | median | 95% | loses: 5% | median | 95% |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for row in rows:
        for mark in "XO":
            win, loss = (row[mark][name][1:4] for name in ("win", "loss"))
            cells = [f"{100 * one:.1f}" for one in (*win, *loss)]
            yield f"| `{row['x']}` | {mark} | {' | '.join(cells)} |"


def facts(by: dict[tuple[str, str], dict]) -> Iterator[str]:
    """Say what nobody guesses."""
    td, q, expected, worthless, shared = (
        by[name, name] for name in ("td", "q", "expected-sarsa", "td:draw=0", "td:symmetry=on")
    )
    yield (
        f"- **Draws prove nothing.** After 20,000 games {td['draw_each_other']} of {td['seeds']} "
        f"pairs of `td` draw all greedy games against each other; {td['both_unbeatable']} of these "
        "pairs are unbeatable."
    )
    yield (
        f"- **O is the test.** Half of the X of `td` are unbeatable after {first(td, 'X', 0.5)} "
        f"games, half of the O after {first(td, 'O', 0.5)}."
    )
    yield (
        f"- **Q-learning is slow here.** Half of its X need {first(q, 'X', 0.5)} games, those of "
        f"Expected Sarsa {first(expected, 'X', 0.5)}."
    )
    yield (
        f"- **A draw is worth something.** With `draw=0`, {shares(worthless, 'O')[2]}% of the O "
        "are unbeatable after 100,000 games: O sees no difference between a draw and a loss."
    )
    yield (
        f"- **Symmetry is worth most.** With `symmetry=on` half of the X need "
        f"{first(shared, 'X', 0.5)} games, and half of the O {first(shared, 'O', 0.5)}."
    )


def page(rows: list[dict]) -> str:
    """Return the page: its text is in the page itself, between the tables."""
    by = {(row["x"], row["o"]): row for row in rows}
    tables = {
        "learners": table([by[one, one] for one in LEARNERS if (one, one) in by]),
        "options": table([by[one, one] for one in ("td", *VARIANTS) if (one, one) in by]),
        "opponents": table([by[pair] for pair in OPPONENTS if pair in by]),
        "facts": facts(by),
        "results": results([by[one, one] for one in LEARNERS if (one, one) in by]),
    }
    text = PAGE.read_text(encoding="utf-8")
    for name, lines in tables.items():
        before, rest = text.split(f"<!-- {name} -->\n", 1)
        after = rest.split("<!-- end -->\n", 1)[1]
        text = "".join(
            [
                before,
                f"<!-- {name} -->\n\n",
                *(f"{line}\n" for line in lines),
                "\n<!-- end -->\n",
                after,
            ]
        )
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--many", type=int, default=100)
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    rows = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else []
    known = {(row["x"], row["o"]) for row in rows}
    for x, o, many in [] if given.page else wanted(given.many):
        if (x, o) not in known:
            rows.append(measured(x, o, given.seeds, many))
            DATA.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n", encoding="utf-8")
            print(x, o, flush=True)
    rows = json.loads(DATA.read_text(encoding="utf-8"))
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
