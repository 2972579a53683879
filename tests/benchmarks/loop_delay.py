"""How late the event loop comes round while the lab trains, the first compilation included.

    python tests/benchmarks/loop_delay.py

Runs the lab without a terminal in this process, with a probe beside it, and prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

PAUSE = 0.002
SECONDS = 6.0


async def probe(delays: list[float], until: asyncio.Event) -> None:
    """Sleep for a moment again and again, and note how much longer it took."""
    while not until.is_set():
        began = time.perf_counter()
        await asyncio.sleep(PAUSE)
        delays.append(time.perf_counter() - began - PAUSE)


async def measure(seconds: float) -> list[float]:
    """The delays, in seconds, from the key that asks for a training on."""
    from afterstate_lab.learners.players.resolve import parse_player
    from afterstate_lab.learners.training import Goal
    from afterstate_lab.tui.app import Afterstate
    from afterstate_lab.tui.lab.modes import Settings
    from afterstate_lab.tui.screens.lab import LabScreen

    app = Afterstate(Settings(parse_player("td"), parse_player("td")))
    delays: list[float] = []
    over = asyncio.Event()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space")
        lab = app.screen
        assert isinstance(lab, LabScreen)
        watching = asyncio.create_task(probe(delays, over))
        lab.load_compiler()
        lab.start_training(Goal(10**9))
        await asyncio.sleep(seconds)
        over.set()
        await watching
        assert app.session.training is not None
        app.session.training.stop()
        await app.workers.wait_for_complete()
    return delays


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["AFTERSTATE_CACHE"] = os.environ["AFTERSTATE_DATA"] = folder
        delays = sorted(asyncio.run(measure(SECONDS)))
    shares = {"median": 0.5, "p99": 0.99, "max": 1.0}
    figures = {
        name: 1000 * delays[min(len(delays) - 1, int(share * len(delays)))]
        for name, share in shares.items()
    }
    print(json.dumps(figures | {"samples": len(delays)}))


if __name__ == "__main__":
    main()
