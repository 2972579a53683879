"""Labs in real pseudo-terminals."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from labs import MAIN, PANES
from pseudo_terminal import PseudoTerminal

TELLING = frozenset(("--x", "--o", "--seed", "--run", "--recipe", "lesson"))
"""Options after which the lab does not begin at home."""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Callable[..., PseudoTerminal]]:
    """Opens a lab and waits for its picture; `at_home` begins there, where no option leads on."""
    with ExitStack() as stack:

        def run(
            *options: str,
            columns: int = 80,
            rows: int = 24,
            env: dict[str, str | None] | None = None,
            before: str = "",
            at_home: bool = False,
            shows: tuple[str, ...] = PANES,
            terminal: Callable[..., PseudoTerminal] = PseudoTerminal,
            **more: object,
        ) -> PseudoTerminal:
            settings = {
                "AFTERSTATE_INTERPRETED": "1",
                "AFTERSTATE_DATA": str(tmp_path),
                "AFTERSTATE_CACHE": str(tmp_path),
            } | (env or {})
            straight = () if at_home or TELLING.intersection(options) else ("--seed", "0")
            command = [sys.executable, "-c", f"{before}\n{MAIN}", *options, *straight]
            opened = stack.enter_context(terminal(command, columns, rows, settings, **more))
            opened.read_until_shown(*shows)
            opened.read_until_quiet(0.1 if terminal is PseudoTerminal else 0.5)
            return opened

        yield run
