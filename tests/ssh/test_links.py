"""A real link: cut, through tmux, screen or mosh, or to an account out of which nothing leads."""

import re
import shlex
import signal
import stat
import subprocess
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from labs import DOORS, GONE, PANES, games_shown, train
from pseudo_terminal import PseudoTerminal
from sshd import ADDRESS, Sshd, find, free_port, is_running, wait_for_end

from afterstate_lab.learners.runs.store import Store

pytestmark = pytest.mark.slow
UNANSWERED = ("ClientAliveInterval 1", "ClientAliveCountMax 1")
"""A server that hangs up after two seconds without an answer."""


@pytest.fixture(scope="session")
def a_login():
    """Somebody can log in to an sshd of ours here; else the tests are skipped."""
    with TemporaryDirectory(prefix="sshd") as folder, Sshd(Path(folder)) as server:
        if server.run("true", program="ssh -tt").returncode:
            pytest.skip(f"nobody can log in to an sshd here: {server.log}")


@pytest.fixture
def sshd(a_login):
    """Starts a server.

    Its folder is not `tmp_path`, in which the names of tmux's and screen's sockets grow too long.
    """
    with ExitStack() as stack:

        def start(settings=(), options=""):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="sshd")))
            return stack.enter_context(Sshd(folder, settings, options))

        yield start


@pytest.fixture
def log_in():
    """Logs in with a terminal, and waits for the lab's whole picture."""
    with ExitStack() as stack:

        def run(server, *command, rows=24, shows=PANES):
            client = server.client("lab", *command)
            terminal = stack.enter_context(PseudoTerminal(client, 80, rows))
            terminal.read_until_shown(*shows)
            terminal.read_until_quiet(0.2)
            return terminal

        yield run


def saved_games(server) -> int:
    """How many games the store of the account holds in its only run."""
    (info,) = Store.open(server.store).list()
    return info.games


def kill_client(server, terminal) -> None:
    terminal.signal(signal.SIGKILL)


def kill_session(server, terminal) -> None:
    for process in server.connections():
        process.kill()


def stop_answering(server, terminal) -> None:
    connections = server.connections()
    terminal.signal(signal.SIGSTOP)
    for process in connections:
        wait_for_end(process, 10)
    terminal.signal(signal.SIGKILL)


@pytest.mark.parametrize("cut", [kill_client, kill_session, stop_answering])
def test_a_training_is_saved_when_the_link_drops_and_gone_on_with(sshd, log_in, cut):
    server = sshd(UNANSWERED)
    terminal = log_in(server, "afterstate --seed 0")
    train(terminal)
    before, lab = games_shown(terminal), server.lab()
    cut(server, terminal)
    wait_for_end(lab, GONE)
    saved = saved_games(server)
    assert saved >= before > 0

    again = log_in(server, "afterstate", shows=("continue ", f"{saved:,} games"))
    again.press("c")
    again.read_until_shown("Resumed", f"{saved:,}")
    train(again, "200")
    again.read_until_shown("200 games in")
    again.press("q", "q")
    assert again.wait() == 0
    assert saved_games(server) == saved + 200


def test_a_lab_that_no_shell_could_wake_does_not_fall_asleep(sshd, log_in):
    terminal = log_in(sshd(), "afterstate --seed 0")
    terminal.press("ctrl+z", "space")
    terminal.read_until_shown("2 moves/s")


CLOCK = 24
"""The line in which tmux tells the time, below a whole lab."""
TMUX = "tmux -u -f /dev/null"
SCREEN = "screen -U -c /dev/null"


@pytest.mark.parametrize(
    ("begin", "attach", "ask"),
    [
        (f"{TMUX} new-session -s lab", f"{TMUX} attach -t lab", "tmux list-sessions"),
        (f"{SCREEN} -S lab", f"{SCREEN} -r lab", "screen -ls"),
    ],
    ids=["tmux", "screen"],
)
def test_a_training_goes_on_without_the_link(sshd, log_in, begin, attach, ask):
    find(ask.split()[0])
    server = sshd()
    terminal = log_in(server, f"{begin} afterstate --seed 0", rows=CLOCK + 1)
    train(terminal)
    before, lab, connections = games_shown(terminal), server.lab(), server.connections()
    terminal.signal(signal.SIGKILL)
    for process in connections:
        wait_for_end(process, 10)
    assert is_running(lab)
    assert "lab" in server.run(ask).stdout

    again = log_in(server, attach, rows=CLOCK + 1, shows=PANES[:-1])
    again.read_until(lambda: games_shown(again) > before)
    again.press("p")
    again.read_until_shown("PLAY")
    again.read_until_quiet(0.5)
    picture = again.lines[:CLOCK]
    again.resize(70, CLOCK + 1)
    again.read_until_quiet(0.5)
    again.resize(80, CLOCK + 1)
    again.read_until(lambda: again.lines[:CLOCK] == picture)
    again.press("q", "q")
    wait_for_end(lab, GONE)
    assert again.wait() == 0


def test_mosh_shows_the_lab_and_its_end_saves_the_work(sshd):
    server = sshd()
    ssh = shlex.join(server.client(program="ssh"))
    command = [find("mosh"), "--predict=never", f"--ssh={ssh}", "lab", "--"]
    with PseudoTerminal([*command, "afterstate", "--seed", "0"]) as terminal:
        terminal.read_until_shown(*PANES)
        train(terminal)
        before, lab = games_shown(terminal), server.lab()
        terminal.signal(signal.SIGKILL)
        terminal.wait()
    assert is_running(lab)
    lab.parent().terminate()
    wait_for_end(lab, GONE)
    assert saved_games(server) >= before > 0


HOST = Path(__file__).parents[2].joinpath("docs", "host.md").read_text(encoding="utf-8")
(KEY,) = re.findall("^(restrict.*) ssh-ed25519 .* anna$", HOST, re.MULTILINE)
(ACCOUNT,) = re.findall(r"^Match User lab\n((?: +.*\n)+)", HOST, re.MULTILINE)
WAYS = {"key": {"options": KEY}, "account": {"settings": ACCOUNT.splitlines()}}
"""What the page says of a student's key, and of a whole account."""
LOCKS = pytest.mark.parametrize("lock", WAYS.values(), ids=WAYS)
LOCKED_OR_NOT = pytest.mark.parametrize("lock", [*WAYS.values(), {}], ids=[*WAYS, "not locked"])


@LOCKS
@pytest.mark.parametrize("command", [(), ("ls", "/")], ids=["no command", "a command"])
def test_the_lab_opens_whatever_is_asked_for(sshd, log_in, lock, command):
    terminal = log_in(sshd(**lock), *command, shows=DOORS)
    terminal.press("q")
    assert terminal.wait() == 0


@LOCKS
def test_without_a_terminal_nothing_is_run_but_the_lab(sshd, lock):
    server = sshd(**lock)
    done = server.run("touch", str(server.home / "touched"))
    assert done.returncode == 2
    assert done.stderr.startswith("afterstate: ")
    assert not (server.home / "touched").exists()


@LOCKED_OR_NOT
@pytest.mark.parametrize("program", ["scp", "scp -O", "sftp"])
def test_only_an_account_that_is_not_locked_copies_a_file(sshd, tmp_path, lock, program):
    """The account's own public key."""
    server = sshd(**lock)
    where = f"lab:{server.folder / 'user_key.pub'}"
    command = server.client(where, str(tmp_path / "copied"), program=program)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=30, capture_output=True)
    assert (done.returncode != 0) == bool(lock)
    assert (tmp_path / "copied").exists() == (not lock)


@LOCKED_OR_NOT
def test_only_an_account_that_is_not_locked_forwards(sshd, lock):
    """To the server itself, which greets; and from a port of the server."""
    server = sshd(**lock)
    way = f"{ADDRESS}:{server.port}"
    greeting = server.run(program=f"ssh -T -W {way}").stdout
    back = f"ssh -T -o ExitOnForwardFailure=yes -R {free_port()}:{way}"
    assert greeting.startswith("SSH-2.0") == (not lock)
    assert (server.run("true", program=back).returncode == 255) == bool(lock)


def test_each_key_keeps_its_runs_in_a_folder_of_its_own(sshd, log_in):
    server = sshd(options=KEY)
    terminal = log_in(server, shows=DOORS)
    terminal.press("p")
    terminal.read_until_shown("PLAY")
    terminal.press("5", "q", "q")
    assert terminal.wait() == 0
    folder = server.home / "anna"
    assert stat.S_IMODE((folder / "runs.sqlite").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not server.store.exists()
