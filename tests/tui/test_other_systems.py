"""The lab where a system has no terminals as POSIX has them, played by one without those modules.

This shows that nothing is missed there, not that it runs on Windows: nobody has tried that.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

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

LAB = """
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.modes import Mode, Settings

lab = Afterstate(Settings(parse_player("td"), parse_player("td"), 7))
"""

PLAY = f"""
sys.path.append({str(Path(__file__).parent)!r})
from piloting import at

async def main():
    async with at(lab) as desk:
        await desk.finish("p 1 2 3 4 5 6 7 8 9")
        games = desk.session.run.games
        await desk.ask("s ← → → [ t", "200")
        seen = []
        for key in "vRE?oH":
            await desk.finish(key)
            seen.append(desk.screen.page.name)
            await desk.finish("Esc")
    print(json.dumps([games, desk.session.run.games, seen]))

asyncio.run(main())
"""

WINDOWS = """
import textual.app
from textual import events

class Keys(threading.Thread):
    # stands for the thread that reads Windows' console
    def __init__(self, loop, app, exit_event, process_message):
        super().__init__(daemon=True)
        self.take, self.is_over, self.app = process_message, exit_event, app

    def run(self):
        for key in ("p", "5", "ctrl+c"):
            self.is_over.wait(1)
            self.take(events.Key(key, key if len(key) == 1 else None))

console = types.ModuleType("textual.drivers.win32")
console.EventMonitor = Keys
console.enable_application_mode = lambda: lambda: None
sys.modules["textual.drivers.win32"] = console
textual.app.WINDOWS = True
"""

RUN = """
lab.run_here(mouse=True)
driver = lab.driver_class.__mro__[1].__name__
print(json.dumps({"driver": driver, "played": len(lab.session.script)}))
"""


@pytest.fixture
def elsewhere(tmp_path):
    """Runs a program without what only POSIX has."""

    def run(*programs: str, **options) -> subprocess.CompletedProcess[str]:
        env = os.environ | {
            "AFTERSTATE_DATA": str(tmp_path / "data"), "AFTERSTATE_INTERPRETED": "1",
            "TEXTUAL_DRIVER": "textual.drivers.headless_driver:HeadlessDriver",
            "TERM": "xterm-256color",
        } | options.pop("env", {})  # fmt: skip
        return subprocess.run(
            [sys.executable, "-c", "\n".join((ELSEWHERE, *programs)), *options.pop("words", ())],
            env={name: value for name, value in env.items() if value},
            cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
            stdin=subprocess.DEVNULL, encoding="utf-8",
        )  # fmt: skip

    return run


@pytest.mark.slow
def test_a_game_is_played_and_all_screens_open(elsewhere):
    done = elsewhere(LAB, PLAY)
    assert done.returncode == 0, done.stderr
    pages = ["TABLE", "RUNS", "EXPERIMENTS", "COMMANDS", "SETUP", "HOME"]
    assert json.loads(done.stdout.splitlines()[-1]) == [1, 201, pages]


@pytest.mark.slow
def test_textuals_own_driver_for_windows_paints_the_lab(elsewhere):
    done = elsewhere(WINDOWS, LAB, RUN, env={"TEXTUAL_DRIVER": ""})
    assert done.returncode == 0, done.stderr
    screen = pyte.Screen(80, 24)
    painted, _, told = done.stdout.rpartition("{")
    assert json.loads("{" + told) == {"driver": "WindowsDriver", "played": 1}
    pyte.Stream(screen).feed(painted.partition("\x1b[?1049l")[0])
    assert "PLAY" in screen.display[0]


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
    done = elsewhere(main, words=words.split())
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == status, done.stderr
    assert says in done.stderr
