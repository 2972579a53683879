"""The list of saved runs: what each key does, and few of them on a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from piloting import saved
from reading import do, lines

from afterstate_lab.learners.errors import StoreError, UsageError
from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.runs.store import Store
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


def names(runs: Runs) -> list[str]:
    return [run.name for run in runs.shown]


def test_a_search_finds_names_notes_and_players(runs: Runs):
    assert names(runs) == ["third", "second", "first"]
    for text, found in (
        ("TUES", ["first"]), ("alpha=0.3", ["third"]), ("q", ["second"]), ("nothing like that", []),
    ):  # fmt: skip
        do(runs.page, "slash", text)
        assert names(runs) == found
    assert "No run has" in runs.page().blocks[0].message
    do(runs.page, "a")
    assert len(names(runs)) == 3


def test_a_run_is_renamed_to_a_name_that_no_other_has_and_has_a_note(runs: Runs):
    runs.at.move(1)
    for text, said in (("third", "another run"), ("x" * 61, "1 to 60")):
        with pytest.raises(UsageError, match=said):
            do(runs.page, "e", text)
    do(runs.page, "e", "Q against TD")
    assert names(runs) == ["third", "Q against TD", "first"]
    assert runs.selected.name == "Q against TD"
    do(runs.page, "N", "a large step size")
    assert runs.selected.note == "a large step size"
    assert "a large step size" in "\n".join(lines(runs.page()))


def test_runs_are_deleted_and_brought_back_the_latest_first(runs: Runs):
    assert "third is deleted; undo brings it back." in do(runs.page, "D")
    assert names(runs) == ["second", "first"]
    do(runs.page, "D")
    assert names(runs) == ["first"]
    do(runs.page, "u")
    assert names(runs) == ["second", "first"]
    assert runs.selected.name == "second"
    do(runs.page, "u")
    assert names(runs) == ["third", "second", "first"]
    assert "Nothing is deleted" in do(runs.page, "u")


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


def test_a_run_is_played_again_and_its_bits_are_the_same(runs: Runs):
    assert do(runs.page, "V") == (
        f"third replays to the same bits: sha256 {runs.selected.sha256[:12]}."
    )


def test_the_list_of_many_runs_is_walked_through_by_the_window():
    saved("run")
    store = Store.open()
    for _ in range(60):
        store.save(store.load("run").run, name=None)
    runs = read(Runs())
    lines(runs.page(), 120, 40)
    assert runs.at.height < 40
    runs.at.move(1)
    lines(runs.page(), 120, 40)
    assert runs.at.top == 0
    runs.at.move(60)
    assert runs.selected.name == "run"
    assert [run.id for run in runs.shown] == list(range(61, 0, -1))


def test_trouble_with_the_store_is_told(runs: Runs, data_of_its_own: Path):
    (data_of_its_own / "runs.sqlite").write_bytes(b"nothing that is a database" * 50)
    with pytest.raises(StoreError, match="not a database"):
        do(runs.page, "D")
