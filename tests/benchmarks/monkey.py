"""A monkey at the lab for long: that nothing breaks, nothing is stuck, and nothing grows.

    python tests/benchmarks/monkey.py [--events N] [--seed S] [--interpreted] [--window]

Half of the events by default, of 200,000, go to a lab with the compiler and half to one without,
each in a process of its own. A failure ends it with what led there and how to repeat it:
`--first K` passes over all strokes before the K-th, `--strokes N` ends after the N-th. With
`--window` one monkey after the other has a thousand strokes at labs in a real pseudo-terminal,
whose picture is compared with a full repaint after each storm of resizes; failures are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "robustness"))

WARM_UP = 2_000
"""Strokes before what the lab holds is counted first: by then every screen was seen."""
STRETCH = 5_000
"""Strokes between two counts."""
STROKES_AT_A_WINDOW = 1_000
MOST_REPLAYED = 20_000
"""Runs of at most so many games are played again at the end."""


async def watched(options: argparse.Namespace) -> dict[str, Any]:
    """Let the monkey loose; what was seen."""
    from monkey_cage import Cage
    from monkey_strokes import Stroke
    from monkey_world import counted, let_loose

    began = time.perf_counter()
    censuses = []
    async with Cage() as cage:
        if options.strokes:
            await let_loose(cage, options.seed, options.strokes, options.first)
        at = 0
        while not options.strokes and cage.events < options.events:
            to = at + (STRETCH if at else WARM_UP)
            await let_loose(cage, options.seed, to, at)
            if not at:
                # What is left of a lab that was left is kept until the next one is: Textual's way.
                await cage.go_home()
                await cage.do(Stroke(b"q"))
                await cage.do(Stroke(b"q", leaves=True))
            censuses.append(await counted(cage))
            at = to
            print(f"{cage.events:>9,} events  {censuses[-1]}", file=sys.__stderr__, flush=True)
    return {
        "seed": options.seed,
        "interpreted": options.interpreted,
        "events": cage.events,
        "strokes": cage.strokes,
        "seconds": time.perf_counter() - began,
        "training_share": cage.training / cage.strokes,
        "labs": cage.opened,
        "slowest_seconds": cage.slowest,
        "visits": dict(cage.visits.most_common()),
        "censuses": [asdict(census) for census in censuses],
    }


async def told(options: argparse.Namespace) -> dict[str, Any]:
    """The same; a failure is told at once, for what is left of the lab may go on for ever."""
    try:
        return await watched(options)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)


def one(options: argparse.Namespace) -> dict[str, Any]:
    """One monkey in this process, in a folder of its own."""
    from monkey_world import check_store, world

    if options.interpreted:
        os.environ["AFTERSTATE_INTERPRETED"] = "1"
    with tempfile.TemporaryDirectory() as folder, world(Path(folder)):
        found = asyncio.run(told(options))
        found["runs_replayed"] = check_store(MOST_REPLAYED)
        found["store_megabytes"] = (Path(folder) / "data" / "runs.sqlite").stat().st_size / 2**20
    return found


def windows(options: argparse.Namespace) -> dict[str, Any]:
    """Monkeys at real windows until there were so many events; each failure is told."""
    from monkey_window import Window

    counts = Counter[str]()
    seed = options.seed
    while counts["events"] < options.events:
        is_interpreted = options.interpreted or seed % 2 == 1
        with tempfile.TemporaryDirectory() as folder:
            window = Window(Path(folder), interpreted=is_interpreted)
            try:
                window.let_loose(seed, STROKES_AT_A_WINDOW)
                window.go_home()
            except Exception:
                counts["failed"] += 1
                traceback.print_exc()
            finally:
                window.close()
            counts += Counter(
                events=window.events, compared=window.compared, labs=window.opened, monkeys=1
            )
        seed += 1
        print(f"monkeys {options.seed} to {seed - 1}: {dict(counts)}", file=sys.stderr, flush=True)
    return {"seed": options.seed, "failed": 0, **counts}


def both(options: argparse.Namespace) -> list[dict[str, Any]]:
    """One with the compiler and one without, side by side."""
    command = [sys.executable, __file__, "--one", "--events", str(options.events // 2)]
    monkeys = [
        subprocess.Popen(
            [*command, "--seed", str(options.seed + number), *mode], stdout=subprocess.PIPE
        )
        for number, mode in enumerate(([], ["--interpreted"]))
    ]
    told = [monkey.communicate()[0] for monkey in monkeys]
    if any(monkey.returncode for monkey in monkeys):
        sys.exit(1)
    return [json.loads(text) for text in told]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strokes", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--interpreted", action="store_true")
    parser.add_argument("--one", action="store_true", help="one monkey, in this process")
    parser.add_argument("--window", action="store_true", help="at labs in real pseudo-terminals")
    options = parser.parse_args(arguments)
    if options.window:
        found_at_windows = windows(options)
        print(json.dumps(found_at_windows))
        sys.exit(bool(found_at_windows["failed"]))
    found = [one(options)] if options.one or options.strokes else both(options)
    print(json.dumps(found[0] if options.one else found))


if __name__ == "__main__":
    main()
