"""The lab is ended in every way, at moments of a dice's choice: what is left of it?

    python tests/benchmarks/kills.py [--kills N] [--seed S] [--first K]

Each lab of its own in a real pseudo-terminal plays, trains, runs an experiment, saves under names,
or waits for the compiler (Linux). After `kill -9` the store must hold every run that it held right
before, and every name that was announced. After a signal, Ctrl-C behind 5,000 keys or a closed
terminal it must also hold what the screen told last, and the terminal must be given back. The lab,
opened again, goes on with the run. Each run must replay to the same bits, and each finished trial
of an experiment must be one of those of an experiment that nobody disturbed.
Nothing that the lab started may be left running after a second, and no traceback may have been
shown. A failure is told with its number: `--first K --kills 1` does that one again. Status 1 where
there was one.
"""

import argparse
import json
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import labs
from pseudo_terminal import SAFE_ESCAPE, PseudoTerminal

sys.path.append(str(Path(__file__).parents[1] / "learners"))
from made import TINY, differs

from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.runs.store import Store

PLAIN = (*labs.HOME, "play", "--plain", "--seed", "0")
PROMPT, SLACK = 1.0, 2.0
"""Seconds in which all processes of a lab must be gone, and by how much a machine may be slower."""
SAVED_AS = re.compile(rb"Saved as name(\d+)\.")
CELLS = "519736428" * 3
"""Marked more often than a new game begins; a taken one is refused."""
NAMES = 60
"""So many names one run is given, one after the other."""
PLAN = TINY.replace("Tiny", "Killed").replace("300", "5000").replace("seeds = 3", "seeds = 40")


def play(terminal: PseudoTerminal, dice: random.Random) -> None:
    terminal.press("p")
    until = time.perf_counter() + dice.uniform(0.0, 3.0)
    while time.perf_counter() < until:
        terminal.press(dice.choice(CELLS + "n"))
        terminal.read(dice.uniform(0.0, 0.2))


def train_long(terminal: PseudoTerminal, dice: random.Random) -> None:
    """Train, and save every five seconds, and whenever a training ends."""
    for _ in range(dice.randint(0, 2)):
        labs.train(terminal, str(dice.randint(2_000, 20_000)))
        terminal.read(dice.uniform(0.0, 1.0))
        terminal.send(SAFE_ESCAPE)
        terminal.read_until_shown("space train")
    labs.train(terminal, dice.choice(("50k", "300k", "1000m")))
    terminal.read(dice.choice((1.0, 1.0, 6.0)) * dice.random())


def experiment(terminal: PseudoTerminal, dice: random.Random) -> None:
    terminal.press(":", "experiments killed.toml", "enter")
    terminal.read_until_shown("Killed", "40 seeds")
    terminal.press("space")
    terminal.read_until_shown("P(better)")
    terminal.read(dice.uniform(0.0, 3.0))


def save(terminal: PseudoTerminal, dice: random.Random) -> None:
    """Train a little and save under another name, without a pause."""
    lines = (f"train {dice.randint(1, 900)}\rsave as name{number}\r" for number in range(NAMES))
    terminal.send("".join(lines).encode())
    terminal.read(dice.uniform(0.0, 3.0))


def compile_first(terminal: PseudoTerminal, dice: random.Random) -> None:
    terminal.press("t")
    terminal.read_until_shown("how many games")
    terminal.press("1000m", "enter")
    terminal.read(dice.uniform(0.0, 10.0))


KINDS: dict[str, Callable[[PseudoTerminal, random.Random], None]] = {
    "playing": play,
    "training": train_long,
    "experiment": experiment,
    "saving": save,
    "compiling": compile_first,
}
"""What a lab is ended in; where it compiles, nothing is compiled yet."""


def behind_keys(terminal: PseudoTerminal) -> None:
    terminal.type_ahead(b"." * 5_000)
    terminal.press("ctrl+c")


KILL = "SIGKILL"
ENDS = labs.WAYS | {"Ctrl-C": behind_keys}


class Held(NamedTuple):
    """What the data of a lab hold."""

    runs: dict[int, tuple[str, int, int]]
    """Of each run its name, games and moves of the game that goes on."""
    trials: list[str]
    """The finished trials of the experiment."""


def held(data: Path) -> Held:
    runs = {}
    if (data / "runs.sqlite").exists():
        store = Store.open(data / "runs.sqlite")
        for info in store.list():
            loaded = store.load(info.id)
            runs[info.id] = info.name, loaded.run.games, len(loaded.script)
    journals = data.glob("experiments/*/journal.jsonl")
    lines = (line for journal in journals for line in journal.read_text().splitlines(True))
    return Held(runs, [line for line in lines if line.endswith("\n")])


def failures(
    kind: str, way: str, folder: Path, cache: Path, undisturbed: set[str], dice: random.Random
) -> list[str]:
    data = folder / "data"
    (folder / "killed.toml").write_text(PLAN)
    env = {"HOME": str(folder), "AFTERSTATE_DATA": str(data)}
    env["AFTERSTATE_CACHE"] = str(folder / "cache" if kind == "compiling" else cache)
    if kind not in ("compiling", "training") and dice.random() < 0.3:
        env["AFTERSTATE_INTERPRETED"] = "1"
    is_plain = kind == "saving"
    there = ("env", "-C", str(folder), *(PLAIN if is_plain else labs.LAB))
    with PseudoTerminal(there, env=env) as terminal:
        terminal.read_until_shown(*(["your move"] if is_plain else labs.PANES))
        KINDS[kind](terminal, dice)
        wrong = [f"it ended with {terminal.status}"] if terminal.is_over() else []
        told = labs.games_shown(terminal) if way != KILL else 0
        announced = max(map(int, SAVED_AS.findall(terminal.written)), default=-1)
        before = held(data)
        ENDS[way](terminal)
        prompt = PROMPT * (1.0 if way == KILL else SLACK)
        left = labs.left_of(terminal, "AFTERSTATE_DATA", str(data), prompt)
        wrong += [f"still running: {process}" for process in left]
        terminal.wait()
        if b"Traceback" in terminal.written:
            wrong.append(terminal.written[-3_000:].decode(errors="replace"))
        if way not in (KILL, "closed") and not terminal.is_given_back:
            wrong.append("the terminal was not given back")
    after = held(data)
    wrong += losses(before, after, announced, undisturbed)
    for number in after.runs:
        wrong += differs(Store.open(data / "runs.sqlite").load(number))
    saved = max((games for _, games, _ in after.runs.values()), default=0)
    if saved < told:
        wrong.append(f"{told} games were told, {saved} are saved")
    return wrong + (hindrance(there, env) if after.runs and not is_plain else [])


def hindrance(there: tuple[str, ...], env: dict[str, str]) -> list[str]:
    """Why the lab, opened again at home, does not go on with the run."""
    command = tuple(word for word in there if word not in ("--seed", "0"))
    with PseudoTerminal(command, env=env | {"AFTERSTATE_INTERPRETED": "1"}) as terminal:
        try:
            terminal.read_until_shown("continue ")
            terminal.press("c")
            terminal.read_until_shown("Resumed")
        except TimeoutError as error:
            return [f"the lab does not go on: {error}"]
        terminal.press("q", "q")
        status = terminal.wait()
        return [f"the lab that went on ended with {status}"] if status else []


def losses(before: Held, after: Held, announced: int, undisturbed: set[str]) -> list[str]:
    wrong = [
        f"run {number} was {was}, is {after.runs.get(number)}"
        for number, was in before.runs.items()
        if after.runs.get(number, ("", -1, -1))[1:] < was[1:]
    ]
    names = {name for name, *_ in after.runs.values()}
    if announced >= 0 and not names & {f"name{number}" for number in range(announced, NAMES)}:
        wrong.append(f"name{announced} was announced, there is {names}")
    if after.trials[: len(before.trials)] != before.trials:
        wrong.append("the journal lost a trial")
    return wrong + [f"another trial: {one}" for one in after.trials if bits(one) not in undisturbed]


def bits(line: str) -> str:
    trial = json.loads(line)
    return json.dumps({key: trial[key] for key in sorted(trial) if key != "seconds"})


def killed(kills: int, seed: int, first: int = 0) -> Iterator[tuple[int, str, list[str]]]:
    """End so many labs; of each its number, its kind and way, and what is wrong.

    Every second one is killed, in all kinds of work in turn; the others play or train.
    """
    others = [name for name in ENDS if name != KILL]
    with tempfile.TemporaryDirectory(prefix="kills") as folder:
        calm = Path(folder) / "undisturbed"
        Experiment(Plan.parse(PLAN, "killed.toml"), calm).work()
        undisturbed = {bits(line) for line in (calm / "journal.jsonl").read_text().splitlines()}
        for number in range(first, first + kills):
            way = KILL if number % 2 else others[number // 2 % len(others)]
            kinds = list(KINDS)[: None if way == KILL else 2]
            kind = kinds[number // 2 % len(kinds)]
            here = Path(folder) / str(number)
            here.mkdir()
            cache, dice = Path(folder) / "cache", random.Random(f"{seed} {number}")
            try:
                wrong = failures(kind, way, here, cache, undisturbed, dice)
            except Exception:
                wrong = [traceback.format_exc()]
            yield number, f"{kind}, {way}", wrong
            shutil.rmtree(here)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="pass over the kills before this one")
    given = parser.parse_args()
    failed = 0
    for number, kind, wrong in killed(given.kills, given.seed, given.first):
        failed += bool(wrong)
        for text in wrong:
            print(f"kill {number}, {kind}: {text}", file=sys.stderr, flush=True)
        if (number + 1) % 20 == 0:
            print(f"{number + 1} kills, {failed} failed", flush=True)
    print(f"{given.kills} kills, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
