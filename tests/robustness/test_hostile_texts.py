"""No text from a file, a name or an option steers the terminal, in any command or on any screen."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from fuzz import PLAN

from afterstate_lab.learners.files import store_file
from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run

STEERING = "\x1b]0;taken over\x07\x1b[2J\x9b31m\u202eesrever\u2066\u2028\x7f\x08"
"""What a terminal, or a reader of it, would follow."""
Command = Callable[..., str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def said(told: Callable[..., tuple[int, str, str]]) -> Command:
    """Runs a command; all that it prints, found clean."""

    def run(*words: str) -> str:
        status, out, err = told(*words)
        assert status in (0, 1, 2)
        assert out + err
        assert (out + err).replace("\n", "").isprintable(), words
        return out + err

    return run


@pytest.fixture
def store(data_of_its_own: Path) -> Path:
    """A store with a run whose every text steers a terminal, but for those that name players."""
    with Store.open() as opened:
        td = parse_player("td")
        run = Run(td, td)
        run.train(20)
        opened.save(run, name="a")
        path = store_file()
    change(path, name=f"a{STEERING}", note=STEERING)
    return path


def change(path: Path, **texts: str) -> None:
    """Put texts into the columns of the one run."""
    with closing(sqlite3.connect(path)) as connection:
        for column, text in texts.items():
            connection.execute(f"UPDATE runs SET {column} = ?", (text,))
        connection.commit()


WORDS = (
    (STEERING,),
    (f"--{STEERING}",),
    ("train", f"--{STEERING}"),
    ("train", STEERING),
    ("train", "--x", STEERING),
    ("train", "--x", f"td:{STEERING}=1"),
    ("train", "--x", f"td:alpha={STEERING}"),
    ("train", "--x", f"{STEERING}.npz"),
    ("train", "--x", f"{STEERING}.py:Rule"),
    ("train", "--o", f"a.py:{STEERING}"),
    ("train", "--games", STEERING),
    ("train", "--seed", STEERING),
    ("train", "--recipe", STEERING),
    ("train", "--games", "5", "--run", STEERING),
    ("train", "--games", "5", "--out", f"{STEERING}.npz"),
    ("train", "--games", "5", "--out", f"{STEERING}/a.npz"),
    ("evaluate", f"{STEERING}.npz"),
    ("evaluate", "--run", STEERING),
    ("export", f"{STEERING}.npz"),
    ("export", "--run", STEERING, "--format", STEERING),
    ("export", "--run", "b", "--format", "svg", "--board", STEERING),
    ("compete", "--x", STEERING),
    ("trace", "--o", STEERING),
    ("bench", STEERING),
    ("experiment", STEERING),
    ("experiment", f"{STEERING}.toml"),
    ("experiment", "1.1", "--seeds", STEERING),
    ("experiment", "plan.toml", "--games", "3", "--out", STEERING),
)


@pytest.mark.parametrize("words", WORDS, ids=range(len(WORDS)))
def test_no_word_of_a_command_line_is_printed_as_it_is(
    said: Command, here: Path, words: tuple[str, ...]
) -> None:
    (here / "plan.toml").write_text(PLAN)
    said(*words)


def test_nor_is_a_text_of_the_store(said: Command, store: Path) -> None:
    assert "taken over" in said("runs")
    assert "taken over" in json.loads(said("runs", "--json"))[0]["note"]
    for column in ("x", "o", "sha256", "engine", "uid"):
        change(store, name="a", **{column: STEERING})
        said("runs")
        said("evaluate", "--run", "a")
        said("train", "--games", "5", "--run", "a")


@pytest.mark.parametrize("key", ["x", "o", "sha256", "format", "seed", STEERING])
def test_nor_is_a_header(said: Command, here: Path, key: str) -> None:
    td = parse_player("td")
    save_policy(Run(td, td), here / "p.npz")
    with np.load("p.npz") as file:
        arrays = {name: file[name] for name in file.files}
    header = json.loads(arrays["header"].tobytes()) | {key: STEERING}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez("p.npz", **arrays)
    train = ("train", "--games", "5", "--x", "p.npz")
    for words in (("evaluate", "p.npz"), ("export", "p.npz"), train):
        said(*words)


ESCAPED = json.dumps(STEERING)[1:-1]
TEXTS = (
    'title = "Tiny"', 'question = "Which', 'name = "A"', 'x = "td:draw=0"', 'arm = "A"',
    'option = "alpha"', 'values = [0.1, "0.2', '"value X', 'baseline = "A',
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_nor_is_a_text_of_a_plan(said: Command, here: Path, text: str) -> None:
    assert text in PLAN
    stem = text.removesuffix('"')
    (here / "plan.toml").write_text(PLAN.replace(text, text.replace(stem, stem + ESCAPED), 1))
    assert "afterstate: plan.toml" in said("experiment", "plan.toml", "--games", "3")
    (here / "plan.toml").write_text(PLAN.replace("games", f'"{ESCAPED}"', 1))
    assert "afterstate: plan.toml" in said("experiment", "plan.toml")


def test_a_plan_called_by_a_steering_name_is_run(said: Command, here: Path) -> None:
    (here / f"{STEERING}.toml").write_text(PLAN)
    assert "Tiny" in said("experiment", f"{STEERING}.toml", "--games", "3", "--out", STEERING)


def test_a_value_of_a_sweep_cannot_hide_what_steers_between_its_numbers(
    said: Command, here: Path
) -> None:
    swept = PLAN.replace('"alpha"', '"epsilon"').replace('"0.2"', '"0.1\\u000c..0"')
    (here / "plan.toml").write_text(swept)
    assert "cannot be printed" in said("experiment", "plan.toml", "--games", "3")


@pytest.fixture
def lab(store: Path, here: Path) -> Iterator[object]:
    """The lab in a real terminal, with such a store."""
    from pseudo_terminal import PseudoTerminal

    (here / f"{STEERING}.toml").write_text(PLAN)
    environment = {
        "AFTERSTATE_INTERPRETED": "1",
        "AFTERSTATE_DATA": str(store.parent),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [
        sys.executable,
        "-c",
        "from afterstate_lab.tui.command import main; main()",
        "--seed",
        "0",
    ]
    with PseudoTerminal(command, 120, 40, environment) as terminal:
        terminal.read_until_shown("log", "stats", "home")
        yield terminal


@pytest.mark.slow
def test_nor_is_any_of_it_on_the_screens(lab) -> None:
    lab.press("R")
    lab.read_until_shown("taken over", "compare")
    lab.press("enter")
    lab.read_until_shown("Going on with a")
    lab.press("R")
    lab.read_until_shown("compare")
    lab.press("n")
    lab.read_until_shown("Enter")
    lab.read_until_quiet()
    for bad in ("\x1b]0;", "\x9b", "\u202e", "\u2066", "\u2028", "\x7f", "\x08"):
        assert bad.encode() not in lab.written
