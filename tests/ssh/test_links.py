"""The link is cut, or leads through tmux, screen or mosh: the work is there at the next log-in."""

import os
import shlex
import shutil
import signal
import stat
from statistics import median

import pytest

PROMPT = 1.0
"""Seconds after a hangup in which the lab is to be gone."""
BUSY = 1.0
"""More of them, for a machine that runs other tests as well."""
UNANSWERED = ("ClientAliveInterval 1", "ClientAliveCountMax 1")
"""A server that hangs up after two seconds without an answer."""


def kill_client(server, terminal) -> None:
    terminal.signal(signal.SIGKILL)


def kill_session(server, terminal) -> None:
    for pid in server.connections():
        os.kill(pid, signal.SIGKILL)


def stop_answering(server, terminal) -> None:
    from sshd import seconds_until_gone

    connections = server.connections()
    terminal.signal(signal.SIGSTOP)
    for pid in connections:
        seconds_until_gone(pid, 10)
    terminal.signal(signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("cut", [kill_client, kill_session, stop_answering])
def test_a_training_is_saved_when_the_link_drops_and_gone_on_with(sshd, log_in, saved_games, cut):
    from labs import games_shown, train
    from sshd import seconds_until_gone

    server = sshd(UNANSWERED)
    terminal = log_in(server, "afterstate --seed 0")
    train(terminal)
    before, lab = games_shown(terminal), server.lab()
    cut(server, terminal)
    seconds_until_gone(lab, PROMPT + BUSY)
    saved = saved_games(server)
    assert saved >= before > 0

    again = log_in(server, "afterstate", shows=("continue ", f"{saved:,} games"))
    again.press("c")
    again.read_until_shown("Resumed", f"{saved:,}")
    train(again, "200")
    again.read_until(lambda: games_shown(again) == saved + 200)


@pytest.mark.slow
def test_half_a_game_is_on_the_board_again_after_the_link_dropped(sshd, log_in):
    from sshd import seconds_until_gone

    server = sshd()
    terminal = log_in(server, "afterstate --seed 0")
    terminal.press("p")
    terminal.read_until_shown("PLAY")
    terminal.press("5")
    terminal.read_until_shown("ply 2")
    board = terminal.lines[2:13]
    terminal.signal(signal.SIGKILL)
    seconds_until_gone(server.lab(), PROMPT + BUSY)

    again = log_in(server, "afterstate", shows=("continue ", "your move"))
    again.press("c")
    again.read_until_shown("PLAY", "ply 2")
    again.read_until(lambda: marks(again.lines[2:13]) == marks(board))


def marks(lines: list[str]) -> list[str]:
    """The board's lines without what the learner thinks of its cells."""
    return ["".join(c if c in "╭─╮│╰╯╲╱╳" else " " for c in line[1:26]) for line in lines]


@pytest.mark.slow
def test_leaving_restores_the_terminal_at_the_near_end(sshd, log_in):
    from labs import is_restored

    terminal = log_in(sshd(), "afterstate --seed 0")
    terminal.press("space")
    terminal.read_until_shown("2 moves/s")
    terminal.press("q", "q")
    assert terminal.wait(PROMPT + BUSY) == 0
    assert is_restored(terminal)
    assert terminal.settings == terminal.before


@pytest.mark.slow
def test_what_an_account_keeps_is_its_own(sshd, log_in):
    server = sshd()
    terminal = log_in(server, "afterstate --seed 0")
    terminal.press("p")
    terminal.read_until_shown("PLAY")
    terminal.press("5", "q", "q")
    assert terminal.wait(PROMPT + BUSY) == 0
    assert stat.S_IMODE(server.store.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.store.parent.stat().st_mode) == 0o700


@pytest.mark.slow
def test_a_window_that_is_resized_is_filled(sshd, log_in):
    terminal = log_in(sshd(), "afterstate --seed 0")
    terminal.resize(120, 40)
    terminal.read_until(lambda: len(terminal.lines[1]) == 120 and "home" in terminal.lines[39])
    terminal.resize(90, 25)
    terminal.read_until(lambda: "home" in terminal.lines[24])


@pytest.mark.slow
def test_a_lab_that_no_shell_could_wake_does_not_fall_asleep(sshd, log_in):
    terminal = log_in(sshd(), "afterstate --seed 0")
    terminal.press("ctrl+z", "space")
    terminal.read_until_shown("2 moves/s")


@pytest.mark.slow
def test_a_lab_that_was_put_to_sleep_in_a_shell_is_woken(sshd, log_in):
    from labs import PANES, is_restored

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


CLOCK = 23
"""The line in which tmux tells the time."""
TMUX = "tmux -u -f /dev/null"
SCREEN = "screen -U -c /dev/null"


def needs(program: str) -> pytest.MarkDecorator:
    """Skip a test where a program is not installed."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begin", "attach", "ask"),
    [
        pytest.param(
            f"{TMUX} new-session -s lab afterstate --seed 0",
            f"{TMUX} attach -t lab",
            "tmux list-sessions",
            marks=needs("tmux"),
            id="tmux",
        ),
        pytest.param(
            f"{SCREEN} -S lab afterstate --seed 0",
            f"{SCREEN} -r lab",
            "screen -ls",
            marks=needs("screen"),
            id="screen",
        ),
    ],
)
def test_a_training_goes_on_without_the_link(sshd, log_in, begin, attach, ask):
    from labs import games_shown, train
    from sshd import is_running, seconds_until_gone

    server = sshd()
    terminal = log_in(server, begin)
    train(terminal)
    before, lab, connections = games_shown(terminal), server.lab(), server.connections()
    terminal.signal(signal.SIGKILL)
    for pid in connections:
        seconds_until_gone(pid, 10)
    assert is_running(lab)
    assert "lab" in server.run(ask).stdout

    again = log_in(server, attach)
    again.read_until(lambda: games_shown(again) > before)
    again.press("escape")
    again.read_until_shown("t trains at full speed")
    again.read_until_quiet(0.5)
    picture = again.lines[:CLOCK]
    again.resize(70, 24)
    again.read_until_quiet(0.5)
    again.resize(80, 24)
    again.read_until(lambda: again.lines[:CLOCK] == picture)
    again.press("q", "q")
    seconds_until_gone(lab, PROMPT + BUSY)
    assert again.wait() == 0


@pytest.mark.slow
@needs("mosh")
def test_mosh_shows_the_lab_and_its_end_saves_the_work(sshd, saved_games):
    from labs import PANES, games_shown, train
    from pseudo_terminal import PseudoTerminal
    from sshd import ancestors, find, is_running, seconds_until_gone

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
    seconds_until_gone(lab, PROMPT + BUSY)
    assert saved_games(server) >= before > 0


STEPS = 5


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "most"), [(80, 24, 1_600), (120, 40, 3_200)])
def test_each_follower_is_sent_what_changes(sshd, columns, rows, most):
    from ssh import followed

    taken, _ = followed(sshd(), columns, rows, 2, STEPS)
    first, last, sizes = map(median, zip(*taken, strict=True))
    assert len(taken) == 2 * STEPS
    assert 100 < sizes < most
    assert 0 < first <= last
