"""A locked account: whatever is asked for, the lab is what runs, and nothing in it leads out."""

import os
import re
import stat
import subprocess
from functools import partial
from pathlib import Path

import pytest

from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run

KEY = 'restrict,pty,command="AFTERSTATE_DATA=$HOME/anna afterstate --locked"'
"""What docs/host.md says of a student's key."""
ACCOUNT = ("ForceCommand afterstate --locked", "DisableForwarding yes", "PermitTTY yes")
"""What it says of a whole account."""
AT_HOME = ("afterstate  HOME", "play it")
LOCKS = pytest.mark.parametrize(
    "lock", [{"options": KEY}, {"settings": ACCOUNT}], ids=["key", "account"]
)


@pytest.mark.slow
@LOCKS
@pytest.mark.parametrize("command", [(), ("ls", "/")], ids=["no command", "a command"])
def test_the_lab_opens_whatever_is_asked_for(sshd, log_in, lock, command):
    terminal = log_in(sshd(**lock), *command, shows=AT_HOME)
    terminal.press("q")
    assert terminal.wait() == 0


@pytest.mark.slow
@LOCKS
def test_without_a_terminal_nothing_is_run_but_the_lab(sshd, lock):
    server = sshd(**lock)
    done = server.run("touch", str(server.home / "touched"))
    assert done.returncode == 2
    assert done.stderr.startswith("afterstate: ")
    assert not (server.home / "touched").exists()


@pytest.mark.slow
@LOCKS
@pytest.mark.parametrize("program", ["scp", "scp -O", "sftp"])
def test_no_file_is_copied(sshd, tmp_path, lock, program):
    server = sshd(**lock)
    assert copy(server, program, tmp_path / "copied") != 0
    assert not (tmp_path / "copied").exists()


@pytest.mark.slow
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


@pytest.mark.slow
@LOCKS
def test_nothing_is_forwarded(sshd, lock):
    server = sshd(**lock)
    assert not forwards_here(server)
    assert not forwards_there(server)


@pytest.mark.slow
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


@pytest.mark.slow
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


LOCKED = "ForceCommand afterstate --locked"
WHY = "this lab is locked"
PLAN = """
title = "Mine"
question = "What is there?"
games = 20
seeds = 1
metrics = ["value X"]
[[arms]]
name = "A"
x = "td"
o = "random"
"""
UNREAD = 1_000_000_000
"""When a file was read last of which nobody has read anything."""


@pytest.fixture
def elsewhere(tmp_path, telltale_rule) -> Path:
    """Files of another account, and how they were left."""
    folder = tmp_path / "elsewhere"
    folder.mkdir(mode=0o700)
    (folder / "mine.py").write_text(telltale_rule)
    (folder / "plan.toml").write_text(PLAN)
    save_policy(Run(parse_player("td"), parse_player("td")), folder / "policy.npz")
    for file in folder.iterdir():
        os.utime(file, (UNREAD, file.stat().st_mtime))
    return folder


def touched(folder: Path) -> set[str]:
    """What was read, written, made or run in it."""
    known = {"mine.py", "plan.toml", "policy.npz"}
    files = {file.name: file.stat() for file in folder.iterdir()}
    return {name for name in files if name not in known or files[name].st_atime != UNREAD} | (
        known - files.keys()
    )


def said(terminal) -> str:
    """What the screen says, without its frames and its ends of lines."""
    return " ".join(re.sub("[│╭╮╰╯─]", " ", terminal.text).split())


def is_refused(terminal) -> bool:
    """Whether the lab says that it is locked."""
    return WHY in said(terminal)


def ways_to(folder: Path, inside: Path, home: Path) -> list[str]:
    """Names that lead to it: its own, up and over, by a link, from the home folder."""
    inside.mkdir(parents=True, exist_ok=True)
    (inside / "way").symlink_to(folder, target_is_directory=True)
    return [
        str(folder),
        f"{inside}/../{os.path.relpath(folder, inside.parent)}",
        str(inside / "way"),
        f"~/{os.path.relpath(folder, home)}",
    ]


@pytest.mark.slow
def test_files_are_as_they_were_unless_they_are_read(elsewhere):
    assert touched(elsewhere) == set()
    (elsewhere / "plan.toml").read_bytes()
    (elsewhere / "new").touch()
    if touched(elsewhere) == {"new"}:
        pytest.skip("this file system does not tell when a file was read")
    assert touched(elsewhere) == {"plan.toml", "new"}


@pytest.mark.slow
def test_no_line_of_plain_mode_leads_out(sshd, elsewhere):
    server = sshd(settings=(f"{LOCKED} play --plain --seed 1 --train 5",))
    inside = server.home / ".local" / "share" / "afterstate"
    lines, refused = ["step", "go 1"], 0
    for way in ways_to(elsewhere, inside, server.home):
        for word in ("players x {}/mine.py:Mine", "players o {}/policy.npz",
                     "players {}/mine.py:Mine td", "whatif {}/mine.py:Mine",
                     "whatif {}/policy.npz"):  # fmt: skip
            lines.append(word.format(way))
            refused += 1
        lines += [f"open {way}/policy.npz", f"compare {way}/policy.npz", f"save as {way}/run"]
        lines += [f"note {way}/note", f"help {way}/mine.py:Mine", f"note @{way}/plan.toml"]
    lines += ["!touch out", "| touch out", "> out", "sh", "!ls /", "$(touch out)", "`touch out`"]
    done = subprocess.run(
        server.client(options=("-T",)), input="\n".join([*lines, "quit", ""]),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert " ".join(done.stdout.split()).count(WHY) >= refused, done.stdout[-3000:]
    assert "Traceback" not in done.stdout + done.stderr
    assert touched(elsewhere) == set()
    assert not list(server.home.rglob("out"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "file"),
    [
        (("o", "\x15"), "mine.py:Mine"),
        (("o", "\t", "\x15"), "policy.npz"),
        (("E", "/"), "plan.toml"),
        (("s", "W", "\x15"), "mine.py:Mine"),
        (("s", "W", "\x15"), "policy.npz"),
        (("p", "5", "w", "R", "X", "\x15"), "out.npz"),
    ],
    ids=["X", "O", "plan", "what if a rule", "what if a policy", "export"],
)
def test_no_question_of_the_lab_leads_out(sshd, log_in, elsewhere, keys, file):
    server = sshd(settings=(f"{LOCKED} --seed 1",))
    inside = server.home / ".local" / "share" / "afterstate"
    for way in ways_to(elsewhere, inside, server.home)[::2]:
        terminal = log_in(server, columns=160, rows=40)
        for key in keys:
            terminal.press(key)
            terminal.read_until_quiet(0.3)
        terminal.press(*f"{way}/{file}")
        terminal.press("\r")
        terminal.read_until(partial(is_refused, terminal))
        assert not re.search(r"\.(py:|npz) a file", said(terminal)), "the folder is listed"
        terminal.close()
    assert touched(elsewhere) == set()
