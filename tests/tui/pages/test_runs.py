"""The list of saved runs: what each key does, and few of them on a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from piloting import page_screen, painted, refusal, saved, settled, state
from reading import do, lines
from textual.pilot import Pilot

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.listing import Pending
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.runs import Runs
from afterstate_lab.tui.screens.lab import LabScreen


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
    assert "is written to policy.npz" in do(runs.page, "X", str(tmp_path / "policy"))
    assert there.read_text() == "dear to its owner"
    assert load_policy(tmp_path / "policy.npz").games == 20


def test_a_run_is_played_again_and_its_bits_are_the_same(runs: Runs):
    assert do(runs.page, "V") == (
        f"third replays to the same bits: sha256 {runs.selected.sha256[:12]}."
    )


def test_the_list_of_many_runs_is_walked_through_by_the_window():
    saved("run")
    with Store.open() as store:
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


# on a screen


async def opened(pilot: Pilot[None]) -> Runs:
    await pilot.press("R")
    await settled(pilot)
    return state(pilot)


async def test_an_empty_store_says_so_and_makes_no_file(lab, data_of_its_own: Path):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        assert "No run is saved yet" in painted(pilot)
        for key in page_screen(pilot).page.keys:
            if key.word not in ("search", "back"):
                await pilot.press(key.key.split()[0])
        await settled(pilot)
        assert state(pilot) is runs
        for key in ("q", "escape"):
            await opened(pilot)
            await pilot.press(key)
            assert isinstance(app.screen, LabScreen)
    assert not data_of_its_own.exists()


async def test_enter_goes_on_with_a_run_and_the_one_of_now_is_saved(lab, three):
    app = lab(seed=9)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("full_stop")
        assert (await opened(pilot)).runs[0].name == "td-td"
        await pilot.press("down", "down", "enter")
        await settled(pilot)
        assert app.session.run.games == app.session.history.last.games == 30
        assert str(app.session.run.x) == "q"
        runs = await opened(pilot)
        assert runs.open_id == next(r.id for r in runs.runs if r.games == 30)


async def test_a_run_in_the_middle_of_a_game_opens_at_the_board(lab):
    run = saved("game")
    with Store.open() as store:
        loaded = store.load("game")
        loaded.run.seat(Run.of(parse_player("human"), parse_player("td")).seating)
        store.save(loaded.run, into=loaded.stored, pending=Pending({1: 4}, "X"))
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "20+" in painted(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert app.session.mode is Mode.PLAY
        assert str(app.session.board)[4] == "X"
        assert app.session.run.games == run.games


async def test_a_marks_one_and_compares_it_with_another(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        await pilot.press("A", "A")
        assert runs.marked is None
        await pilot.press("A", "end", "A")
        await settled(pilot)
        shown = state(pilot)
        assert [row[0] for row in shown.found.settings] == ["games", "X alpha"]
        assert [series.label for series in shown.curve().series] == ["B", "A"]
        apart = [abs(entry.a - entry.b) for entry in shown.found.entries]
        assert apart == sorted(apart, reverse=True)
        assert apart[0] > 0
        before = shown.curve().title
        await pilot.press("right", "down", "pagedown", "up")
        assert shown.curve().title != before
        await pilot.press("question_mark")
        assert "exact, or of results" in painted(pilot)
        await pilot.press("escape", "q")
        assert state(pilot) is runs


async def test_trouble_with_the_store_is_told_in_the_list(lab, three, data_of_its_own: Path):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        (data_of_its_own / "runs.sqlite").write_bytes(b"nothing that is a database" * 50)
        await pilot.press("D")
        await pilot.pause(0.2)
        assert "not a database" in refusal(pilot)
        assert state(pilot) is runs


async def test_a_window_that_is_too_small_says_so(lab):
    app = lab()
    async with app.run_test(size=(50, 15)) as pilot:
        await opened(pilot)
        assert "needs 80×24" in painted(pilot)
