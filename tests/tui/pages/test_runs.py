"""The list of saved runs through its keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from piloting import answer, page_screen, painted, proposed, refusal, saved, settled, state
from textual.pilot import Pilot

from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Pending, Store
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


async def opened(pilot: Pilot[None]) -> Runs:
    """Open the list."""
    await pilot.press("R")
    await settled(pilot)
    return state(pilot)


def names(runs: Runs) -> list[str]:
    return [run.name for run in runs.shown]


def note(pilot: Pilot[None]) -> str:
    return page_screen(pilot).note


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
        await pilot.press("escape")
        assert isinstance(app.screen, LabScreen)
    assert not data_of_its_own.exists()


async def test_r_lists_the_runs_the_latest_first_and_q_or_escape_leads_back(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("q", "escape"):
            assert names(await opened(pilot)) == ["third", "second", "first"]
            await pilot.press(key)
            assert isinstance(app.screen, LabScreen)


async def test_enter_goes_on_with_a_run_and_the_one_of_now_is_saved(lab, three):
    app = lab(seed=9)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("full_stop", "R")
        await settled(pilot)
        assert state(pilot).runs[0].name == "td-td"
        await pilot.press("down", "down", "enter")
        await settled(pilot)
        assert app.session.run.games == 30
        assert app.session.history.last.games == 30
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


async def test_a_search_finds_names_notes_and_players(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        for text, found in (("TUES", ["first"]), ("alpha=0.3", ["third"]), ("q", ["second"])):
            await pilot.press("slash")
            await answer(pilot, text)
            await settled(pilot)
            assert names(runs) == found
        await pilot.press("slash")
        await answer(pilot, "nothing like that")
        await settled(pilot)
        assert names(runs) == []
        assert "No run has" in painted(pilot)
        await pilot.press("a")
        assert len(names(runs)) == 3


async def test_e_renames_and_a_name_is_given_once(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        await pilot.press("down", "e")
        await answer(pilot, "third")
        await settled(pilot)
        assert "nother run" in refusal(pilot)
        await answer(pilot, "x" * 61)
        await settled(pilot)
        assert "1 to 60" in refusal(pilot)
        await answer(pilot, "Q against TD")
        await settled(pilot)
        assert state(pilot) is runs
        assert names(runs) == ["third", "Q against TD", "first"]
        assert runs.selected.name == "Q against TD"


async def test_n_writes_a_note(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        await pilot.press("N")
        await answer(pilot, "a large step size")
        await settled(pilot)
        assert runs.selected.note == "a large step size"
        assert "a large step size" in painted(pilot)


async def test_d_deletes_and_u_brings_back_the_latest_first(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        await pilot.press("D")
        await settled(pilot)
        assert names(runs) == ["second", "first"]
        assert "third is deleted; undo brings it back." in note(pilot)
        await pilot.press("D")
        await settled(pilot)
        assert names(runs) == ["first"]
        await pilot.press("u")
        await settled(pilot)
        assert names(runs) == ["second", "first"]
        assert runs.selected.name == "second"
        await pilot.press("u")
        await settled(pilot)
        assert names(runs) == ["third", "second", "first"]
        await pilot.press("u")
        await settled(pilot)
        assert "Nothing is deleted" in note(pilot)


async def test_a_marks_one_and_compares_it_with_another(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        await pilot.press("A", "A")
        assert runs.marked is None
        await pilot.press("A", "end", "A")
        await settled(pilot)
        shown = state(pilot)
        settings = [row[0] for row in shown.found.settings]
        assert settings == ["games", "X alpha"]
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


async def test_x_exports_a_policy_and_overwrites_nothing(lab, three, tmp_path: Path):
    app = lab()
    there = tmp_path / "there.npz"
    there.write_text("dear to its owner")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("end", "X")
        assert proposed(pilot) == "first.npz"
        await answer(pilot, str(there))
        await settled(pilot)
        assert "already" in refusal(pilot)
        await answer(pilot, str(tmp_path / "no folder" / "a.npz"))
        await settled(pilot)
        assert "no folder" in refusal(pilot)
        await answer(pilot, str(tmp_path / "policy.txt"))
        await settled(pilot)
        assert ".npz" in refusal(pilot)
        await answer(pilot, str(tmp_path / "policy"))
        await settled(pilot)
        assert "is written to policy.npz" in note(pilot)
    assert there.read_text() == "dear to its owner"
    assert load_policy(tmp_path / "policy.npz").games == 20


async def test_v_plays_a_run_again_and_says_whether_the_bits_are_the_same(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        await pilot.press("V")
        await settled(pilot)
        assert "replays to the same bits" in note(pilot)
        assert runs.selected.sha256[:12] in note(pilot)


async def test_trouble_with_the_store_is_told_in_the_list(lab, three, data_of_its_own: Path):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        runs = await opened(pilot)
        (data_of_its_own / "runs.sqlite").write_bytes(b"nothing that is a database" * 50)
        await pilot.press("D")
        await pilot.pause(0.2)
        assert "not a database" in note(pilot)
        assert state(pilot) is runs


async def test_a_thousand_runs_are_walked_through_by_the_window(lab):
    saved("run")
    with Store.open() as store:
        for _ in range(60):
            store.save(store.load("run").run, name=None)
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        runs = await opened(pilot)
        assert runs.at.height < 40
        before = runs.at.top
        await pilot.press("down")
        assert runs.at.top == before
        await pilot.press("end")
        assert runs.selected.name == "run"
        assert np.array_equal([r.id for r in runs.shown], range(61, 0, -1))


async def test_a_window_that_is_too_small_says_so(lab, three):
    app = lab()
    async with app.run_test(size=(50, 15)) as pilot:
        await opened(pilot)
        assert "needs 80×24" in painted(pilot)
