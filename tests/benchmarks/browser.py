"""The lab in a real browser: bytes, keys to paint, memory, and what visitors leave behind.

    python tests/benchmarks/browser.py [--visitors N] [--presses N] [--pictures FOLDER] [--json]

Needs the extra `web` and Debian's `chromium`; Linux only. Browser, server and labs share the
machine. From a key to its paint is from the page's `keydown` to the end of the first frame drawn
after the answer has come. Memory is the proportional set size of the server and its labs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import aiohttp
from chromium import Chromium, Tab, installed, until
from classroom import memory_of
from figures import HOME, Figure, table

DOORS = ("play it", "the tour", "quit")
STEPS = ("]", "[")


@dataclass(frozen=True)
class Served:
    """`afterstate serve`, running."""

    pid: int
    url: str
    folder: Path
    """Where the visitors' folders are."""

    @property
    def labs(self) -> list[int]:
        """The processes that it has started."""
        text = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return [int(word) for word in text.split()]

    @property
    def folders(self) -> list[Path]:
        """The visitors' folders."""
        return list(self.folder.glob("afterstate-*"))

    @property
    def open_files(self) -> int:
        """How many files it has open, sockets and terminals too."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    @property
    def megabytes(self) -> float:
        """Memory of the server and its labs."""
        return sum(memory_of(pid).pss for pid in (self.pid, *self.labs))

    def is_clean(self) -> bool:
        """Whether no visitor has left anything."""
        return not self.labs and not self.folders


def start(folder: Path) -> tuple[subprocess.Popen[str], Served]:
    """Start the server at a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = os.environ | {"TMPDIR": str(folder)}
    words = [*HOME, "serve", "--port", str(port)]
    process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.readline()
    assert "http://" in said, said
    return process, Served(process.pid, said.split()[-1], folder)


async def first_paint(tab: Tab) -> list[Figure]:
    """What comes until home is painted, its files and what the lab sends."""
    await tab.until_shown(*DOORS)
    told = tab.told
    await tab.until(lambda: tab.loaded > 0)
    return [
        Figure("files of the page", tab.loaded / 1000, None, "kB"),
        Figure(f"the lab until home is painted, {tab.size}", told / 1000, None, "kB"),
    ]


async def steps(tab: Tab, presses: int) -> list[Figure]:
    """Steps back and forth: bytes and the wait for the paint, whatever else the machine does."""
    await tab.press("s")
    await tab.until_shown("STEP", "was just played")
    await tab.until_quiet()
    await tab.run("waitsForPaint.length = 0")
    sent = []
    for number in range(presses):
        before, key = tab.told, STEPS[number // 20 % 2]
        await tab.press(key)
        await tab.until_quiet(0.15)
        sent.append(tab.told - before)
    answers, waits = map(sorted, zip(*await tab.run("waitsForPaint"), strict=True))
    assert len(waits) >= presses // 2, f"only {len(waits)} of {presses} keys were painted"
    sent.sort()
    return [
        Figure("a step, median", sent[len(sent) // 2] / 1000, None, "kB"),
        Figure("a step, the largest", sent[-1] / 1000, None, "kB"),
        Figure("from a key to its answer, median", answers[len(answers) // 2], None, "ms"),
        Figure("from a key to its paint, median", waits[len(waits) // 2], None, "ms"),
        Figure("from a key to its paint, 95%", waits[int(0.95 * len(waits))], None, "ms"),
    ]


async def measured(served: Served, given: argparse.Namespace, folder: Path) -> list[Figure]:
    """All figures, one visit after the other."""
    async with aiohttp.ClientSession() as session:
        while (await asked(session, served.url)) != 200:
            await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    alone, files = served.megabytes, served.open_files
    figures = [Figure("memory, nobody there", alone, None, "MB")]
    async with Chromium(folder / "one") as chromium:
        tab = await chromium.tab(served.url)
        figures += await first_paint(tab)
        await tab.until_quiet(1.5)
        figures.append(Figure("memory, 1 visitor at home", served.megabytes, None, "MB"))
        await pictured(tab, given.pictures, "home")
        figures += await steps(tab, given.presses)
        await pictured(tab, given.pictures, "step")
        others = [await chromium.tab(served.url) for _ in range(given.visitors - 1)]
        for other in others:
            await other.until_shown(*DOORS)
            await other.until_quiet(0.5)
        figures.append(Figure(f"memory, {given.visitors} visitors", served.megabytes, None, "MB"))
        for one in (tab, *others):
            await chromium.close(one)
        figures.append(
            Figure("from their closing to nothing left", await until(served.is_clean), None, "s")
        )
    figures.append(Figure("memory, after they have left", served.megabytes, None, "MB"))
    for name, number in (("is killed", signal.SIGKILL), ("goes silent", signal.SIGSTOP)):
        seconds = await vanish(served, folder / name, number)
        figures.append(Figure(f"a browser {name}: until nothing is left", seconds, None, "s"))
    await asyncio.sleep(2)  # connections of the page's files close after the browsers
    return [
        *figures,
        Figure("processes and folders left", len(served.labs) + len(served.folders), None, ""),
        Figure("open files left", served.open_files - files, None, ""),
    ]


async def asked(session: aiohttp.ClientSession, url: str) -> int:
    """The status of a page; 0 while nobody listens."""
    try:
        async with session.get(url) as answer:
            return answer.status
    except aiohttp.ClientConnectorError:
        return 0


async def vanish(served: Served, folder: Path, number: int) -> float:
    """Seconds until nothing is left of a visitor whose browser got a signal."""
    async with Chromium(folder) as chromium:
        tab = await chromium.tab(served.url)
        await tab.until_shown(*DOORS)
        chromium.signal(number)
        return await until(served.is_clean)


async def pictured(tab: Tab, folder: Path | None, name: str) -> None:
    """Keep a picture of the page, where a folder for them is given."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        await tab.picture(folder / f"{name}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description="the lab in a real browser")
    parser.add_argument("--visitors", type=int, default=10, help="how many at once")
    parser.add_argument("--presses", type=int, default=60, help="keys to wait for")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the page")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    given = parser.parse_args()
    if installed() is None:
        sys.exit("browser.py: needs chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="browser") as folder:
        visitors = Path(folder) / "visitors"
        visitors.mkdir()
        server, served = start(visitors)
        try:
            figures = asyncio.run(measured(served, given, Path(folder)))
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
    if given.json:
        print(json.dumps({"figures": [asdict(figure) for figure in figures]}))
    else:
        print(table("in Chromium", figures))


if __name__ == "__main__":
    main()
