"""The list of saved runs through its keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from piloting import answer, proposed, refusal, settled
from textual.pilot import Pilot

from learners.judge.curve import History
from learners.players.policy_file import load_policy
from learners.players.resolve import parse_player
from learners.store import Pending, Store
from learners.tape.run import Run
from tui.app import Afterstate
from tui.lab.list_commands import RUNS_COMMANDS
from tui.lab.modes import Mode
from tui.screens.compare import CompareScreen
from tui.screens.help import HelpScreen
from tui.screens.lab import LabScreen
from tui.screens.runs import RunsScreen


def saved(name: str, x: str = "td", o: str = "td", games: int = 20, note: str = "") -> Run:
    """A run in the store, with a learning curve."""
    run, history = Run(parse_player(x), parse_player(o), 3), History()
    history.add(0, (0, 0, 0), run.layout, run.memory)
    run.train(games)
    history.add(games, (games, 0, 0), run.layout, run.memory)
    with Store.open() as store:
        store.save(run, name=name, note=note, history=history.points)
    return run


@pytest.fixture
def three() -> None:
    """Three runs; the latest is the first of the list."""
    saved("first", note="for Tuesday")
    saved("second", "q", games=30)
    saved("third", "td:alpha=0.3", games=40)


def runs(app: Afterstate) -> RunsScreen:
    assert isinstance(app.screen, RunsScreen)
    return app.screen


async def opened(pilot: Pilot[None]) -> RunsScreen:
    """Open the list."""
    await pilot.press("R")
    await settled(pilot)
    app = pilot.app
    assert isinstance(app, Afterstate)
    return runs(app)


def names(screen: RunsScreen) -> list[str]:
    return [run.name for run in screen.controller.shown]


async def test_an_empty_store_says_so_and_makes_no_file(lab, data_of_its_own: Path):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert "No run is saved yet" in str(screen.table.view.message)
        for command in RUNS_COMMANDS:
            if command.name not in ("search", "zoom", "next_pane", "explain", "help", "back"):
                await pilot.press(command.keys[0])
        assert runs(app) is screen
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
        assert runs(app).controller.runs[0].name == "td-td"
        await pilot.press("down", "down", "enter")
        await settled(pilot)
        assert app.session.run.games == 30
        assert app.session.history.last.games == 30
        assert str(app.session.run.x) == "q"
        screen = await opened(pilot)
        assert screen.controller.open_id == next(
            r.id for r in screen.controller.runs if r.games == 30
        )


async def test_a_run_in_the_middle_of_a_game_opens_at_the_board(lab):
    run = saved("game")
    with Store.open() as store:
        loaded = store.load("game")
        loaded.run.seat(Run.of(parse_player("human"), parse_player("td")).seating)
        store.save(loaded.run, into=loaded.stored, pending=Pending({1: 4}, "X"))
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert screen.table.view.rows[0][3] == (("20+", "text"),)
        await pilot.press("enter")
        await settled(pilot)
        assert app.session.mode is Mode.PLAY
        assert str(app.session.board)[4] == "X"
        assert app.session.run.games == run.games


async def test_a_search_finds_names_notes_and_players(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        for text, found in (("TUES", ["first"]), ("alpha=0.3", ["third"]), ("q", ["second"])):
            await pilot.press("slash")
            await answer(pilot, text)
            await settled(pilot)
            assert names(screen) == found
        await pilot.press("slash")
        await answer(pilot, "nothing like that")
        await settled(pilot)
        assert names(screen) == []
        assert "No run has" in str(screen.table.view.message)
        await pilot.press("a")
        assert len(names(screen)) == 3


async def test_e_renames_and_a_name_is_given_once(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("down", "e")
        await answer(pilot, "third")
        await settled(pilot)
        assert "another run" in refusal(pilot)
        await answer(pilot, "x" * 61)
        await settled(pilot)
        assert "1 to 60" in refusal(pilot)
        await answer(pilot, "Q against TD")
        await settled(pilot)
        assert runs(app) is screen
        assert names(screen) == ["third", "Q against TD", "first"]
        assert screen.controller.selected.name == "Q against TD"


async def test_n_writes_a_note(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("N")
        await answer(pilot, "a large step size")
        await settled(pilot)
        assert screen.controller.selected.note == "a large step size"
        assert "a large step size" in str(screen.run_.view.lines)


async def test_d_deletes_and_u_brings_back_the_latest_first(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("D")
        await settled(pilot)
        assert names(screen) == ["second", "first"]
        assert "third is deleted; u brings it back." in screen.controller.note
        await pilot.press("D")
        await settled(pilot)
        assert names(screen) == ["first"]
        await pilot.press("u")
        await settled(pilot)
        assert names(screen) == ["second", "first"]
        assert screen.controller.selected.name == "second"
        await pilot.press("u")
        await settled(pilot)
        assert names(screen) == ["third", "second", "first"]
        await pilot.press("u")
        await settled(pilot)
        assert "Nothing is deleted" in screen.controller.note


async def test_m_marks_one_and_compares_it_with_another(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("A", "A")
        assert screen.controller.marked is None
        await pilot.press("A", "end", "A")
        await settled(pilot)
        shown = app.screen
        assert isinstance(shown, CompareScreen)
        rows = [str(row) for row in shown.settings.view.rows]
        assert len(rows) == 2
        assert "games" in rows[0]
        assert "X alpha" in rows[1]
        assert [series.label for series in shown.curves.view.series] == ["B", "A"]
        apart = [abs(entry.a - entry.b) for entry in shown.controller.comparison.entries]
        assert apart == sorted(apart, reverse=True)
        assert apart[0] > 0
        before = shown.curves.view
        await pilot.press("right", "down", "pagedown", "up")
        assert shown.curves.view.title != before.title
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "q")
        assert runs(app) is screen


async def test_x_exports_a_policy_and_overwrites_nothing(lab, three, tmp_path: Path):
    app = lab()
    there = tmp_path / "there.npz"
    there.write_text("dear to its owner")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
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
        assert "is written to policy.npz" in screen.controller.note
    assert there.read_text() == "dear to its owner"
    assert load_policy(tmp_path / "policy.npz").games == 20


async def test_v_plays_a_run_again_and_says_whether_the_bits_are_the_same(lab, three):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("V")
        await settled(pilot)
        assert "replays to the same bits" in screen.controller.note
        assert screen.controller.selected.sha256[:12] in screen.controller.note


async def test_trouble_with_the_store_is_told_in_the_list(lab, three, data_of_its_own: Path):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        (data_of_its_own / "runs.sqlite").write_bytes(b"nothing that is a database" * 50)
        await pilot.press("D")
        await pilot.pause(0.2)
        assert "not a database" in screen.controller.note
        assert runs(app) is screen


async def test_a_thousand_runs_are_walked_through_by_the_window(lab):
    saved("run")
    with Store.open() as store:
        for _ in range(60):
            store.save(store.load("run").run, name=None)
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        assert len(screen.table.view.rows) == screen.controller.window.height < 40
        before = screen.table.view.rows
        await pilot.press("down")
        assert screen.table.view.rows == before
        await pilot.press("end")
        assert screen.controller.selected.name == "run"
        assert np.array_equal([r.id for r in screen.controller.shown], range(61, 0, -1))


async def test_a_terminal_that_is_too_small_says_so(lab, three):
    app = lab()
    async with app.run_test(size=(50, 15)) as pilot:
        screen = await opened(pilot)
        assert screen.too_small.display
        assert not screen.table.display
