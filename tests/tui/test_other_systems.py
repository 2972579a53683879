"""The lab where a system has no terminals as POSIX has them, played by one without those modules.

This shows that nothing is missed there, not that it runs on Windows: nobody has tried that.
"""

import json
import os
import subprocess
import sys

import pyte
import pytest

ELSEWHERE = """
import asyncio, json, os, select, selectors, signal, socket, subprocess, sys, threading, types

import platformdirs

GONE = {"termios", "tty", "pty", "fcntl", "resource", "pwd", "grp", "_curses", "readline"}
ONLY_POSIX = {
    os: ("fork", "forkpty", "geteuid", "getuid", "getegid", "getgid", "getpgrp", "getsid", "killpg",
         "ctermid", "set_blocking", "openpty", "setsid", "chown", "mkfifo", "nice", "wait",
         "O_NONBLOCK", "O_NOFOLLOW", "sched_getaffinity", "getloadavg"),
    select: ("poll", "epoll"),
    signal: ("SIGHUP", "SIGQUIT", "SIGTSTP", "SIGCONT", "SIGWINCH", "SIGKILL", "SIGALRM", "SIGPIPE",
             "SIGUSR1", "SIGUSR2", "SIGCHLD", "pthread_kill", "pthread_sigmask", "setitimer"),
}
# what Windows has not

class Missing:
    def find_spec(self, name, *_):
        if name in GONE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in GONE:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for module, names in ONLY_POSIX.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
"""

WINDOWS = r"""
import textual.app
from textual import events

class Keys(threading.Thread):
    # stands for the thread that reads Windows' console
    def __init__(self, loop, app, exit_event, process_message):
        super().__init__(daemon=True)
        self.take, self.is_over, self.app = process_message, exit_event, app

    def wait(self):
        self.is_over.wait(0.3)
        while getattr(self.app.screen, "busy", None) or self.app.session.is_training:
            self.is_over.wait(0.05)

    def run(self):
        for key in "p 1 2 3 4 5 6 7 8 9 s left t 2 0 0 enter v R E o H s ctrl+c".split():
            self.wait()
            self.take(events.Key(key, key if len(key) == 1 else None))
            if key in "vREoH":
                self.wait()
                seen.append(self.app.screen.page.name)
                self.take(events.Key("escape", None))

seen = []
console = types.ModuleType("textual.drivers.win32")
console.EventMonitor = Keys
console.enable_application_mode = lambda: lambda: None
sys.modules["textual.drivers.win32"] = console
textual.app.WINDOWS = True

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.modes import Settings

lab = Afterstate(Settings(parse_player("td"), parse_player("td"), 7))
lab.run_here(mouse=True)
driver = lab.driver_class.__mro__[1].__name__
print("\n" + json.dumps([driver, lab.session.run.games, seen]))
"""


@pytest.fixture
def elsewhere(tmp_path):
    """Runs a program without what only POSIX has."""

    def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
        env = os.environ | {
            "AFTERSTATE_DATA": str(tmp_path / "data"), "AFTERSTATE_INTERPRETED": "1",
            "TERM": "xterm-256color",
        }  # fmt: skip
        return subprocess.run(
            [sys.executable, "-c", f"{ELSEWHERE}\n{program}", *words],
            env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
            stdin=subprocess.DEVNULL, encoding="utf-8",
        )  # fmt: skip

    return run


@pytest.mark.slow
def test_textuals_own_driver_for_windows_paints_a_game_and_all_screens(elsewhere):
    done = elsewhere(WINDOWS)
    assert done.returncode == 0, done.stderr
    screen = pyte.Screen(80, 24)
    painted, told = done.stdout.split("\x1b[?1049l")
    pages = ["TABLE", "RUNS", "EXPERIMENTS", "SETUP", "HOME"]
    assert json.loads(told.splitlines()[-1]) == ["WindowsDriver", 201, pages]
    pyte.Stream(screen).feed(painted)
    assert "s STEP" in screen.display[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("train --games 50 --out p.npz", 0, ""),
        ("doctor", 0, ""),
        ("runs", 0, ""),
        ("play --plain", 0, ""),
        ("experiment self-play --games 20 --seeds 1", 0, ""),
        ("serve", 1, "Serve is not available on this system: it needs pseudo-terminals"),
        ("judge agent.py:move", 2, "External agents and programs are not available on this system"),
    ],
)
def test_every_command_runs_or_says_why_not(elsewhere, tmp_path, words, status, says):
    (tmp_path / "agent.py").write_text("def move(board):\n    return board.index('.')\n")
    main = "from afterstate_lab.tui.command import main; main()"
    done = elsewhere(main, *words.split())
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == status, done.stderr
    assert says in done.stderr
