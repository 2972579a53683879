"""Whatever is found where a file is expected, or said in it, is used or refused in one sentence.

Pipes, devices, folders and links; a stranger's store; texts that would steer a terminal. No text
reaches the terminal as it is, and no file is waited for.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from made import PLAN, run_of

from afterstate_lab.learners.errors import StoreError, UsageError
from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.experiments.results import ArmResults, Results, write_results
from afterstate_lab.learners.experiments.run import JOURNAL, append, kept
from afterstate_lab.learners.files import NoPlainFileError, store_file
from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.players.user_rule import user_rule
from afterstate_lab.learners.runs.listing import RunList
from afterstate_lab.learners.runs.store import Store

on_posix = pytest.mark.skipif(os.name != "posix", reason="there are no such files here")
PATIENCE = 20.0


def refusal(work):
    """The one sentence with which something is refused, without waiting for anything."""
    came: list[BaseException | None] = []

    def run():
        try:
            work()
            came.append(None)
        except Exception as error:
            came.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert came, "it waits for ever"
    assert isinstance(came[0], UsageError), came[0]
    assert str(came[0]).isprintable()
    return str(came[0])


# What is no file.


PLACES: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo, "endless device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir, "loop": lambda path: path.symlink_to(path),
}  # fmt: skip
READERS: dict[str, Callable[[Path], object]] = {
    "policy.npz": load_policy,
    "rule.py": lambda path: user_rule(str(path), "Rule"),
    "plan.toml": Plan.load,
    JOURNAL: lambda path: kept(path.parent, Plan.parse(PLAN)),
    "runs.sqlite": Store.open,
}


@on_posix
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_refused_at_once(tmp_path, name, place):
    PLACES[place](tmp_path / name)
    assert refusal(lambda: READERS[name](tmp_path / name))


@on_posix
@pytest.mark.parametrize(
    ("name", "words"),
    [("rule.py", "larger than a megabyte"), ("plan.toml", "at most 200,000 characters")],
)
def test_a_file_without_end_is_not_read_to_its_end(tmp_path, name, words):
    with (tmp_path / name).open("wb") as file:
        file.truncate(10**12)
    assert words in refusal(lambda: READERS[name](tmp_path / name))


@on_posix
def test_nothing_is_written_through_a_link(tmp_path):
    victim, folder = tmp_path / "diary", tmp_path / "results"
    victim.write_text("mine\n")
    folder.mkdir()
    for name in (JOURNAL, "metrics.csv", "results.json"):
        (folder / name).symlink_to(victim)
    with pytest.raises(NoPlainFileError):
        append(folder / JOURNAL, b"{}\n")
    (folder / JOURNAL).unlink()
    plan = Plan.parse(PLAN)
    write_results(Results(plan, tuple(ArmResults(arm, plan, ()) for arm in plan.arms)), folder)
    assert victim.read_text() == "mine\n"
    assert not any(path.is_symlink() for path in folder.iterdir())


DATA = {
    "a file": "/etc/passwd", "a device": "/dev/null", "a long name": "x" * 5000,
    "under a file": "/etc/passwd/data", "steering": "/proc/\x1b[2J\n\x9b\u202e", "no UTF-8":
    "/proc/\udcff", "read-only": "/proc/self",
}  # fmt: skip


@on_posix
@pytest.mark.parametrize("where", DATA)
def test_a_data_folder_that_cannot_be_is_one_line(monkeypatch, afterstate, where):
    monkeypatch.setenv("AFTERSTATE_DATA", DATA[where])
    for words in (("runs",), ("train", "--games", "5", "--run", "a")):
        status, _, line = afterstate(*words)
        if words != ("runs",) or status:
            assert status in (1, 2)
            assert line.startswith("afterstate: ") and line.endswith("\n")
            assert line[:-1].isprintable()
    monkeypatch.setenv("AFTERSTATE_CACHE", DATA[where])
    assert afterstate("doctor")[::2] == (0, "")


@on_posix
def test_in_a_home_that_takes_nothing_one_can_play_and_without_one_it_says_what_to_do(
    monkeypatch, afterstate
):
    monkeypatch.setenv("HOME", "/proc/self")
    for name in ("AFTERSTATE_DATA", "AFTERSTATE_CACHE", "AFTERSTATE_CONFIG", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert afterstate("train", "--games", "5")[::2] == (0, "")
    lines = "5\nsave as one\nsave as one\nquit\n"
    _, out, err = afterstate("play", "--plain", "--train", "0", stdin=lines)
    assert out.count("Not saved: ") == 3
    assert err.startswith("afterstate: Could not save: ") and err.count("\n") == 1

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(StoreError, match="set AFTERSTATE_DATA"):
        RunList.open()
    for words in (("runs",), ("train", "--games", "5", "--run", "a")):
        status, _, line = afterstate(*words)
        assert (status, line.count("\n")) == (2, 1)
        assert "set AFTERSTATE_DATA" in line


# Texts that would steer a terminal.

STEERING = "\x1b]0;taken over\x07\x1b[2J\x9b31m\u202eesrever\u2066\u2028\x7f\x08"
"""What a terminal, or a reader of it, would follow."""


@pytest.fixture
def said(afterstate, tmp_path, monkeypatch):
    """Runs a command in a folder of its own; all that it prints, found clean."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        status, out, err = afterstate(*words)
        assert status in (0, 1, 2)
        assert out + err
        assert (out + err).replace("\n", "").isprintable(), words
        return out + err

    return run


@pytest.fixture
def store(data_of_its_own):
    """A store with a run whose every text steers a terminal, but for those that name players."""
    opened = Store.open()
    opened.save(run_of(games=20), name="a")
    change(store_file(), name=f"a{STEERING}", note=STEERING)
    return store_file()


def change(path, **texts):
    with closing(sqlite3.connect(path)) as connection, connection:
        for column, text in texts.items():
            connection.execute(f"UPDATE runs SET {column} = ?", [text])


def test_no_word_of_a_command_line_is_printed_as_it_is(said, tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN)
    for line in Path(__file__).with_name("steering.txt").read_text("utf-8").splitlines():
        if line and line[0] != "#":
            said(*(word.replace("§", STEERING) for word in line.split(" ")))


def test_nor_is_a_text_of_the_store(said, store):
    assert "taken over" in said("runs")
    assert "taken over" in json.loads(said("runs", "--json"))[0]["note"]
    for column in ("x", "o", "sha256", "engine", "uid"):
        change(store, name="a", **{column: STEERING})
        said("runs")
        said("evaluate", "--run", "a")
        said("train", "--games", "5", "--run", "a")
