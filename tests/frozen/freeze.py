"""Compare what a user sees with what was frozen in this folder, or freeze it anew.

`python freeze.py --check` runs the command `afterstate` beside that python and tells each
difference; `--write` keeps what it prints now. Names choose parts: `traces memory commands plain`.

- `traces.txt`: SHA-256 of `trace`, of so few games that nothing is compiled for them;
- `memory.txt`: SHA-256 of what `train` wrote, and of how `evaluate` judges it, both ways too;
- `commands.txt`: command lines, each with its status and what it prints, or the hash of that;
- `plain/NAME.txt`: what plain mode answers to the lines of `verbs.txt` with NAME at O.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMAND = str(Path(sys.executable).with_name("afterstate"))
PARTS = ("traces", "memory", "commands", "plain")

TRACED = (
    "td", "chain", "mc", "nstep", "tdlambda", "negamax", "q", "sarsa", "expected-sarsa", "double-q",
    "menace", "menace-article", "menace-code", "random", "perfect", "winblock", "biased",
    "drifting:over=150", "td:step=1/n,symmetry=on,epsilon=.3..0,over=150,exploration=learn",
)  # fmt: skip
TRAINED = (
    ("td", "td"), ("td:symmetry=on,step=1/n", "random"), ("chain:plies=all,exploration=skip", "q"),
    ("mc:exploration=forget", "mc"), ("nstep:n=4,alpha=.3", "perfect"), ("negamax", "negamax"),
    ("tdlambda:traces=dutch,lambda=.9", "td"), ("tdlambda", "tdlambda:traces=replacing"),
    ("q:gamma=.9,win=2,loss=-1", "sarsa"), ("sarsa:epsilon=1/1/.3,over=9000", "winblock"),
    ("expected-sarsa:symmetry=on", "random"), ("double-q", "double-q"), ("menace", "menace"),
    ("menace-article:empty=refill", "biased"), ("menace-code", "menace-code"),
    ("td:decay=.9,every=500", "drifting:over=3000"),
)  # fmt: skip
SEATED = (
    "td", "chain", "mc", "nstep", "tdlambda", "negamax", "q", "sarsa", "double-q", "menace",
    "menace-code", "perfect",
)  # fmt: skip
VOLATILE = {"seconds", "load_seconds", "games_per_second", "engine", "when", "created", "changed"}
SHORT = 4_000
"""Characters of an answer that is kept as text, not as a hash."""


def stable(told: object) -> object:
    """JSON without the fields that are never the same twice."""
    if isinstance(told, dict):
        return {key: stable(value) for key, value in told.items() if key not in VOLATILE}
    return [stable(value) for value in told] if isinstance(told, list) else told


def settled(text: str, folder: Path) -> str:
    """A text without times, speeds, places of source and temporary folders."""
    if text.startswith(("{", "[")) and text.count("\n") == 1:
        text = json.dumps(stable(json.loads(text)), ensure_ascii=False) + "\n"
    for varying, name in (
        (re.escape(str(folder)), "FOLDER"),
        (r"\b\d[\d,]*(\.\d+)?( ms| s\b| seconds?\b| games/s|/s\b| a second)", r"N\2"),
        (r"\.py:\d+", ".py:N"),
        (r"just now|a minute ago|\d+ minutes ago", "just now"),
        (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?", "WHEN"),
        (r"#[0-9a-f]{8,}", "#ENGINE"),
    ):
        text = re.sub(varying, name, text)
    return text


def run(*words: str, folder: Path, stdin: str = "", compiled: bool = False) -> str:
    """The status of a command, if it is not 0, and all that it prints."""
    own = {"AFTERSTATE_DATA": str(folder / "data"), "AFTERSTATE_CONFIG": str(folder / "none.toml")}
    own |= {"COLUMNS": "80", "TERM": "dumb", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    own |= {} if compiled else {"AFTERSTATE_INTERPRETED": "1"}
    done = subprocess.run(
        [COMMAND, *words], env=os.environ | own, cwd=folder, input=stdin.encode(),
        capture_output=True,
    )  # fmt: skip
    told = (done.stdout + done.stderr).decode("utf-8", "replace")
    return f"status {done.returncode}\n{told}" if done.returncode else told


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def both_ways(make: Callable[[bool], str]) -> str:
    """What comes out interpreted and compiled, which must be the same."""
    interpreted, compiled = make(False), make(True)
    return interpreted if interpreted == compiled else f"{interpreted} but compiled {compiled}"


def trace(x: str, o: str, seed: int, folder: Path) -> str:
    words = ("trace", "--x", x, "--o", o, "--games", "200", "--seed", str(seed))
    return sha(run(*words, folder=folder, compiled=True))


def memory(x: str, o: str, folder: Path) -> str:
    def learned(compiled: bool) -> str:
        file = f"{sha(f'{x} {o} {compiled}')}.npz"
        words = ("train", "--x", x, "--o", o, "--games", "50000", "--seed", "7", "--out", file)
        trained = settled(run(*words, "--json", folder=folder, compiled=compiled), folder)
        values = run("export", file, "--format", "csv", folder=folder)
        judged = run("evaluate", file, "--json", folder=folder)
        return " ".join(sha(text)[:20] for text in (trained, values, judged))

    return both_ways(learned)


def commands(folder: Path) -> str:
    """Each line that begins with $ in the file of commands, with its answer of now."""
    for name in ("agents.py", "rules.py", "experiment.toml"):
        (folder / name).write_bytes((HERE / name).read_bytes())
    told = ""
    for line in (HERE / "commands.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("$ "):
            answer = settled(run(*shlex.split(line[2:])[1:], folder=folder), folder)
            if len(answer) > SHORT:
                answer = f"{answer.count(chr(10))} lines, SHA-256 {sha(answer)}\n"
            indented = "".join(f"  {text}\n" if text else "\n" for text in answer.splitlines())
            told += f"{line}\n{indented}"
    return told


def plain(o: str, verbs: str, folder: Path) -> str:
    told = run("play", "--plain", "--train", "300", "--o", o, folder=folder, stdin=verbs)
    return settled(told, folder)


def files(
    parts: tuple[str, ...], folder: Path
) -> Iterator[tuple[str, list[tuple[str, Callable[[], str]]]]]:
    """The files of these parts, each with what makes its lines, or all of it."""

    def room(name: str) -> Path:
        (folder / name).mkdir()
        return folder / name

    if "traces" in parts:
        pairs = [
            (n, *pair) for p in TRACED for n, pair in enumerate(((p, p), (p, "random"), ("q", p)))
        ]
        traced = [(f"{x} {o} {seed}", partial(trace, x, o, seed, folder)) for seed, x, o in pairs]
        yield "traces.txt", traced
    if "memory" in parts:
        yield "memory.txt", [(f"{x} {o}", partial(memory, x, o, folder)) for x, o in TRAINED]
    if "commands" in parts:
        yield "commands.txt", [("", partial(commands, room("commands")))]
    if "plain" in parts:
        for name in (*SEATED, "words"):
            sheet, o = ("words", "td") if name == "words" else ("verbs", name)
            verbs = (HERE / f"{sheet}.txt").read_text(encoding="utf-8")
            yield f"plain/{name}.txt", [("", partial(plain, o, verbs, room(f"plain-{name}")))]


def main(arguments: list[str]) -> int:
    option, *named = arguments or [""]
    if option not in ("--check", "--write") or not set(named) <= set(PARTS):
        sys.exit(f"{__doc__}")
    equal = different = 0
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = list(files(tuple(named) or PARTS, Path(temporary)))
        asked = [[(n, pool.submit(make)) for n, make in answers] for _, answers in wanted]
        for (name, _), answers in zip(wanted, asked, strict=True):
            new = "".join(f"{n}  {text.result()}\n" if n else text.result() for n, text in answers)
            path = HERE / name
            old = path.read_text(encoding="utf-8") if path.exists() else ""
            lines = old.splitlines(True), new.splitlines(True)
            diff = list(difflib.unified_diff(*lines, name, "now", n=1))
            marks = [line[0] for line in diff[2:]]
            equal += len(lines[1]) - marks.count("+")
            different += max(marks.count("-"), marks.count("+"))
            sys.stdout.writelines(diff)
            if option == "--write":
                path.write_text(new, encoding="utf-8")
    print(f"{equal:,} lines equal, {different:,} different")
    return bool(different and option == "--check")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
