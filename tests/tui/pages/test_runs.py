"""The list of saved runs: what each key does, and few of them on a screen."""

from pathlib import Path

import pytest
from piloting import saved
from reading import do

from afterstate_lab.learners.errors import StoreError, UsageError
from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.tui.pages.runs import Runs


@pytest.fixture
def three() -> None:
    """Three runs; the latest is the first of the list."""
    saved("first", note="for Tuesday")
    saved("second", "q", games=30)
    saved("third", "td:alpha=0.3", games=40)


@pytest.fixture
def runs(three: None) -> Runs:
    return read(Runs())


def read(runs: Runs) -> Runs:
    """The list, once it is read."""
    work = runs.page().work
    work.taken(work.do(lambda: False))
    return runs


def test_a_policy_is_exported_and_nothing_overwritten(runs: Runs, tmp_path: Path):
    there = tmp_path / "there.npz"
    there.write_text("dear to its owner")
    runs.at.move(2)
    assert next(key for key in runs.page().keys if key.key == "X").given == "first.npz"
    for name, said in (
        ("there.npz", "already"),
        ("no folder/a.npz", "no folder"),
        ("p.txt", "npz"),
    ):
        with pytest.raises(UsageError, match=said):
            do(runs.page, "X", str(tmp_path / name))
    assert " to policy.npz" in do(runs.page, "X", str(tmp_path / "policy"))
    assert there.read_text() == "dear to its owner"
    assert load_policy(tmp_path / "policy.npz").games == 20


def test_trouble_with_the_store_is_told(runs: Runs, data_of_its_own: Path):
    (data_of_its_own / "runs.sqlite").write_bytes(b"nothing that is a database" * 50)
    with pytest.raises(StoreError, match="not a database"):
        do(runs.page, "D")
