"""Labs that are reached through a real sshd on this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

if TYPE_CHECKING:
    from pseudo_terminal import PseudoTerminal
    from sshd import Sshd

Start = Callable[..., "Sshd"]
LogIn = Callable[..., "PseudoTerminal"]


@pytest.fixture(scope="session")
def why_no_server() -> str:
    """Why nobody can log in to an sshd of ours here; empty where one can."""
    from sshd import NoServerError, Sshd

    with TemporaryDirectory(prefix="sshd") as folder:
        try:
            with Sshd(Path(folder)) as server:
                server.check()
        except NoServerError as error:
            return str(error)
    return ""


@pytest.fixture
def sshd(why_no_server: str) -> Iterator[Start]:
    """Starts a server; the test is skipped where there can be none.

    Its folder is not `tmp_path`, in which the names of tmux's and screen's sockets grow too long.
    """
    from sshd import Sshd

    if why_no_server:
        pytest.skip(why_no_server)
    with ExitStack() as stack:

        def start(settings: tuple[str, ...] = (), options: str = "") -> Sshd:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="sshd")))
            env = {"AFTERSTATE_INTERPRETED": "1"}
            return stack.enter_context(Sshd(folder, settings, env, options))

        yield start


@pytest.fixture
def log_in() -> Iterator[LogIn]:
    """Logs in with a terminal, and waits for the lab's whole picture."""
    from labs import PANES
    from pseudo_terminal import PseudoTerminal

    with ExitStack() as stack:

        def run(
            server: Sshd,
            *command: str,
            columns: int = 80,
            rows: int = 24,
            env: dict[str, str | None] | None = None,
            shows: tuple[str, ...] = PANES,
        ) -> PseudoTerminal:
            client = server.client(*command)
            terminal = stack.enter_context(PseudoTerminal(client, columns, rows, env))
            terminal.read_until_shown(*shows)
            terminal.read_until_quiet(0.2)
            return terminal

        yield run


@pytest.fixture
def saved_games() -> Callable[[Sshd], int]:
    """How many games the store of the account holds in its only run."""
    from afterstate_lab.learners.runs.store import Store

    def count(server: Sshd) -> int:
        (info,) = Store.open(server.store).list()
        return info.games

    return count
