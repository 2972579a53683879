"""Agents and homework that misbehave, and every way to end who asks them (Linux): what is left?

    python tests/benchmarks/agents.py [--check]

An agent is asked in a real pseudo-terminal by the lab (`--o`), by Setup, `judge`, `compete` or
`grade`. Once it runs, the asker is ended. Each cell of the table tells how many processes were left
after 2 s, of all agents, and the longest time until none was. `--check` ends with status 1 where
one is left.
"""

import argparse
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
from labs import HOME, PANES, WAYS, interpreted, left_of
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
    "a daemon that is left": (
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n"
        "    begun()\n    os._exit(0)\ntime.sleep(.3)\nos._exit(0)"
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
    "lab": lambda file: ("--o", f"cmd:{sys.executable} {file}"),
    "Setup": lambda file: ("--seed", "0"),
    "judge": lambda file: ("judge", f"cmd:{sys.executable} {file}"),
    "compete": lambda file: ("compete", "--x", f"{file}:move"),
    "grade": lambda file: ("grade", f"{file}:Mine"),
}


def end(agent: str, asker: str, way: str, mac: bool = False) -> tuple[int, float]:
    """How many processes are left of one try, and the seconds until none was.

    A simulated Mac, where a daemon is left, has no `prctl`, `/proc`, `poll` and `epoll`, and a pipe
    tells of its end only who waits to read it.
    """
    own = uuid.uuid4().hex
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, begun, host = (folder / one for one in ("agent.py", "begun", "host.py"))
        file.write_text(f"BEGUN = {str(begun)!r}{HEAD}{AGENTS[agent]}\n")
        host.write_text(MAC)
        command = (sys.executable, "-P", "-c", ON_MAC, str(host)) if mac else HOME
        env = interpreted(folder, AFTERSTATE_MARKER=own)
        with PseudoTerminal((*command, *ASKERS[asker](file)), env=env) as terminal:
            if asker == "Setup":
                terminal.read_until_shown(*PANES)
                terminal.press("o")
                terminal.read_until_shown("SETUP")
                terminal.read_until_quiet()
                terminal.press("/")
                terminal.read_until_shown("takes it")
                terminal.press(f"{file}:move", "enter")
                terminal.read_until_shown("X move")
                terminal.read_until_quiet()
                terminal.press("enter")
            terminal.read_until(begun.exists)
            WAYS[way](terminal)
            began = time.monotonic()
            left = left_of(terminal, "AFTERSTATE_MARKER", own, ALLOWED)
            seconds = time.monotonic() - began
            for process in left:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            return len(left), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    total = 0
    print(f"{len(AGENTS)} agents: {', '.join(AGENTS)}")
    print("left, longest".ljust(14), *(f"{way:>9}" for way in WAYS))
    for asker in ASKERS:
        print(asker.ljust(14), end="", flush=True)
        for way in WAYS:
            tries = [end(agent, asker, way) for agent in AGENTS]
            count = sum(pids for pids, _ in tries)
            cell = f"{count} {max(seconds for _, seconds in tries):.2f} s"
            print(f"{cell:>10}", end="", flush=True)
            total += count
        print()
    print(f"{len(ASKERS) * len(WAYS) * len(AGENTS)} tries, {total} processes left")
    sys.exit(1 if options.check and total else 0)


if __name__ == "__main__":
    main()
