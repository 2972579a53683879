"""What benchmarks share: measuring in turns, figures with their bars, and how they are told."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """Something measured, with the bar that it should keep below, or above."""

    name: str
    value: float
    bar: float | None = None
    unit: str = ""
    is_least: bool = False
    is_judged: bool = True
    """Whether it says something about the lab; a time on a busy machine does not."""

    @property
    def is_missed(self) -> bool:
        if self.bar is None or not self.is_judged:
            return False
        return self.value < self.bar if self.is_least else self.value > self.bar

    @property
    def row(self) -> str:
        verdict = "missed" if self.is_missed else "ok" if self.is_judged else "not judged"
        bar = "" if self.bar is None else f"{'≥' if self.is_least else '≤'} {self.bar:g}"
        shown = f"{self.value:,.0f}" if self.value >= 1e4 else f"{self.value:.3g}"
        told = verdict if self.bar is not None else ""
        return f"| {self.name} | {bar} | {shown} {self.unit} | {told} |"


def in_turns(contests: Mapping[str, Callable[[], T]], turns: int) -> dict[str, list[T]]:
    """What each measures in so many turns, with the last one first in every second.

    Other work on the machine meets them alike.
    """
    measured: dict[str, list[T]] = {name: [] for name in contests}
    for turn in range(turns):
        for name in reversed(contests) if turn % 2 else contests:
            measured[name].append(contests[name]())
    return measured


def options_of(doc: str | None, **more: dict[str, object]) -> argparse.Namespace:
    """The options of a benchmark: `--json`, `--check`, and those of its own."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="a list of figures, not a table")
    parser.add_argument("--check", action="store_true", help="status 1 where a bar is missed")
    for name, how in more.items():
        parser.add_argument(name if "nargs" in how else f"--{name}", **how)  # type: ignore[arg-type]
    return parser.parse_intermixed_args()


def tell(title: str, figures: Iterable[Figure], options: argparse.Namespace) -> None:
    """Print the figures, and end with the status that was asked for."""
    figures = list(figures)
    missed = [figure for figure in figures if figure.is_missed]
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures]))
    else:
        print(f"| {title} | bar | measured | |\n|---|---:|---:|---|")
        print(*(figure.row for figure in figures), sep="\n")
    for figure in missed:
        print(f"missed: {figure.row}", file=sys.stderr)
    sys.exit(options.check and bool(missed))
