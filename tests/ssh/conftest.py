"""Labs that are reached through a real sshd on this machine."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from labs import PANES
from pseudo_terminal import PseudoTerminal
from sshd import NoServerError, Sshd


@pytest.fixture(scope="session")
def why_no_server():
    """Why nobody can log in to an sshd of ours here; empty where one can."""
    with TemporaryDirectory(prefix="sshd") as folder:
        try:
            with Sshd(Path(folder)) as server:
                server.check()
        except NoServerError as error:
            return str(error)
    return ""


@pytest.fixture
def sshd(why_no_server):
    """Starts a server; the test is skipped where there can be none.

    Its folder is not `tmp_path`, in which the names of tmux's and screen's sockets grow too long.
    """
    if why_no_server:
        pytest.skip(why_no_server)
    with ExitStack() as stack:

        def start(settings=(), options=""):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="sshd")))
            return stack.enter_context(Sshd(folder, settings, options))

        yield start


@pytest.fixture
def log_in():
    """Logs in with a terminal, and waits for the lab's whole picture."""
    with ExitStack() as stack:

        def run(server, *command, columns=80, rows=24, shows=PANES):
            client = server.client(*command)
            terminal = stack.enter_context(PseudoTerminal(client, columns, rows))
            terminal.read_until_shown(*shows)
            terminal.read_until_quiet(0.2)
            return terminal

        yield run
