"""Compare bits, JSON and addresses with what was frozen in this folder, or freeze it anew.

`python freeze.py --check` runs the command `afterstate` beside that python and tells each
difference; `--write` keeps what it prints now. Names choose parts: `traces memory commands`.

- `traces.txt`: SHA-256 of `trace`, of so few games that nothing is compiled for them;
- `memory.txt`: SHA-256 of what `train` wrote, and of how `evaluate` judges it, both ways too;
- `commands.txt`: command lines, each with its status and what it prints, or the hash of that.
"""

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
PARTS = ("traces", "memory", "commands")

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
VOLATILE = {"seconds", "load_seconds", "games_per_second", "engine", "when", "created", "changed"}
SHORT = 4_000
"""Characters of an answer that is kept as text, not as a hash."""


def stable(told: object) -> object:
    if isinstance(told, dict):
        return {key: stable(value) for key, value in told.items() if key not in VOLATILE}
    return [stable(value) for value in told] if isinstance(told, list) else told


def settled(text: str, folder: Path) -> str:
    """A text without times, speeds, places of source and temporary folders."""
    if text.startswith(("{", "[")) and text.count("\n") == 1:
        text = json.dumps(stable(json.loads(text)), ensure_ascii=False) + "\n"
    for varying, name in (
        (re.escape(str(folder)), "FOLDER"),
        (r"\b\d[\d,]*(\.\d+)?( ms| s\b| seconds?\b| games/s|/s\b| a second| per second)", r"N\2"),
        (r"\.py:\d+", ".py:N"),
        (r"just now|a minute ago|\d+ minutes ago", "just now"),
        (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?", "WHEN"),
        (r"#[0-9a-f]{8,}", "#ENGINE"),
    ):
        text = re.sub(varying, name, text)
    return text


def environment(folder: Path, *, compiled: bool = False) -> dict[str, str]:
    own = {"AFTERSTATE_DATA": str(folder / "data"), "AFTERSTATE_CONFIG": str(folder / "none.toml")}
    own |= {"COLUMNS": "80", "TERM": "dumb", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return os.environ | own | ({} if compiled else {"AFTERSTATE_INTERPRETED": "1"})


def run(*words: str, folder: Path, stdin: str = "") -> str:
    own = environment(folder)
    done = subprocess.run(
        [COMMAND, *words], env=own, cwd=folder, input=stdin.encode(), capture_output=True
    )
    told = (done.stdout + done.stderr).decode("utf-8", "replace")
    return f"status {done.returncode}\n{told}" if done.returncode else told


BATCH = """
import contextlib, io, json, sys
from afterstate_lab.tui.command import main
for line in sys.stdin:
    told = io.StringIO()
    sys.argv = ["afterstate", *json.loads(line)]
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(told):
        main()
    print(json.dumps(told.getvalue()), flush=True)
"""


def batch(lines: list[tuple[str, ...]], folder: Path, *, compiled: bool) -> list[str]:
    own = environment(folder, compiled=compiled)
    done = subprocess.run(
        [sys.executable, "-c", BATCH], env=own, cwd=folder, text=True, check=True,
        input="".join(json.dumps(words) + "\n" for words in lines), stdout=subprocess.PIPE,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def traces(folder: Path) -> str:
    pairs = [(n, *pair) for p in TRACED for n, pair in enumerate(((p, p), (p, "random"), ("q", p)))]
    lines = [
        ("trace", "--x", x, "--o", o, "--games", "200", "--seed", str(seed)) for seed, x, o in pairs
    ]
    told = batch(lines, folder, compiled=True)
    return "".join(
        f"{x} {o} {seed}  {sha(text)}\n" for (seed, x, o), text in zip(pairs, told, strict=True)
    )


def memory(folder: Path) -> str:
    """What is learned and how it is judged, interpreted and compiled, which must be the same.

    Files of the same bytes are exported and judged once.
    """
    files = [f"{number}.npz" for number in range(len(TRAINED))]
    trainings = [
        ("train", "--x", x, "--o", o, "--games", "50000", "--seed", "7", "--out", file, "--json")
        for (x, o), file in zip(TRAINED, files, strict=True)
    ]
    looks = [
        line
        for file in files
        for line in (("export", file, "--format", "csv"), ("evaluate", file, "--json"))
    ]
    told: list[list[str]] = []
    for compiled in (False, True):
        (place := folder / f"compiled {compiled}").mkdir()
        told.append([settled(text, place) for text in batch(trainings, place, compiled=compiled)])
    looked = batch(looks, place, compiled=False)
    answers = ""
    for number, (file, trained) in enumerate(zip(files, told[0], strict=True)):
        values, judged = looked[2 * number : 2 * number + 2]
        bits = {(folder / f"compiled {way}" / file).read_bytes() for way in (False, True)}
        is_same = len(bits) == 1 and trained == told[1][number]
        learned = " ".join(sha(text)[:20] for text in (trained, values, judged))
        answers += f"{' '.join(TRAINED[number])}  {learned}{' but not compiled' * (not is_same)}\n"
    return answers


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


def files(parts: tuple[str, ...], folder: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    def room(name: str) -> Path:
        (folder / name).mkdir()
        return folder / name

    for part, make in (("traces", traces), ("memory", memory), ("commands", commands)):
        if part in parts:
            yield f"{part}.txt", partial(make, room(part))


def main(arguments: list[str]) -> int:
    option, *named = arguments or [""]
    if option not in ("--check", "--write") or not set(named) <= set(PARTS):
        sys.exit(f"{__doc__}")
    equal = different = 0
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = list(files(tuple(named) or PARTS, Path(temporary)))
        asked = [pool.submit(make) for _, make in wanted]
        for (name, _), answer in zip(wanted, asked, strict=True):
            new, path = answer.result(), HERE / name
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
