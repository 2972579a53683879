"""What the lab costs over ssh: keys on a slow line.

    python tests/benchmarks/ssh.py keys [--rounds N] [--delay MS] [--rate BITS] [--compress]
    python tests/benchmarks/ssh.py class [--followers N] [--steps N] [--pause SECONDS]

A real sshd and ssh, started by this user. `keys` puts a slow line between them: `--delay 50` adds
100 ms to a round trip; a character through `cat` tells what line and encryption cost with no lab.
In `class` each follower has an ssh, a terminal, and `afterstate follow --fast` on one file that
grows by a place at a time; delays are from the line in the file to the bytes in a terminal.
Processor and memory are those of one lab (Linux).
"""

import asyncio
import random
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from threading import Thread

from figures import Figure, options_of, tell
from labs import PANES, is_free, pressed, train
from pseudo_terminal import PseudoTerminal
from sshd import ADDRESS, NoServerError, Sshd
from terminal import late

QUIET, PATIENCE = 0.4, 60.0
"""Seconds without a byte after which a painting is over; and those that anything may take."""
PACKET = 1_448
RUN = "afterstate:1/td/td/4/2000"
GAMES = (1990, 1750, 1500, 1250, 1000, 750, 500, 250)
EVENTS = ("1", "1.2.1", "1.2", "2", "2.2.1", "2.2", "3", "3.2.1", "3.2", "4")
"""Places in a game: a move, the target of its backup, what it wrote, and on."""
PLACES = [f"@{game}.{event}" for game in GAMES for event in EVENTS]
Key = str | Callable[[PseudoTerminal], str]


class SlowLine:
    """A port that leads to another port: so much later, and so many bits a second, each way."""

    def __init__(self, port: int, milliseconds: float, bits: int) -> None:
        self._to, self._delay, self._seconds_a_byte = port, milliseconds / 1000, 8 / bits
        self.came_back = 0
        """Bytes towards who connected."""
        self._loop = asyncio.new_event_loop()
        opening = asyncio.start_server(self._join, ADDRESS, 0)
        self.port: int = self._loop.run_until_complete(opening).sockets[0].getsockname()[1]
        Thread(target=self._loop.run_forever, daemon=True).start()

    async def _join(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        far, to_far = await asyncio.open_connection(ADDRESS, self._to)
        await asyncio.gather(self._carry(near, to_far, 0), self._carry(far, to_near, 1))

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, back: int
    ) -> None:
        while data := await source.read(PACKET):
            await asyncio.sleep(len(data) * self._seconds_a_byte)
            self.came_back += back * len(data)
            self._loop.call_later(self._delay, target.write, data)
        self._loop.call_later(self._delay, target.close)


class Journey:
    def __init__(self, server: Sshd, line: SlowLine, rounds: int, options: list[str]) -> None:
        self._server, self._line, self._rounds = server, line, rounds
        alias = f"HostKeyAlias=[{ADDRESS}]:{server.port}"
        self._options = ["-p", str(line.port), "-o", alias, *options]
        self._dice = random.Random(1)

    def log_in(self, command: str) -> PseudoTerminal:
        return PseudoTerminal(self._server.client(command, options=self._options))

    def delays(
        self, name: str, terminal: PseudoTerminal, *keys: tuple[Key, str], at_rest: bool = True
    ) -> Iterator[Figure]:
        """Of keys in turn, each with what it shows (after `!`: no longer; nothing: a change)."""
        first, last = [], []
        for key, shown in keys * self._rounds:
            pressed = key(terminal) if callable(key) else key
            terminal.read(self._dice.uniform(0.2, 0.6))
            before, began = terminal.text, time.perf_counter()

            def is_shown(before: str = before, shown: str = shown) -> bool:
                now = terminal.text
                return now != before and (shown.lstrip("!") in now) != shown.startswith("!")

            terminal.press(pressed)
            terminal.read_until(is_shown, PATIENCE)
            first.append(1000 * (terminal.last_byte - began))
            if at_rest:
                terminal.read_until_quiet(QUIET)
                last.append(1000 * (terminal.last_byte - began))
        for kind, delays in (("first byte", first), ("last byte", last)):
            if delays:
                yield Figure(f"{name}, {kind}, median", median(delays), None, "ms")
                yield Figure(f"{name}, {kind}, p95", late(delays), None, "ms")

    def cost(self, name: str, begin: Callable[[], object]) -> list[Figure]:
        before, began = self._line.came_back, time.perf_counter()
        begin()
        seconds, came = time.perf_counter() - began, self._line.came_back - before
        return [Figure(name, seconds, None, "s"), Figure(f"{name}, line", came / 1000, None, "kB")]

    def measured(self) -> Iterator[Figure]:
        with self.log_in("stty raw -echo; echo ready; exec cat") as terminal:
            terminal.read_until_shown("ready", seconds=PATIENCE)
            yield from self.delays("a character through cat", terminal, ("x", ""))
        with self.log_in("true") as terminal:
            yield from self.cost("log in, without the lab", lambda: terminal.wait(PATIENCE))
        with self.log_in("afterstate --seed 0") as terminal:
            yield from self.cost(
                "log in until the whole picture",
                lambda: terminal.read_until_shown(*PANES, seconds=PATIENCE),
            )
            train(terminal, "20000", PATIENCE)
            terminal.read_until_shown("20,000 games in", seconds=PATIENCE)
            pressed(terminal, "s", quiet=QUIET)
            pressed(terminal, "home", quiet=QUIET)
            yield from self.delays("a step", terminal, ("right", ""))
            helps = ("?", "four tabs"), ("enter", "!four tabs")
            yield from self.delays("help opened or closed", terminal, *helps)
            pressed(terminal, "p", quiet=QUIET)
            yield from self.delays("a move in play", terminal, (free_cell, ""))
            train(terminal, seconds=PATIENCE)
            terminal.read(5)
            written = len(terminal.written)
            _, line = self.cost("training", lambda: terminal.read(10))
            lab = (len(terminal.written) - written) / 1000
            yield Figure("training, of the lab", lab / 10, None, "kB/s")
            yield Figure("training, on the line", line.value / 10, None, "kB/s")
            yield from self.delays("help while training", terminal, *helps, at_rest=False)


def free_cell(terminal: PseudoTerminal) -> str:
    pressed(terminal, "n", quiet=QUIET)
    return next(cell for cell in "519736428" if is_free(terminal, cell))


def keys(server: Sshd, given: Namespace) -> list[Figure]:
    line = SlowLine(server.port, given.delay, given.rate)
    return [*Journey(server, line, given.rounds, ["-C"] if given.compress else []).measured()]


def main() -> None:
    given = options_of(
        __doc__,
        ("--rounds", {"type": int, "default": 30, "help": "how often each key is tried"}),
        ("--delay", {"type": float, "default": 50.0, "help": "milliseconds, each way"}),
        ("--rate", {"type": int, "default": 128_000, "help": "bits a second, each way"}),
        ("--compress", {"action": "store_true", "help": "ssh -C"}),
    )
    try:
        with tempfile.TemporaryDirectory(prefix="ssh") as folder, Sshd(Path(folder)) as server:
            server.check()
            figures = keys(server, given)
    except NoServerError as error:
        sys.exit(str(error))
    tell("ssh, keys", figures, given)


if __name__ == "__main__":
    main()
