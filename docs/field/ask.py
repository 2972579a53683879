"""Install the players that others publish, judge them, and make the table of docs/field.md.

    python docs/field/ask.py [NAME ...]     all players of players.toml, or some
    python docs/field/ask.py --page         make only the page, from field.json

Needs pip, npm and node; the slowest players take minutes. Every verdict of `afterstate judge` is
checked by a best response that shares no code with it: `Referee` plays on strings and asks the
player itself. The script ends with an error where the two disagree.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE / "field.json"
PAGE = HERE.parent / "field.md"
PLAYERS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "players.toml").read_text())
SECONDS = 300
"""Time limit for a move: plain minimax in Python needs up to a minute for the empty board."""
WHOLE = ("minimax", "alpha-beta search")
"""The kinds that search the game to its end."""
ASKS, FEWEST, PATIENCE = 100, 8, 0.2
"""How often the referee asks a player that decides by chance on each board: the most, and the
least if the seconds for a board are over."""


def install(name: str, field: Path) -> None:
    """Install a player in a folder of its own, without the packages that it does not need here."""
    player, folder = PLAYERS[name], field / name
    if "node" in player:
        words = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(folder)]
        words.append(f"{name}@{player['version']}")
    else:
        words = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder)]
        words += [f"{name}=={player['version']}", *player.get("needs", ())]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def function(name: str) -> str:
    return name.lower().replace("-", "_")


class Referee:
    """The most that any opponent can do to a player, found with strings and nothing of ours."""

    LINES = ("012", "345", "678", "036", "147", "258", "048", "246")

    def __init__(self, name: str, asks: int) -> None:
        self.asks = self.fewest = asks
        python = [sys.executable, "-W", "ignore", str(HERE / "players.py"), function(name)]
        node = ["node", str(HERE / "players.js"), name]
        self.child = subprocess.Popen(
            node if "node" in PLAYERS[name] else python,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.answers = cache(self.answers)

    def answers(self, board: str) -> dict[str, Fraction]:
        """Return the boards after the player's answers and how often each came; "" is no move."""
        seen: Counter[str] = Counter()
        mark = "XO"[board.count("X") != board.count("O")]
        began = time.monotonic()
        while seen.total() < self.asks:
            if seen.total() >= FEWEST and time.monotonic() - began > PATIENCE:
                break
            print(board, file=self.child.stdin, flush=True)
            word = self.child.stdout.readline().strip()
            legal = word.isdigit() and 1 <= int(word) <= 9 and board[int(word) - 1] == "."
            cell = int(word) - 1 if legal else 0
            seen[board[:cell] + mark + board[cell + 1 :] if legal else ""] += 1
        self.fewest = min(self.fewest, seen.total())
        return {after: Fraction(count, seen.total()) for after, count in seen.items()}

    def won(self, board: str) -> bool:
        return any(board[int(a)] == board[int(b)] == board[int(c)] != "." for a, b, c in self.LINES)

    def worst(self, side: str) -> tuple[Fraction, int | None]:
        """Return the chance of losing to the best opponent, and the plies of the shortest loss."""

        @cache
        def solve(board: str) -> tuple[Fraction, int | None]:
            mark, plies = "XO"[board.count("X") != board.count("O")], 9 - board.count(".")
            if self.won(board) or not plies < 9:
                lost = self.won(board) and mark == side
                return Fraction(lost), plies if lost else None
            if mark == side:
                parts = [
                    (share, *(solve(after) if after else (Fraction(1), plies)))
                    for after, share in self.answers(board).items()
                ]
                chance = sum((share * lost for share, lost, _ in parts), Fraction(0))
            else:
                after = [board[:k] + mark + board[k + 1 :] for k in range(9) if board[k] == "."]
                parts = [(Fraction(1), *solve(one)) for one in after]
                chance = max(lost for _, lost, _ in parts)
            return chance, min((n for _, _, n in parts if n is not None), default=None)

        return solve("." * 9)


def judged(name: str) -> dict[str, Any]:
    """Return what `afterstate judge --json` prints."""
    agent = f"{HERE / 'players.py'}:{function(name)}"
    if "node" in PLAYERS[name]:
        agent = f"cmd:node {HERE / 'players.js'} {name}"
    agent += f":seconds={SECONDS}"
    words = [sys.executable, "-m", "afterstate_lab", "judge", agent, "--json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{name}: {done.stderr}")
    return json.loads(done.stdout)


def asked(name: str) -> dict[str, Any]:
    """Return a player's row of the data: what `judge` and the referee found, by side."""
    row: dict[str, Any] = {"version": PLAYERS[name]["version"]}
    for side, told in judged(name).items():
        referee = Referee(name, 1 if told["chance"] is None else ASKS)
        chance, plies = referee.worst(side)
        referee.child.kill()
        row[side] = {
            "beatable": told["beatable"],
            "worst_loss": round(told["worst_loss"], 4),
            "error": round(told["worst_loss_error"], 4),
            "perfect": round(told["vs_perfect"]["loss"], 4),
            "chance": told["chance"],
            "plies": told["refutation"] and len(told["refutation"]),
            "no_move": sum(told[kind]["reached"] for kind in ("illegal", "fails") if told[kind]),
            "resigns": told["resigns"]["reached"] if told["resigns"] else 0,
            "referee": {
                "worst_loss": round(float(chance), 4),
                "plies": plies,
                "asks": referee.fewest,
            },
        }
        print(name, side, json.dumps(row[side]), flush=True)
        if told["beatable"] != (chance > 0):
            raise SystemExit(f"{name} as {side}: the referee does not agree")
    return row


def lost(told: dict[str, Any]) -> str:
    """Return how a side loses: never, every time, or how often, and in how many plies."""
    if not told["beatable"]:
        most = told["worst_loss"] + told["error"]
        bound = f", below {most:.3f}" if most < 1.0 else ""
        return f"not seen{bound}" if told["chance"] == "estimated" else "never"
    share = f"{told['worst_loss']:.3f}" + (f" ± {told['error']:.3f}" if told["error"] else "")
    late = "" if told["perfect"] else " †"
    return f"{'always' if told['worst_loss'] == 1.0 else share}, {told['plies']}{late}"


def table(rows: dict[str, Any]) -> Iterator[str]:
    yield "| player | how it decides | its strongest mode | promises | as X | as O | referee |"
    yield "|---|---|---|---|---|---|---|"
    for name in sorted(rows, key=str.lower):
        player, row = PLAYERS[name], rows[name]
        found = (row[side]["referee"] for side in "XO")
        referee = ", ".join(f"{one['worst_loss']:.3f}".replace(".000", "") for one in found)
        failed = [row[side]["no_move"] for side in "XO"]
        yield (
            "| "
            + " | ".join(
                [
                    f"{name} {row['version']}",
                    player["kind"],
                    player["mode"],
                    "yes" if player.get("promises") else "",
                    *(
                        lost(row[side]) + " ✗" * bool(n)
                        for side, n in zip("XO", failed, strict=True)
                    ),
                    referee,
                ]
            )
            + " |"
        )


def facts(rows: dict[str, Any]) -> Iterator[str]:
    """Say what the table says about the field."""

    def beatable(names: list[str]) -> list[str]:
        return [one for one in names if any(rows[one][side]["beatable"] for side in "XO")]

    every = sorted(rows, key=str.lower)
    promising = [name for name in every if PLAYERS[name].get("promises")]
    searching = [name for name in every if PLAYERS[name]["kind"] in WHOLE]
    lying, wrong = beatable(promising), beatable(searching)
    sides = [(name, side) for name in every for side in "XO" if rows[name][side]["beatable"]]
    always = sum(rows[name][side]["worst_loss"] == 1.0 for name, side in sides)
    late = [f"{name} as {side}" for name, side in sides if not rows[name][side]["perfect"]]
    yield (
        f"Of {len(promising)} players that promise never to lose or to play perfectly, "
        f"{len(lying)} can be beaten: {', '.join(lying)}."
    )
    yield (
        f"Of {len(searching)} that search the whole game, {len(wrong)} can be beaten, by mistakes "
        f"in the search or around it ({', '.join(wrong)}); of the {len(every) - len(searching)} "
        f"others, {len(beatable(every)) - len(wrong)}."
    )
    yield (
        f"Of the {len(sides)} sides that can be beaten, {always} lose every time, the rest by "
        f"chance; {', '.join(late)} draws every perfect game, so that only an opponent that first "
        "lets it win gets there."
    )


def page(rows: dict[str, Any]) -> str:
    """Return the page: its text is in the page itself, around what is made from the data."""
    text = PAGE.read_text(encoding="utf-8")
    made = {"table": table(rows), "facts": ["", *(f"- {fact}" for fact in facts(rows))]}
    for name, lines in made.items():
        before, rest = text.split(f"<!-- {name} -->\n", 1)
        after = rest.split("<!-- end -->\n", 1)[1]
        inner = "\n".join(lines).strip("\n")
        text = f"{before}<!-- {name} -->\n\n{inner}\n\n<!-- end -->\n{after}"
    return text


def main() -> None:
    if "--page" not in sys.argv:
        known = json.loads(DATA.read_text()) if DATA.exists() else {}
        with tempfile.TemporaryDirectory() as folder:
            os.environ["FIELD"] = folder
            for name in sys.argv[1:] or PLAYERS:
                install(name, Path(folder))
                known[name] = asked(name)
                rows = [f"{json.dumps(one)}: {json.dumps(known[one])}" for one in sorted(known)]
                DATA.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    PAGE.write_text(page(json.loads(DATA.read_text())), encoding="utf-8")


if __name__ == "__main__":
    main()
