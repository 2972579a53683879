"""What benchmarks of the lab have in common: figures with their bars, and the lab as installed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pseudo_terminal import PseudoTerminal

HOME = (sys.executable, "-P", "-m", "afterstate_lab")
LAB = (*HOME, "--seed", "0")
"""The lab itself: who names a seed is not asked at home what to do."""
BYTE_CODE = tempfile.TemporaryDirectory()
"""Where Python keeps the byte code of all programs started here."""
TIMES = ("ms", "×")
"""Units of what a busy machine makes worse."""


@dataclass(frozen=True)
class Figure:
    """Something measured, with the bar that it should keep below."""

    name: str
    value: float
    bar: float | None
    unit: str
    is_judged: bool = True
    """Whether it says something about the lab; a time on a busy machine does not."""

    @property
    def is_missed(self) -> bool:
        """Whether the bar is exceeded."""
        return self.is_judged and self.bar is not None and self.value > self.bar

    @property
    def is_time(self) -> bool:
        """Whether other work on the machine makes it worse."""
        return self.unit in TIMES

    @property
    def verdict(self) -> str:
        """`ok`, `missed`, `not judged`, or nothing where there is no bar."""
        if self.bar is None:
            return ""
        return "not judged" if not self.is_judged else "missed" if self.is_missed else "ok"

    @property
    def shown(self) -> str:
        """The value with its unit."""
        return f"{self.value:.3g} {self.unit}"

    @property
    def shown_bar(self) -> str:
        """The bar, if there is one."""
        return "" if self.bar is None else f"≤ {self.bar:g} {self.unit}"


def tell_misses(figures: Iterable[Figure]) -> bool:
    """Print a line for each bar that is exceeded; whether there is one."""
    missed = [figure for figure in figures if figure.is_missed]
    for figure in missed:
        print(f"missed: {figure.name}: {figure.shown}, {figure.shown_bar}", file=sys.stderr)
    return bool(missed)


def table(title: str, figures: Iterable[Figure]) -> str:
    """The figures as a Markdown table."""
    rows = [f"| {f.name} | {f.shown_bar} | {f.shown} | {f.verdict} |" for f in figures]
    return "\n".join([f"| {title} | bar | measured | |", "|---|---:|---:|---|", *rows])


def program(
    command: Sequence[str], folder: str, columns: int = 80, rows: int = 24
) -> PseudoTerminal:
    """A program that keeps its files in a folder, and its byte code, as if it were installed."""
    env = {
        "AFTERSTATE_CACHE": folder,
        "AFTERSTATE_DATA": folder,
        "PYTHONPYCACHEPREFIX": str(BYTE_CODE.name),
        "PYTHONDONTWRITEBYTECODE": None,
    }
    return PseudoTerminal(command, columns, rows, env=env)


def lab(folder: str, columns: int = 80, rows: int = 24) -> PseudoTerminal:
    """The lab, without its home screen."""
    return program(LAB, folder, columns, rows)


def pressed(terminal: PseudoTerminal, *keys: str, quiet: float = 0.15) -> int:
    """The bytes that keys lead to."""
    before = len(terminal.written)
    terminal.press(*keys)
    terminal.read_until_quiet(quiet)
    return len(terminal.written) - before


def train(terminal: PseudoTerminal, games: str) -> None:
    """Ask for a training."""
    terminal.press("t")
    terminal.read_until_shown("how many games", seconds=30)
    terminal.read_until_quiet(0.2)
    terminal.press(games, "enter")
