"""A real link: cut, through tmux, screen or mosh, or to an account out of which nothing leads."""

import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
from pathlib import Path

import pytest
from labs import DOORS, GONE, PANES, games_shown, is_restored, train
from made import TINY, run_of
from pseudo_terminal import PseudoTerminal
from sshd import ancestors, find, free_port, is_running, seconds_until_gone

from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.runs.store import Store

pytestmark = pytest.mark.slow
UNANSWERED = ("ClientAliveInterval 1", "ClientAliveCountMax 1")
"""A server that hangs up after two seconds without an answer."""


def saved_games(server) -> int:
    """How many games the store of the account holds in its only run."""
    (info,) = Store.open(server.store).list()
    return info.games


def kill_client(server, terminal) -> None:
    terminal.signal(signal.SIGKILL)


def kill_session(server, terminal) -> None:
    for pid in server.connections():
        os.kill(pid, signal.SIGKILL)


def stop_answering(server, terminal) -> None:
    connections = server.connections()
    terminal.signal(signal.SIGSTOP)
    for pid in connections:
        seconds_until_gone(pid, 10)
    terminal.signal(signal.SIGKILL)


@pytest.mark.parametrize("cut", [kill_client, kill_session, stop_answering])
def test_a_training_is_saved_when_the_link_drops_and_gone_on_with(sshd, log_in, cut):
    server = sshd(UNANSWERED)
    terminal = log_in(server, "afterstate --seed 0")
    train(terminal)
    before, lab = games_shown(terminal), server.lab()
    cut(server, terminal)
    seconds_until_gone(lab, GONE)
    saved = saved_games(server)
    assert saved >= before > 0

    again = log_in(server, "afterstate", shows=("continue ", f"{saved:,} games"))
    again.press("c")
    again.read_until_shown("Resumed", f"{saved:,}")
    train(again, "200")
    again.read_until(lambda: games_shown(again) == saved + 200)


def test_half_a_game_is_on_the_board_again_after_the_link_dropped(sshd, log_in):
    server = sshd()
    terminal = log_in(server, "afterstate --seed 0")
    terminal.press("p")
    terminal.read_until_shown("PLAY")
    terminal.press("5")
    terminal.read_until_shown("ply 2")
    board = terminal.lines[2:13]
    terminal.signal(signal.SIGKILL)
    seconds_until_gone(server.lab(), GONE)

    again = log_in(server, "afterstate", shows=("continue ", "your move"))
    again.press("c")
    again.read_until_shown("PLAY", "ply 2")
    again.read_until(lambda: marks(again.lines[2:13]) == marks(board))


def marks(lines: list[str]) -> list[str]:
    """The board's lines without what the learner thinks of its cells."""
    return ["".join(c if c in "╭─╮│╰╯╲╱╳" else " " for c in line[1:26]) for line in lines]


def test_leaving_restores_the_terminal_at_the_near_end(sshd, log_in):
    terminal = log_in(sshd(), "afterstate --seed 0")
    terminal.press("space")
    terminal.read_until_shown("2 moves/s")
    terminal.press("q", "q")
    assert terminal.wait(GONE) == 0
    assert is_restored(terminal)
    assert terminal.settings == terminal.before


def test_what_an_account_keeps_is_its_own(sshd, log_in):
    server = sshd()
    terminal = log_in(server, "afterstate --seed 0")
    terminal.press("p")
    terminal.read_until_shown("PLAY")
    terminal.press("5", "q", "q")
    assert terminal.wait(GONE) == 0
    assert stat.S_IMODE(server.store.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.store.parent.stat().st_mode) == 0o700


def test_a_window_that_is_resized_is_filled(sshd, log_in):
    terminal = log_in(sshd(), "afterstate --seed 0")
    terminal.resize(120, 40)
    terminal.read_until(lambda: len(terminal.lines[1]) == 120 and "home" in terminal.lines[39])
    terminal.resize(90, 25)
    terminal.read_until(lambda: "home" in terminal.lines[24])


def test_a_lab_that_no_shell_could_wake_does_not_fall_asleep(sshd, log_in):
    terminal = log_in(sshd(), "afterstate --seed 0")
    terminal.press("ctrl+z", "space")
    terminal.read_until_shown("2 moves/s")


def test_a_lab_that_was_put_to_sleep_in_a_shell_is_woken(sshd, log_in):
    terminal = log_in(sshd(), "PS1=ready: exec sh -i", shows=("ready:",))
    terminal.press("afterstate --seed 0", "enter")
    terminal.read_until_shown(*PANES)
    terminal.press("ctrl+z")
    terminal.read_until(lambda: is_restored(terminal))
    terminal.press("echo $((6 * 7))", "enter")
    terminal.read_until_shown("42")
    asleep = len(terminal.written)
    terminal.press("fg", "enter")
    terminal.read_until(lambda: b"stats" in terminal.written[asleep:])
    terminal.press("space")
    terminal.read_until_shown("2 moves/s")


CLOCK = 24
"""The line in which tmux tells the time, below a whole lab."""
TMUX = "tmux -u -f /dev/null"
SCREEN = "screen -U -c /dev/null"


def require(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


@pytest.mark.parametrize(
    ("begin", "attach", "ask"),
    [
        (f"{TMUX} new-session -s lab", f"{TMUX} attach -t lab", "tmux list-sessions"),
        (f"{SCREEN} -S lab", f"{SCREEN} -r lab", "screen -ls"),
    ],
    ids=["tmux", "screen"],
)
def test_a_training_goes_on_without_the_link(sshd, log_in, begin, attach, ask):
    require(ask.split()[0])
    server = sshd()
    terminal = log_in(server, f"{begin} afterstate --seed 0", rows=CLOCK + 1)
    train(terminal)
    before, lab, connections = games_shown(terminal), server.lab(), server.connections()
    terminal.signal(signal.SIGKILL)
    for pid in connections:
        seconds_until_gone(pid, 10)
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
    seconds_until_gone(lab, GONE)
    assert again.wait() == 0


def test_mosh_shows_the_lab_and_its_end_saves_the_work(sshd):
    require("mosh")

    server = sshd()
    ssh = shlex.join([find("ssh"), *server.client_options, "-p", str(server.port)])
    where = f"{server.user}@{server.address}"
    mosh = ["mosh", "--predict=never", f"--ssh={ssh}", where, "--", "afterstate", "--seed", "0"]
    with PseudoTerminal(mosh) as terminal:
        terminal.read_until_shown(*PANES)
        train(terminal)
        before, lab = games_shown(terminal), server.lab()
        terminal.signal(signal.SIGKILL)
        terminal.wait()
    assert is_running(lab)
    os.kill(ancestors(lab)[0], signal.SIGTERM)
    seconds_until_gone(lab, GONE)
    assert saved_games(server) >= before > 0


KEY = 'restrict,pty,command="LC_ALL=C.UTF-8 AFTERSTATE_DATA=$HOME/anna afterstate --locked"'
"""What docs/host.md says of a student's key."""
ACCOUNT = (
    "ForceCommand LC_ALL=C.UTF-8 afterstate --locked",
    "DisableForwarding yes",
    "PermitTTY yes",
)
"""What it says of a whole account."""
WAYS = {"key": {"options": KEY}, "account": {"settings": ACCOUNT}}
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
    status = copy(sshd(**lock), program, tmp_path / "copied")
    assert (status != 0) == bool(lock)
    assert (tmp_path / "copied").exists() == (not lock)


def copy(server, program: str, to: Path) -> int:
    """Try to fetch the account's own public key; the exit status."""
    name, *options = program.split()
    where = f"{server.user}@{server.address}:{server.folder / 'user_key.pub'}"
    return subprocess.run(
        [find(name), *options, *server.client_options, "-P", str(server.port), where, str(to)],
        capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False,
    ).returncode  # fmt: skip


@LOCKED_OR_NOT
def test_only_an_account_that_is_not_locked_forwards(sshd, lock):
    server = sshd(**lock)
    assert forwards_here(server) == forwards_there(server) == (not lock)


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
    terminal = log_in(server, shows=DOORS)
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
UNREAD = 1_000_000_000
"""When a file was read last of which nobody has read anything."""


@pytest.fixture
def elsewhere(tmp_path, telltale_rule) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir(mode=0o700)
    (folder / "mine.py").write_text(telltale_rule)
    (folder / "plan.toml").write_text(TINY)
    save_policy(run_of(), folder / "policy.npz")
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


def test_files_are_as_they_were_unless_they_are_read(elsewhere):
    assert touched(elsewhere) == set()
    (elsewhere / "plan.toml").read_bytes()
    (elsewhere / "new").touch()
    if touched(elsewhere) == {"new"}:
        pytest.skip("this file system does not tell when a file was read")
    assert touched(elsewhere) == {"plan.toml", "new"}


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


@pytest.mark.parametrize(
    ("keys", "file"),
    [
        (("o", "/", "\x15"), "mine.py:Mine"),
        (("o", "\t", "/", "\x15"), "policy.npz"),
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
        terminal.read_until(lambda terminal=terminal: WHY in said(terminal))
        assert not re.search(r"\.(py:|npz) a file", said(terminal)), "the folder is listed"
        terminal.close()
    assert touched(elsewhere) == set()
