"""The lab saves by itself, and goes on where it stopped: through its keys."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest
from piloting import answer, block, settled, state
from textual.pilot import Pilot

from afterstate_lab.learners.errors import StoreError, UsageError
from afterstate_lab.learners.files import store_file
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Pending, Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import GAMES_AFTER, GAMES_BEFORE
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.cli.saved import named_run
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import MessageKind
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.page import PageScreen


def screen(app: Afterstate) -> LabScreen:
    assert isinstance(app.screen, LabScreen)
    return app.screen


def log_text(app: Afterstate) -> str:
    """What the log says."""
    view = block(app, Log)
    lines = ("".join(piece for piece, _ in line) for line in view.lines)  # type: ignore[misc]
    return " ".join(lines)


def choices(pilot: Pilot[None]) -> dict[str, str]:
    """What the items of home say, by name."""
    return {item.name: item.says for item in state(pilot).menu().items}


async def trained(pilot: Pilot[None], games: str) -> None:
    """Train through the dialog and wait."""
    await pilot.press("t")
    await answer(pilot, games)
    await settled(pilot)


async def test_a_fresh_lab_makes_no_file_and_offers_nothing(lab):
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert not any(name.startswith("continue") for name in choices(pilot))
        await pilot.press("c", "d", "d", "p")
        await settled(pilot)
    app.save_work()
    assert not store_file().exists()


async def test_half_a_game_is_gone_on_with_after_leaving(lab):
    app = lab(o="td:epsilon=0.4")
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot, "50")
        await pilot.press("p", "5")
        board, human = app.session.board, app.session.human
        await pilot.press("q", "q")
    again = lab(at_home=True)
    async with again.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert choices(pilot)["continue td-td"].startswith("td v td, game 51, your move")
        assert state(pilot).board().cells[4].mark == "X"
        await pilot.press("c")
        await settled(pilot)
        session = again.session
        assert (session.mode, session.board, session.human) == (Mode.PLAY, board, human)
        assert session.history.last.games == 50
        while session.game_goes_on:
            await pilot.press(str(session.board.legal_cells[0] + 1))
        await settled(pilot)
        played = again.session.run
    whole = Run(parse_player("td"), parse_player("td:epsilon=0.4"), 7)
    whole.train(50)
    whole.seat(played.seating)
    script = {p: c for p, c in enumerate(played.scripts[50]) if c >= 0}
    whole.play(script)
    assert np.array_equal(whole.memory, played.memory)
    with Store.open() as store:
        (info,) = store.list()
        assert (info.games, info.in_game) == (51, False)


async def test_training_is_saved_and_gone_on_with_to_the_same_bits(lab):
    app = lab("td", "q")
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot, "200")
        assert store_file().exists()
    again = lab(at_home=True)
    async with again.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("c")
        await settled(pilot)
        assert again.session.mode is Mode.WATCH
        assert "Going on with td-q" in again.session.note
        await trained(pilot, "100")
        memory = again.session.run.memory.copy()
    whole = Run(parse_player("td"), parse_player("q"), 7)
    whole.train(300)
    assert np.array_equal(whole.memory, memory)


@pytest.mark.parametrize("keys", [("c",), ("R", "enter")])
async def test_a_long_run_is_played_again_in_a_thread_of_its_own(lab, monkeypatch, keys):
    run = Run(parse_player("td"), parse_player("td"), 1)
    run.train(3_000)
    with Store.open() as store:
        store.save(run)
    in_front = threading.current_thread()
    stretches: dict[bool, list[int]] = {True: [], False: []}
    play = Kernel.play

    def noted(kernel: Kernel, v, first, last, *args, **options):
        stretches[threading.current_thread() is in_front].append(last - first)
        return play(kernel, v, first, last, *args, **options)

    monkeypatch.setattr(Kernel, "play", noted)
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
        assert app.session.run.games == 3_000
        assert app.session.timeline.game == 2_999
    assert max(stretches[False]) > GAMES_BEFORE + GAMES_AFTER >= max(stretches[True])


@pytest.mark.slow
async def test_leaving_in_the_middle_of_a_training_keeps_what_was_learned(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await answer(pilot, "1000000")
        while app.session.training.snapshot.done == 0:
            await pilot.pause(0.01)
        app.save_work()
        games = app.session.run.games
    with Store.open() as store:
        loaded = store.load("td-td")
    assert loaded.run.games == games > 0
    whole = Run(parse_player("td"), parse_player("td"), 7)
    whole.train(games)
    assert np.array_equal(whole.memory, loaded.run.memory)


async def test_a_watched_game_is_saved_when_it_pauses(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        screen(app).tick()
        await settled(pilot)
        assert not store_file().exists()
        await pilot.press("space")
        await settled(pilot)
    with Store.open() as store:
        assert [info.games for info in store.list()] == [1]


async def test_no_trouble_with_the_store_stops_the_lab_and_it_is_said_once(
    lab, data_of_its_own: Path
):
    data_of_its_own.write_text("a file where the folder should be")
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "5")
        await settled(pilot)
        assert "Not saved: " in log_text(app)
        assert log_text(app).count("Not saved") == 1
        await pilot.press("n", "1")
        await settled(pilot)
        assert app.session.board.ply == 2
        assert log_text(app).count("Not saved") == 1
        data_of_its_own.unlink()
        screen(app).save_again()
        await settled(pilot)
        assert "Not saved" not in log_text(app)
        assert app.session.note == "Saved."
    with Store.open() as store:
        assert store.list()[0].in_game


async def test_a_store_from_a_newer_version_is_named_and_not_touched(lab):
    with Store.open() as store:
        store.save(Run(parse_player("td"), parse_player("td"), 1))
    with sqlite3.connect(store_file()) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "newer afterstate" in state(pilot).note
        await pilot.press("escape", "full_stop")
        await settled(pilot)
        assert "newer afterstate" in app.session.text_of(MessageKind.TROUBLE)


async def test_a_run_that_needs_a_file_says_so_and_runs_no_code(
    lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    rule = tmp_path / "mine.py"
    rule.write_text(
        "from afterstate_lab.learners.rules.td import TemporalDifference\n\n\n"
        "class Mine(TemporalDifference):\n    name = 'mine'\n"
    )
    spec = f"{rule}:Mine"
    with Store.open() as store:
        run = Run(parse_player(spec), parse_player("td"), 1)
        run.train(3)
        store.save(run, name="with a rule")
    rule.write_text("raise SystemExit('its code was run')\n")
    app = lab(at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "continue with a rule" in choices(pilot)
        await pilot.press("c")
        await settled(pilot)
        assert "needs code from a file" in log_text(app)
        assert f"--x {spec}" in app.session.text_of(MessageKind.LOG)
        assert app.session.run.games == 0
        await pilot.press("R")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, PageScreen)
        assert f"--x {spec}" in app.screen.note


async def test_a_named_run_is_there_without_a_question(lab):
    with Store.open() as store:
        run = Run(parse_player("td"), parse_player("td"), 1)
        run.train(3)
        stored = store.save(run, pending=Pending({1: 4}, "X"))
        loaded = store.load(stored.id)
    settings = lab().lazy.settings
    named = Afterstate(settings, loaded=loaded, name=stored.name)
    async with named.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert named.session.run.games == 3


def test_a_named_run_must_have_the_players_that_are_named_with_it(lab):
    with Store.open() as store:
        run = Run(parse_player("td"), parse_player("q"), 1)
        run.train(3)
        store.save(run, name="mine", pending=Pending({1: 4}, "X"))
    loaded = named_run("mine", {"o": parse_player("q"), "seed": 1})
    assert loaded is not None
    assert loaded.run.games == 3
    assert named_run("another", {}) is None
    with pytest.raises(UsageError, match="has --o q, not td"):
        named_run("mine", {"o": parse_player("td")})
    with pytest.raises(StoreError, match="1 to 60"):
        named_run("\x1b[2J", {})


def test_a_store_that_cannot_be_read_ends_the_command_with_a_sentence(data_of_its_own: Path):
    data_of_its_own.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be used"):
        named_run("mine", {})
