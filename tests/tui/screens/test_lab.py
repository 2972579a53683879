"""The lab through its keys: what the session does, and what the panes are given to show."""

from __future__ import annotations

import re

import numpy as np
import pytest
from piloting import answer, block, footer, page_screen, painted, refusal, settled, state
from textual.pilot import Pilot

from afterstate_lab.game import Board
from afterstate_lab.learners import train
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.blocks.cells import Cells
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.session import Help, Mode
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.terminal.pacing import Pacer


def screen(app: Afterstate) -> LabScreen:
    assert isinstance(app.screen, LabScreen)
    return app.screen


async def trained(pilot: Pilot[None], games: str = "300") -> None:
    """Train through the dialog and wait for the worker."""
    await pilot.press("t")
    await answer(pilot, games)
    await settled(pilot)


async def test_space_starts_and_pauses_a_watched_game(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.session.mode is Mode.WATCH
        await pilot.press("space")
        assert app.session.is_running
        await pilot.press("space")
        assert not app.session.is_running


async def test_a_full_stop_shows_one_event(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("full_stop")
        assert isinstance(app.session.timeline.event, Move)
        await pilot.press("full_stop")
        assert isinstance(app.session.timeline.event, Backup)


async def test_a_digit_marks_the_cell_and_the_learner_replies(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "5")
        board = app.session.board
        assert str(board)[4] == "X"
        assert board.ply == 2
        view = block(app, Cells)
        assert view is not None
        assert view.cells[4].mark == "X"


async def test_a_taken_cell_is_refused_in_one_sentence(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "5", "5")
        assert "5" in app.session.note
        assert app.session.board.ply == 2


async def test_take_back_restores_memory_and_board(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        before = app.session.timeline.v.copy()
        await pilot.press("5", "u")
        assert app.session.board == Board()
        assert np.array_equal(app.session.timeline.v, before)
        await pilot.press("u")
        assert "no move" in app.session.note


async def test_a_finished_game_is_stepped_through_from_its_start(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        while not app.session.timeline.recording.is_over:
            await pilot.press(str(app.session.board.legal_cells[0] + 1))
        await pilot.press("s")
        assert app.session.mode is Mode.STEP
        event = app.session.timeline.event
        assert isinstance(event, Move)
        assert event.ply == 1
        await pilot.press("end")
        assert isinstance(app.session.timeline.event, GameOver)


async def test_training_goes_on_in_the_background_and_lands_at_the_last_game(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot)
        assert app.session.run.games == 300
        assert not app.session.is_training
        assert isinstance(app.session.timeline.event, GameOver)
        assert app.session.timeline.game == 299


async def test_a_training_is_looked_at_once_a_second_while_the_user_types(
    lab, monkeypatch: pytest.MonkeyPatch
):
    app, now, looks = lab(), [100.0], []
    async with app.run_test(size=(80, 24)):
        monkeypatch.setattr("afterstate_lab.tui.screens.lab.monotonic", lambda: now[0])
        monkeypatch.setattr(app.session, "look_at_training", lambda: looks.append(now[0]))
        monkeypatch.setattr(Pacer, "is_after_key", True)
        for _ in range(9):
            screen(app).poll()
            now[0] += 0.25
        monkeypatch.setattr(Pacer, "is_after_key", False)
        screen(app).poll()
    assert looks == [100.0, 101.0, 102.0, 102.25]


@pytest.mark.slow
async def test_a_paused_training_keeps_still_until_it_is_stopped(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await answer(pilot, "1000000")
        await pilot.press("space")
        training = app.session.training
        assert training is not None
        assert training.is_paused
        await pilot.press("escape")
        await settled(pilot)
        assert 0 < app.session.run.games < 1_000_000
        assert not app.session.is_training


async def test_wrong_numbers_of_games_are_refused_in_place(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await answer(pilot, "many")
        assert "number of games" in refusal(pilot)
        await pilot.press("escape")
        assert not app.session.is_training


async def test_stepping_back_and_forth_restores_every_bit(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot)
        await pilot.press("s")
        there = app.session.timeline.v.copy()
        await pilot.press(*["right"] * 12, *["left"] * 12)
        assert np.array_equal(app.session.timeline.v, there)
        await pilot.press(*["right_square_bracket"] * 5, *["left_square_bracket"] * 5)
        assert np.array_equal(app.session.timeline.v, there)


async def test_the_microscope_shows_the_numbers_of_the_event(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        await trained(pilot)
        await pilot.press("s")
        while not isinstance(app.session.timeline.event, Backup):
            await pilot.press("right")
        event = app.session.timeline.event
        view = block(app, Equation)
        assert view is not None
        numbers = [term.number for term in view.terms]
        assert numbers[0].strip() == "?"
        assert numbers[2] == f"{event.old:.6f}"[1:]
        assert f"{event.target:.6f}"[1:] in numbers
        assert view.sums[0].value == event.error
        await pilot.press("right")
        view = block(app, Equation)
        assert view is not None
        assert view.terms[0].number == f"{event.new:.6f}"[1:]


async def test_go_to_reaches_any_game_and_ply(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot)
        await pilot.press("s", "g")
        await answer(pilot, "124.3")
        event = app.session.timeline.event
        assert isinstance(event, Move)
        assert (event.game, event.ply) == (123, 3)
        await pilot.press("g")
        await answer(pilot, "9999")
        assert refusal(pilot) == "There is no game 9,999: the run has 300."


async def test_help_goes_round_its_levels(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        seen = []
        for _ in Help:
            await pilot.press("h")
            seen.append(app.session.help)
        assert set(seen) == set(Help)
        assert seen[-1] is Help.OFF


async def test_swapping_sides_lets_the_learner_open(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "x")
        assert app.session.human == "O"
        assert app.session.board.ply == 1


async def test_a_small_terminal_gets_a_card_and_a_larger_one_the_lab(lab):
    app = lab()
    async with app.run_test(size=(40, 12)) as pilot:
        assert "needs 80×24" in painted(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "X to move" in painted(pilot)


async def test_every_key_of_the_footer_is_in_help(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        keys = footer(app)
        await pilot.press("question_mark")
        told = {one for key, _ in state(pilot).rows for one in key.split()}
        for shown in keys:
            assert set(shown.split()) <= told


async def test_a_fork_keeps_the_old_line(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot)
        await pilot.press("s")
        old = app.session.run
        event = app.session.timeline.event
        assert isinstance(event, Move)
        other = (event.cell + 1) % 9
        await pilot.press("f")
        await answer(pilot, str(other + 1))
        assert app.session.run is not old
        forked = app.session.timeline.event
        assert isinstance(forked, Move)
        assert (forked.cell, forked.choice) == (other, "scripted")
        await pilot.press("F")
        assert app.session.run is old
        assert app.session.run.games == 300


async def test_a_prediction_is_asked_before_the_write_and_scored(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot)
        await pilot.press("s", "y")
        while not isinstance(app.session.timeline.event, Backup):
            await pilot.press("right")
        event = app.session.timeline.event
        await pilot.press("right")
        await answer(pilot, f"{event.new:.4f}")
        assert app.session.predictions.right == 1
        assert "right" in app.session.note


async def test_freezing_the_learner_in_the_middle_of_a_game_changes_the_next_one(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "5")
        before = str(app.session.board)
        await pilot.press("L")
        assert str(app.session.board) == before
        assert "from the next game on" in app.session.note
        await pilot.press("n")
        assert app.session.run.seating.o.value == "frozen"


async def test_step_at_80_columns_keeps_to_the_panes_that_fit(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(50)
        await pilot.press("s")
        await pilot.pause()
        shown = [type(place.block).__name__ for place in screen(app).places]
        assert shown == ["SmallBoard", "SmallBoard", "Choice", "Equation", "Diagram", "Entries"]
        assert screen(app).places[0].columns == 21


@pytest.mark.parametrize("key", ["right", "right_square_bracket", "right_curly_bracket"])
async def test_at_the_end_of_the_tape_the_next_game_is_played_and_that_is_said(lab, key):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot, "20")
        await pilot.press("s", "end", key)
        event = app.session.timeline.event
        assert isinstance(event, Move)
        assert (event.game, event.ply, app.session.run.games) == (20, 1, 21)
        assert app.session.note == "The tape ended here, so game 21 was played."


async def test_the_log_of_watch_says_that_the_tape_ended(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(2)
        await pilot.press("w", "end", "right")
        assert "The tape ended here, so game 3 was played." in str(block(app, Log))
        await pilot.press("right")
        assert "The tape ended" not in str(block(app, Log))


async def test_space_goes_from_change_to_change_and_backspace_back(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(12)
        events = app.session.run.record(0, 12).events()
        changes = [e for e in events if isinstance(e, Backup) and e.new != e.old]
        await pilot.press("s", "home")
        for change in changes[:8]:
            await pilot.press("space")
            assert app.session.timeline.event == change
        for change in changes[6:3:-1]:
            await pilot.press("backspace")
            assert app.session.timeline.event == change


async def test_before_the_first_move_the_footer_names_only_keys_that_do_something(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("g")
        assert app.session.note == "No game yet: s plays one."
        keys = set(footer(app))
        assert {"space", "→", "]", "}"} <= keys
        await pilot.press("right", "right")
        keys = set(footer(app))
        assert {"← →", "[ ]", "{ }", "g"} <= keys


async def test_space_says_how_many_backups_it_passed(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(1)
        await pilot.press("s", "home", "space")
        before = app.session.timeline.events_so_far()[:-1]
        passed = sum(isinstance(event, Backup) for event in before)
        assert passed > 1
        assert app.session.note == f"Passed over {passed} backups that change nothing."


async def test_space_at_the_end_of_the_tape_plays_until_a_value_changes(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(3)
        await pilot.press("s", "end", "space")
        event = app.session.timeline.event
        assert isinstance(event, Backup)
        assert event.game >= 3
        assert event.new != event.old
        assert app.session.note.startswith("The tape ended here, so game ")


async def test_space_stops_before_a_write_that_is_to_be_foretold(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(12)
        await pilot.press("s", "home", "y", "space")
        assert app.session.backup_to_predict is not None
        await pilot.press("space")
        assert screen(app).asked is not None


async def test_a_game_that_waits_is_not_dropped_by_looking_at_it(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "5")
        board = app.session.board
        await pilot.press("s", "end", "right_square_bracket", "right_curly_bracket")
        assert "The next move is yours" in app.session.note
        await pilot.press("p")
        assert (app.session.mode, app.session.board) == (Mode.PLAY, board)


async def test_two_that_learn_nothing_are_stepped_through_all_the_same(lab):
    app = lab(x="random", o="random")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
        assert "Nobody learns here" in app.session.note
        await pilot.press("right", "left")
        assert app.session.timeline.event is not None


@pytest.mark.slow
async def test_a_training_until_unbeatable_ends_with_a_proof_and_an_invitation(lab):
    app = lab(x="negamax", o="negamax")
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot, "unbeatable")
        log = block(app, Log)
        assert log is not None
        last = "".join(piece for piece, _ in log.lines[-1])
        proved = re.fullmatch(
            r"Unbeatable after ([\d,]+) games: proved, not sampled\. p tries it\.", last
        )
        assert proved is not None
        first = int(proved[1].replace(",", ""))
        assert first <= app.session.run.games
        for games, can in ((first, False), (first - 1, True)):
            found = train("negamax", "negamax", games=games, seed=app.session.settings.seed)
            assert any(side["beatable"] for side in found.evaluate().values()) is can
        await pilot.press("p")
        assert app.session.mode is Mode.PLAY


async def test_the_header_of_a_game_against_a_person_says_you_wherever_it_is_looked_at(lab):
    app = lab(o="random")
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot, "1")
        await pilot.press("p", "5")
        page = screen(app).page
        assert page.title[0] == ("X", "you")
        assert page.title[2] == ("game", "2/2")
        assert "learns" not in painted(pilot).split("\n")[0]
        await pilot.press("s")
        assert screen(app).page.title[0] == ("X", "you")
        words = block(app, Equation)
        assert words is not None
        assert words.words == "You mark 5."
        await pilot.press("right")
        title = block(app, SmallBoard, 1).title
        assert "".join(piece for piece, _ in title) == "reply, yours"


async def test_the_quiz_hides_all_that_tells_and_goes_to_what_it_asked(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await trained(pilot)
        await pilot.press("s", "Q")
        await settled(pilot)
        quiz = state(pilot)
        assert "✓" not in painted(pilot)
        await pilot.press("g")
        assert page_screen(pilot).note == "That would tell it: answer first."
        await pilot.press("2", "enter")
        assert "✓" in painted(pilot)
        place = quiz.told.question.place
        await pilot.press("g")
        assert app.session.timeline.place == place
        assert app.session.mode is Mode.STEP


async def test_a_key_of_another_mode_says_where_it_answers(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("full_stop", "n")
        assert app.session.note == "n answers in PLAY (p): a new game."
        await pilot.press("p", "right_square_bracket")
        assert app.session.note == "] answers in WATCH (w): to the next event."
        await pilot.press("5")
        assert app.session.note == ""
