"""Agents and homework that misbehave, and every way to end who asks them (Linux): what is left?

An agent is asked in a real pseudo-terminal by `judge`, `compete` or `grade`. Once it runs, the
asker is ended. macOS is simulated, where a daemon is left: there are no
`prctl`, `/proc`, `poll` and `epoll`, and a pipe tells of its end only who waits to read it.
"""

import os
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from labs import HOME, WAYS, processes_of
from pseudo_terminal import PseudoTerminal

from afterstate_lab.learners.players.process import HOST

ALLOWED = 2.0
"""Seconds after which nothing may be left."""
HEAD = """
import os, signal, subprocess, sys, time
def move(board): return 1
class Mine: pass
def begun(): open(BEGUN, "w").close()
"""
AGENTS = {
    "busy": "begun()\nwhile True: pass",
    "asleep": "begun()\ntime.sleep(600)",
    "deaf to signals": (
        "for n in set(signal.valid_signals()) - {9, 19}:\n    signal.signal(n, signal.SIG_IGN)\n"
        "begun()\nwhile True: time.sleep(1)"
    ),
    "with children": (
        "for _ in range(3): subprocess.Popen(['sleep', '600'])\nbegun()\ntime.sleep(600)"
    ),
    "a daemon": (
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        begun()\n"
        "        time.sleep(600)\n    os._exit(0)\ntime.sleep(600)"
    ),
}


MAC = f"""
import runpy, select, sys
sys.platform = "darwin"
del select.poll, select.epoll
runpy.run_path({HOST!r}, run_name="__main__")
"""
"""The host of agents as if it were on a Mac."""
ON_MAC = """
import sys
from afterstate_lab.learners.players import process
process.HOST = sys.argv.pop(1)
from afterstate_lab.tui.command import main; main()
"""


ASKERS: dict[str, Callable[[Path], tuple[str, ...]]] = {
    "judge": lambda file: ("judge", f"cmd:{sys.executable} {file}"),
    "compete": lambda file: ("compete", "--x", f"{file}:move"),
    "grade": lambda file: ("grade", f"{file}:Mine"),
}


def end(agent: str, asker: str, way: str, mac: bool = False) -> int:
    """How many processes are left of one try."""
    own = uuid.uuid4().hex
    marker = f"AFTERSTATE_MARKER={own}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, begun = folder / "agent.py", folder / "begun"
        file.write_text(f"BEGUN = {str(begun)!r}{HEAD}{AGENTS[agent]}\n")
        env = {
            "AFTERSTATE_DATA": name,
            "AFTERSTATE_CACHE": name,
            "AFTERSTATE_INTERPRETED": "1",
            "AFTERSTATE_MARKER": own,
        }
        command = HOME
        if mac:
            host = folder / "host.py"
            host.write_text(MAC)
            command = (sys.executable, "-P", "-c", ON_MAC, str(host))
        terminal = PseudoTerminal((*command, *ASKERS[asker](file)), env=env)
        try:
            until = time.monotonic() + 60
            while not begun.exists() and time.monotonic() < until:
                terminal.read(0.05)
            assert begun.exists(), terminal.text
            WAYS[way](terminal)
            began = time.monotonic()
            while (pids := processes_of(marker)) and time.monotonic() - began < ALLOWED:
                terminal.wait(0.01)
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return len(pids)
        finally:
            terminal.__exit__()
