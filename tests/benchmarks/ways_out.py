"""Every way out of the lab, again and again, at moments of a dice's choice: what is left after it.

    python tests/benchmarks/ways_out.py [--json] [--tries N] [--seed N] [--way NAME] [--check]

Each try is a lab of its own in a real pseudo-terminal that trains or is played against until it is
ended. After a signal or a closed terminal the store must hold at least what the screen told last;
after SIGKILL, which nothing can catch, at least what it held right before. Then the lab is opened
again and goes on with the run (`c`). `--check` ends with status 1 where anything is missing.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from labs import PANES, games_shown, is_free, is_restored, train
from pseudo_terminal import PseudoTerminal

from afterstate_lab.learners.runs.store import Store

HOME = (sys.executable, "-m", "afterstate_lab")
LAB = (*HOME, "--seed", "0")
LONGEST = 7.0
"""Seconds of training, at most: longer than from one save to the next."""
PATIENCE = 30.0
PROMPT = 1.0
"""Seconds in which the process is to be gone."""
SLACK = 2.0
"""By which `--check` lets it take longer, for a machine that others use as well."""
Progress = tuple[int, int]
"""Games that are over, and moves of a person in the one that is not."""


@dataclass(frozen=True)
class Way:
    """A way out."""

    name: str
    take: Callable[[PseudoTerminal], None]
    is_caught: bool = True
    """Whether the lab can still do something."""
    restores: bool = True
    """Whether there is still a terminal to be restored."""
    ahead: bytes = b""
    """What is typed before it, faster than the lab can answer."""


WAYS = (
    Way("SIGHUP", lambda terminal: terminal.signal(signal.SIGHUP)),
    Way("SIGTERM", lambda terminal: terminal.signal(signal.SIGTERM)),
    Way("SIGINT", lambda terminal: terminal.signal(signal.SIGINT)),
    Way("SIGQUIT", lambda terminal: terminal.signal(signal.SIGQUIT)),
    Way("Ctrl-C behind 5,000 keys", lambda terminal: terminal.press("ctrl+c"), ahead=b"." * 5_000),
    Way("closed terminal", PseudoTerminal.close, restores=False),
    Way(
        "SIGKILL",
        lambda terminal: terminal.signal(signal.SIGKILL),
        is_caught=False,
        restores=False,
    ),
)


@dataclass
class Count:
    """What came of the tries of one way."""

    way: Way
    tries: int = 0
    had_work: int = 0
    """Tries that had anything to save."""
    saved: int = 0
    went_on: int = 0
    restored: int = 0
    seconds: list[float] = field(default_factory=list)
    """Until the process was gone."""
    missing: list[str] = field(default_factory=list)
    """What was not there, try by try."""

    def told(self) -> dict[str, object]:
        """The figures."""
        return {
            "way": self.way.name,
            "tries": self.tries,
            "had_work": self.had_work,
            "saved": self.saved,
            "went_on": self.went_on,
            "restored": self.restored if self.way.restores else None,
            "seconds_median": statistics.median(self.seconds),
            "seconds_max": max(self.seconds),
            "missing": self.missing,
        }

    def is_whole(self) -> bool:
        """Whether nothing was missing."""
        is_prompt = max(self.seconds) <= PROMPT * SLACK
        restored = self.restored == self.tries or not self.way.restores
        return is_prompt and restored and not self.missing


def open_lab(
    folder: Path, cache: Path, *, interpreted: bool, command: tuple[str, ...] = LAB
) -> PseudoTerminal:
    """A lab that keeps its runs in a folder."""
    env = {"AFTERSTATE_DATA": str(folder), "AFTERSTATE_CACHE": str(cache)}
    return PseudoTerminal(
        command, env=env | ({"AFTERSTATE_INTERPRETED": "1"} if interpreted else {})
    )


def play(terminal: PseudoTerminal, dice: random.Random) -> Progress:
    """Play some moves against the learner; what the screen tells of them then."""
    terminal.press("p")
    terminal.read_until(lambda: " PLAY " in terminal.lines[0], PATIENCE)
    moves = 0
    for _ in range(dice.randrange(1, 4)):
        before = terminal.lines[0]
        terminal.press(next(cell for cell in "519736428" if is_free(terminal, cell)))
        terminal.read_until(lambda: terminal.lines[0] != before, PATIENCE)  # noqa: B023
        moves += 1
        terminal.read(dice.uniform(0.0, 0.3))
        if any(word in terminal.lines[1] for word in ("wins", "drawn")):
            return 1, 0
    return 0, moves


def work(terminal: PseudoTerminal, dice: random.Random) -> Progress:
    """Train or play, for as long as the dice say; what the screen told last."""
    terminal.read_until_shown(*PANES, seconds=PATIENCE)
    if dice.random() < 0.4:
        return play(terminal, dice)
    train(terminal, seconds=PATIENCE)
    terminal.read(dice.uniform(0.0, LONGEST))
    return games_shown(terminal), 0


def saved(folder: Path) -> Progress:
    """What the store of a folder holds."""
    path = folder / "runs.sqlite"
    if not path.exists():
        return 0, 0
    with Store.open(path) as store:
        if (latest := store.latest()) is None:
            return 0, 0
        loaded = store.load(latest.id)
    return loaded.run.games, len(loaded.pending.script) if loaded.pending else 0


def hindrance(folder: Path, cache: Path) -> str:
    """Why the lab, opened again, does not go on with the run; empty where it does."""
    with open_lab(folder, cache, interpreted=True, command=HOME) as terminal:
        try:
            terminal.read_until_shown("continue ", seconds=PATIENCE)
            terminal.press("c")
            terminal.read_until_shown("Going on with", seconds=PATIENCE)
        except TimeoutError as error:
            return f"the lab does not go on: {error}"
        terminal.press("q", "q")
        status = terminal.wait(PATIENCE)
        return "" if status == 0 else f"the lab that went on ended with {status}"


def attempt(count: Count, folder: Path, cache: Path, dice: random.Random) -> None:
    """Take a way out once, and look at what is left."""
    way = count.way
    with open_lab(folder, cache, interpreted=dice.random() < 0.5) as terminal:
        told = work(terminal, dice)
        wanted = told if way.is_caught else saved(folder)
        terminal.type_ahead(way.ahead)
        began = time.perf_counter()
        way.take(terminal)
        terminal.wait(PATIENCE)
        count.seconds.append(time.perf_counter() - began)
        count.tries += 1
        count.restored += bool(
            way.restores and is_restored(terminal) and terminal.settings == terminal.before
        )
    found = saved(folder)
    if found < wanted:
        count.missing.append(f"{wanted} were told, {found} are saved")
    if found > (0, 0):
        count.had_work += 1
        count.saved += found >= wanted
        if reason := hindrance(folder, cache):
            count.missing.append(reason)
        else:
            count.went_on += 1


def measure(tries: int, seed: int, name: str = "") -> list[Count]:
    """Try the ways whose name contains a word in turn, so many times in all."""
    dice = random.Random(seed)
    counts = [Count(way) for way in WAYS if name in way.name]
    with tempfile.TemporaryDirectory(prefix="ways") as folder:
        cache = Path(folder) / "cache"
        for number in range(tries):
            attempt(counts[number % len(counts)], Path(folder) / str(number), cache, dice)
    return [count for count in counts if count.tries]


def main() -> None:
    parser = argparse.ArgumentParser(description="what is left after each way out of the lab")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--check", action="store_true", help="status 1 where anything is missing")
    parser.add_argument("--tries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--way", default="", help="only ways with this in their name")
    given = parser.parse_args()
    counts = measure(given.tries, given.seed, given.way)
    if given.json:
        print(json.dumps({"ways": [count.told() for count in counts]}))
    else:
        print("| way out | tries | saved | went on | restored | gone, median | gone, most |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for count in counts:
            restored = f"{count.restored}" if count.way.restores else "—"
            print(
                f"| {count.way.name} | {count.tries} | {count.saved} of {count.had_work} "
                f"| {count.went_on} | {restored} | {statistics.median(count.seconds):.2f} s "
                f"| {max(count.seconds):.2f} s |"
            )
            for missing in count.missing:
                print(f"  {count.way.name}: {missing}")
    if given.check:
        sys.exit(not all(count.is_whole() for count in counts))


if __name__ == "__main__":
    main()
