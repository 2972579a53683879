"""How long saves, lists and loads take, and how much they write.

Run it with `python tests/benchmarks/store.py`.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from learners.judge.curve import Point
from learners.judge.evaluation import evaluate_memory
from learners.players.resolve import parse_player
from learners.runs.store import Store
from learners.runs.verify import verify
from learners.tape.run import Run


def milliseconds(work: Callable[[], object], times: int = 1) -> float:
    """The median of what something takes."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def point(run: Run) -> Point:
    """The run on its learning curve."""
    return Point(run.games, (1, 2, 3), evaluate_memory(run.layout, run.memory))


def measure(folder: Path, spec: str) -> None:
    """Save a run of a million games, go on with it, and save again and again."""
    player = parse_player(spec)
    path = folder / f"{spec}.sqlite"
    store = Store.open(path)
    run = Run(player, player)
    run.kernel().compile()
    points = []
    for _ in range(200):
        run.train(5_000)
        points.append(point(run))
    began = time.perf_counter()
    stored = store.save(run, history=points)
    print(
        f"{spec}: first save of {run.games:,} games {1000 * (time.perf_counter() - began):.1f} ms"
    )
    print(f"  file and log {size(path) / 1e6:.2f} MB")
    for games in (1_000, 100_000):
        taken, written = [], []
        for _ in range(20):
            run.train(games)
            points.append(point(run))
            state, before = run.state(), bytes_written()
            began = time.perf_counter()
            stored = store.save(state, into=stored, history=points)
            taken.append(1000 * (time.perf_counter() - began))
            written.append(bytes_written() - before)
        print(
            f"  save after {games:,} more: median {statistics.median(taken):.1f} ms, "
            f"longest {max(taken):.1f} ms; writes {statistics.median(written) / 1e3:.0f} kB, "
            f"at most {max(written) / 1e3:.0f} kB"
        )
    print(f"  load {milliseconds(lambda: store.load(stored.id), 5):.1f} ms")
    loaded = store.load(stored.id)
    print(f"  verify {milliseconds(lambda: verify(loaded)):.0f} ms")


def bytes_written() -> int:
    """What this process has written so far; 0 where the system does not tell."""
    told = Path("/proc/self/io")
    lines = told.read_text().splitlines() if told.exists() else []
    return sum(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def size(path: Path) -> int:
    """Bytes of a store and its log."""
    return sum(file.stat().st_size for file in path.parent.glob(path.name + "*"))


def measure_list(folder: Path) -> None:
    """List a thousand runs."""
    with Store.open(folder / "many.sqlite") as store:
        player = parse_player("td")
        run = Run(player, player)
        run.train(100)
        for _ in range(1_000):
            store.save(run)
        print(f"list of 1,000 runs {milliseconds(store.list, 5):.1f} ms")
        print(f"  latest {milliseconds(store.latest, 5):.2f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as found:
        for which in ("td", "q"):
            measure(Path(found), which)
        measure_list(Path(found))
