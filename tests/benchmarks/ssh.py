"""How soon a key shows over SSH on a slow line: a real sshd and ssh with the line between them.

    python tests/benchmarks/ssh.py [--rounds N] [--delay MS ...] [--rate BITS] [--compress]

The delay is that of each way: 50 adds 100 ms to a round trip, 100 adds 200 ms. The round trip that
stands beside the keys is that of one character through the same `ssh` and a plain `cat`: delay,
rate and encryption, with no lab. Needs root, for the line (see slow_line.py).
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from labs import PANES, is_free, train
from pseudo_terminal import PseudoTerminal
from slow_line import ADDRESSES, NoLineError, SlowLine
from sshd import NoServerError, Sshd

DELAYS = (50.0, 100.0)
"""Milliseconds, each way: 100 ms more for a round trip, and 100 ms more each way."""
RATE = 128_000
"""Bits a second, each way."""
QUIET = 1.0
"""Seconds without a byte after which a painting is over."""
PATIENCE = 60.0
Shown = Callable[[PseudoTerminal], bool]


@dataclass
class Delays:
    """How long some kind of key took, in milliseconds."""

    name: str
    first: list[float] = field(default_factory=list)
    """Until the screen showed what the key was to bring."""
    last: list[float] = field(default_factory=list)
    """Until the last byte of it, where nothing else is painted."""

    def told(self) -> dict[str, object]:
        """The figures."""
        return {"name": self.name, "first": spread(self.first), "last": spread(self.last)}


def spread(milliseconds: Sequence[float]) -> dict[str, float] | None:
    """Median, 95th percentile and most; None where there is nothing."""
    if not milliseconds:
        return None
    ordered = sorted(milliseconds)
    return {
        "p50": ordered[len(ordered) // 2],
        "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
        "max": ordered[-1],
    }


@dataclass(frozen=True)
class Amount:
    """Bytes that came over the line, or the seconds that something took."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class Report:
    """What was measured on one line."""

    delay: float
    rate: int
    kind: str
    delays: tuple[Delays, ...]
    amounts: tuple[Amount, ...]


class Journey:
    """Measures on one line.

    Args:
        line: the line.
        server: at its far end.
        rounds: how often each key is tried.
        options: further ones for `ssh`.
    """

    def __init__(self, line: SlowLine, server: Sshd, rounds: int, options: Sequence[str]) -> None:
        self._line = line
        self._server = server
        self._rounds = rounds
        self._options = options
        self._dice = random.Random(1)

    def log_in(self, command: str) -> PseudoTerminal:
        """A terminal at the near end."""
        near = self._line.within(self._line.near)
        return PseudoTerminal([*near, *self._server.client(command, options=self._options)])

    def round_trips(self) -> Delays:
        """Single characters, through nothing but ssh."""
        delays = Delays("one character through cat")
        with self.log_in("stty raw -echo; echo ready; exec cat") as terminal:
            terminal.read_until_shown("ready", seconds=PATIENCE)
            for _ in range(self._rounds):
                terminal.read(self._dice.uniform(0.1, 0.4))
                before = len(terminal.written)
                terminal.press("x")
                taken = terminal.read_until(lambda: len(terminal.written) > before, PATIENCE)  # noqa: B023
                delays.first.append(1000 * taken)
        return delays

    def measure(self) -> tuple[list[Delays], list[Amount]]:
        """All of it, on this line."""
        delays, amounts = [self.round_trips()], []
        before, began = self._line.bytes_received(), time.perf_counter()
        with self.log_in("true") as terminal:
            terminal.wait(PATIENCE)
        amounts += self._cost("log in, without the lab", before, began)
        before, began = self._line.bytes_received(), time.perf_counter()
        with self.log_in("afterstate --seed 0") as terminal:
            terminal.read_until_shown(*PANES, seconds=PATIENCE)
            amounts += self._cost("log in until the whole picture", before, began)
            terminal.read_until_quiet(QUIET)
            delays += list(self._idle(terminal))
            train(terminal, seconds=PATIENCE)
            terminal.read(15)
            before, written = self._line.bytes_received(), len(terminal.written)
            terminal.read(10)
            wire = (self._line.bytes_received() - before) / 10_000
            amounts += [
                Amount("training: of the lab", (len(terminal.written) - written) / 10_000, "kB/s"),
                Amount("training: on the line", wire, "kB/s"),
            ]
            delays += list(self._training(terminal))
        return delays, amounts

    def _cost(self, name: str, before: int, began: float) -> list[Amount]:
        return [
            Amount(name, time.perf_counter() - began, "s"),
            Amount(f"{name}: on the line", (self._line.bytes_received() - before) / 1000, "kB"),
        ]

    def _idle(self, terminal: PseudoTerminal) -> Iterator[Delays]:
        terminal.press("t")
        terminal.read_until_shown("how many games", seconds=PATIENCE)
        terminal.press("20000", "enter")
        terminal.read_until_shown("20,000", "t trains at full speed", seconds=PATIENCE)
        terminal.read_until_quiet(QUIET)
        self._press(terminal, "s", lambda terminal: "STEP" in terminal.lines[0])
        self._press(terminal, "home", lambda _: True)
        steps = Delays("idle: one step forward")
        for _ in range(self._rounds):
            self._try(terminal, "right", changed(terminal), steps)
        yield steps
        yield self._helps(terminal, "idle")
        yield self._moves(terminal)

    def _moves(self, terminal: PseudoTerminal) -> Delays:
        """Moves against the learner, in as many games as are needed."""
        moves = Delays("idle: a move in play")
        self._press(terminal, "p", lambda terminal: "PLAY" in terminal.lines[0])
        while len(moves.first) < self._rounds:
            self._press(terminal, "n", lambda _: True)
            free = [cell for cell in "519736428" if is_free(terminal, cell)]
            self._try(terminal, free[0], changed(terminal), moves)
        return moves

    def _helps(self, terminal: PseudoTerminal, when: str) -> Delays:
        helps = Delays(f"{when}: help opened or closed")
        for _ in range(self._rounds):
            self._try(terminal, "?", lambda terminal: "Esc closes" in terminal.text, helps)
            self._try(terminal, "q", lambda terminal: "Esc closes" not in terminal.text, helps)
        return helps

    def _training(self, terminal: PseudoTerminal) -> Iterator[Delays]:
        yield self._helps(terminal, "training")
        stops = Delays("training: paused or going on")
        for _ in range(self._rounds):
            self._try(terminal, "space", lambda terminal: "paused" in terminal.lines[0], stops)
            self._try(terminal, "space", lambda terminal: "▶" in terminal.lines[0], stops)
        yield stops

    def _try(self, terminal: PseudoTerminal, key: str, shown: Shown, delays: Delays) -> None:
        """Press a key at some moment and see what it takes."""
        is_idle = delays.name.startswith("idle")
        terminal.read(self._dice.uniform(0.2, 1.2))
        pressed = time.perf_counter()
        terminal.press(key)
        terminal.read_until(lambda: shown(terminal), PATIENCE)
        delays.first.append(1000 * (terminal.last_byte - pressed))
        if is_idle:
            terminal.read_until_quiet(QUIET)
            delays.last.append(1000 * (terminal.last_byte - pressed))

    @staticmethod
    def _press(terminal: PseudoTerminal, key: str, shown: Shown) -> None:
        terminal.press(key)
        terminal.read_until(lambda: shown(terminal), PATIENCE)
        terminal.read_until_quiet(QUIET)


def changed(terminal: PseudoTerminal) -> Shown:
    """Whether the screen shows something else than now."""
    before = terminal.text
    return lambda terminal: terminal.text != before


def measure(delay: float, rate: int, rounds: int, options: Sequence[str] = ()) -> Report:
    """Everything on one line, in some minutes."""
    with tempfile.TemporaryDirectory(prefix="line") as folder, SlowLine(delay, rate) as line:
        far = line.within(line.far)
        with Sshd(Path(folder), address=ADDRESSES[1], within=far) as server:
            delays, amounts = Journey(line, server, rounds, options).measure()
            return Report(delay, rate, line.kind, tuple(delays), tuple(amounts))


def end(*_: object) -> None:
    """Leave in good order: the namespaces are taken away."""
    sys.exit(1)


def main() -> None:
    parser = argparse.ArgumentParser(description="how soon a key shows over SSH on a slow line")
    parser.add_argument("--rounds", type=int, default=30, help="how often each key is tried")
    parser.add_argument(
        "--delay", type=float, nargs="+", default=DELAYS, help="milliseconds, each way"
    )
    parser.add_argument("--rate", type=int, default=RATE, help="bits a second, each way")
    parser.add_argument("--compress", action="store_true", help="ssh -C")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, end)
    options = ("-C",) if given.compress else ()
    try:
        for delay in given.delay:
            report = measure(delay, given.rate, given.rounds, options)
            told = asdict(report) | {"delays": [one.told() for one in report.delays]}
            print(json.dumps(told), flush=True)
    except (NoLineError, NoServerError) as error:
        sys.exit(f"ssh.py: {error}")


if __name__ == "__main__":
    main()
