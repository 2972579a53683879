"""An account that is there for the lab alone: whatever is asked for, the lab is what runs."""

import stat
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
KEY = 'restrict,pty,command="AFTERSTATE_DATA=$HOME/anna afterstate --locked"'
"""What docs/host.md says of a student's key."""
ACCOUNT = ("ForceCommand afterstate --locked", "DisableForwarding yes", "PermitTTY yes")
"""What it says of a whole account."""
AT_HOME = ("afterstate  HOME", "play it")
LOCKS = pytest.mark.parametrize(
    "lock", [{"options": KEY}, {"settings": ACCOUNT}], ids=["key", "account"]
)


@LOCKS
@pytest.mark.parametrize("command", [(), ("ls", "/")], ids=["no command", "a command"])
def test_the_lab_opens_whatever_is_asked_for(sshd, log_in, lock, command):
    terminal = log_in(sshd(**lock), *command, shows=AT_HOME)
    terminal.press("q")
    assert terminal.wait() == 0


@LOCKS
def test_without_a_terminal_nothing_is_run_but_the_lab(sshd, lock):
    server = sshd(**lock)
    done = server.run("touch", str(server.home / "touched"))
    assert done.returncode == 2
    assert done.stderr.startswith("afterstate: ")
    assert not (server.home / "touched").exists()


@LOCKS
@pytest.mark.parametrize("program", ["scp", "scp -O", "sftp"])
def test_no_file_is_copied(sshd, tmp_path, lock, program):
    server = sshd(**lock)
    assert copy(server, program, tmp_path / "copied") != 0
    assert not (tmp_path / "copied").exists()


@pytest.mark.parametrize("program", ["scp", "scp -O", "sftp"])
def test_an_account_that_is_not_locked_would_copy(sshd, tmp_path, program):
    assert copy(sshd(), program, tmp_path / "copied") == 0
    assert (tmp_path / "copied").exists()


def copy(server, program: str, to: Path) -> int:
    """Try to fetch the account's own public key; the exit status."""
    from sshd import find

    name, *options = program.split()
    where = f"{server.user}@{server.address}:{server.folder / 'user_key.pub'}"
    return subprocess.run(
        [find(name), *options, *server.client_options, "-P", str(server.port), where, str(to)],
        capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False,
    ).returncode  # fmt: skip


@LOCKS
def test_nothing_is_forwarded(sshd, lock):
    server = sshd(**lock)
    assert not forwards_here(server)
    assert not forwards_there(server)


def test_an_account_that_is_not_locked_would_forward(sshd):
    server = sshd()
    assert forwards_here(server)
    assert forwards_there(server)


def forwards_here(server) -> bool:
    """Whether a connection is made from the server's end: to the server itself, which greets."""
    options = ("-T", "-W", f"{server.address}:{server.port}")
    with subprocess.Popen(
        server.client(options=options),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as client:  # fmt: skip
        assert client.stdout is not None
        greeting = client.stdout.readline()
        client.kill()
    return greeting.startswith(b"SSH-2.0")


def forwards_there(server) -> bool:
    """Whether the server would listen for us."""
    from sshd import free_port

    forward = f"{free_port()}:{server.address}:{server.port}"
    options = ("-T", "-v", "-N", "-o", "ExitOnForwardFailure=yes", "-o", "LogLevel=DEBUG1")
    with subprocess.Popen(
        server.client(options=(*options, "-R", forward)),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as client:  # fmt: skip
        assert client.stderr is not None
        told = next(line for line in client.stderr if "remote forward" in line and ":" in line)
        client.kill()
    return "success" in told


def test_each_key_keeps_its_runs_in_a_folder_of_its_own(sshd, log_in):
    server = sshd(options=KEY)
    terminal = log_in(server, shows=AT_HOME)
    terminal.press("p")
    terminal.read_until_shown("PLAY")
    terminal.press("5", "q", "q")
    assert terminal.wait() == 0
    folder = server.home / "anna"
    assert stat.S_IMODE((folder / "runs.sqlite").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not server.store.exists()
