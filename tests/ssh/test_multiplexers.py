"""In tmux, screen and mosh the lab outlives the link, and the training goes on."""

import os
import shlex
import shutil
import signal

import pytest

pytestmark = pytest.mark.slow
PROMPT = 1.0
"""Seconds after its end in which the lab is to be gone."""
BUSY = 1.0
"""More of them, for a machine that runs other tests as well."""
CLOCK = 23
"""The line in which tmux tells the time."""
TMUX = "tmux -u -f /dev/null"
SCREEN = "screen -U -c /dev/null"


def needs(program: str) -> pytest.MarkDecorator:
    """Skip a test where a program is not installed."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


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
