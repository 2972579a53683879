"""A disk that takes nothing more: the lab says so in one sentence, goes on, and harms nothing."""

import errno
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from labs import train
from pseudo_terminal import PATIENCE

from afterstate_lab.learners.runs.store import Store

ROOM = 4_000_000
"""Bytes of the disk."""


def mount(*options: str) -> bool:
    return subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mount("-t", "tmpfs", "-o", f"size={ROOM}", "none", str(folder)):
        pytest.skip("no disk of its own can be mounted here; that takes root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def saved_games(folder: Path) -> int:
    """How many games the store of a folder holds in its only run, if there is one yet; it loads."""
    store = Store.open(folder / "runs.sqlite")
    return sum(store.load(info.id).run.games for info in store.list())


def train_and_save(terminal, folder: Path, games: int) -> None:
    train(terminal, str(games))
    file = folder / "runs.sqlite"
    terminal.read_until_shown("t trains at full speed", f"{games} games in")
    until = time.perf_counter() + PATIENCE
    while not (file.exists() and saved_games(folder) == games):
        terminal.read(0.05)  # nothing is written meanwhile, so nothing there can be waited for
        assert time.perf_counter() < until, terminal.text


def test_in_a_folder_that_is_read_only_one_can_play_and_nothing_is_harmed(lab, disk):
    env = {"AFTERSTATE_DATA": str(disk / "data")}
    first = lab(env=env)
    train_and_save(first, disk / "data", 200)
    first.press("q", "q")
    assert first.wait() == 0
    store = disk / "data" / "runs.sqlite"
    before = store.read_bytes()
    assert mount("-o", "remount,ro", str(disk))

    terminal = lab(env=env, at_home=True, shows=("tour",))
    terminal.read_until_shown("td v td, 200 games")
    terminal.press("p")
    terminal.read_until_shown("PLAY")
    terminal.press("5")
    terminal.read_until_shown("Not saved: ", "ply 2")
    terminal.press("q", "q")
    assert terminal.wait() == 1
    assert terminal.written.endswith(b"its folder or file is read-only\r\n")
    assert terminal.written.count(b"afterstate: Could not save: ") == 1
    assert store.read_bytes() == before
    assert mount("-o", "remount,rw", str(disk))
    assert saved_games(store.parent) == 200


def test_on_a_full_disk_a_training_goes_on_and_what_was_saved_stays(lab, disk):
    folder = disk / "data"
    terminal = lab(env={"AFTERSTATE_DATA": str(folder)})
    train_and_save(terminal, folder, 200)
    fill(disk / "rest")
    train(terminal, "1000m")
    terminal.read_until_shown("Not saved: the disk of", "TRAIN", "left")
    assert saved_games(folder) == 200
    (disk / "rest").unlink()
    terminal.press("q", "q")
    assert terminal.wait() == 0, terminal.written[-300:]
    assert saved_games(folder) > 200


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as output:
        while True:
            try:
                output.write(bytes(4096))
            except OSError as error:
                assert error.errno == errno.ENOSPC
                return
