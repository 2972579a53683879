"""Labs in real pseudo-terminals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

for folder in ("benchmarks", "pty"):
    sys.path.append(str(Path(__file__).parents[1] / folder))

if TYPE_CHECKING:
    from pseudo_terminal import PseudoTerminal

MAIN = "from afterstate_lab.tui.command import main; main()"
TELLING = frozenset(("--x", "--o", "--seed", "--run", "--recipe", "--tour", "lesson"))
"""Options after which the lab does not begin at home."""
Open = Callable[..., "PseudoTerminal"]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Open]:
    """Opens a lab and waits for its picture; `at_home` begins there, where no option leads on."""
    from pseudo_terminal import PseudoTerminal

    with ExitStack() as stack:

        def run(
            *options: str,
            columns: int = 80,
            rows: int = 24,
            env: dict[str, str | None] | None = None,
            before: str = "",
            at_home: bool = False,
            shows: tuple[str, ...] = ("board", "log", "stats", "learning", "home"),
            reports: bool = False,
        ) -> PseudoTerminal:
            settings = {
                "AFTERSTATE_INTERPRETED": "1",
                "AFTERSTATE_DATA": str(tmp_path),
                "AFTERSTATE_CACHE": str(tmp_path),
            } | (env or {})
            straight = () if at_home or TELLING.intersection(options) else ("--seed", "0")
            command = [sys.executable, "-c", f"{before}\n{MAIN}", *options, *straight]
            terminal = stack.enter_context(
                PseudoTerminal(command, columns, rows, settings, reports=reports)
            )
            terminal.read_until_shown(*shows)
            terminal.read_until_quiet(0.1)
            return terminal

        yield run
