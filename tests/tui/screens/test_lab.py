"""The lab through its keys: what the session does, and what the panes are given to show."""

from __future__ import annotations

import numpy as np
import pytest
from piloting import Desk, desk_of, play_to_end

from afterstate_lab.game import Board
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.tui.blocks.cells import Cells
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.session import Help, Mode
from afterstate_lab.tui.terminal.pacing import Pacer
from afterstate_lab.tui.theme.look import BARE


async def test_a_game_is_watched_event_by_event_or_as_it_runs(desk: Desk):
    assert desk.session.mode is Mode.WATCH
    for kind in (Move, Backup):
        await desk.press(".")
        assert isinstance(desk.event, kind)
    assert await desk.press("u") == "← answers in PLAY (p): take back your last move."
    for runs in (True, False):
        await desk.press("space")
        assert desk.session.is_running is runs


async def test_a_game_of_ones_own_is_played_looked_at_and_taken_back(desk: Desk):
    session = desk.session
    await desk.press("p")
    before = session.timeline.v.copy()
    await desk.press("5")
    board = session.board
    assert (board.ply, str(board)[4], desk.block(Cells).cells[4].mark) == (2, "X", "X")
    assert "5" in await desk.press("5"), "a taken cell is refused"
    assert session.board.ply == 2
    assert "The next move is yours" in await desk.press("s end ] }")
    await desk.press("p")
    assert (session.mode, session.board) == (Mode.PLAY, board), "looking drops no game"
    assert await desk.press("]") == "] answers in WATCH (w): go to the next event."
    assert await desk.press(str(board.legal_cells[0] + 1)) == ""
    await desk.press("u u")
    assert session.board == Board()
    assert np.array_equal(session.timeline.v, before)
    assert "Nothing to undo" in await desk.press("u")
    await desk.press("→ ←")
    assert session.board == Board()
    await desk.press("→ →")
    assert session.board.ply == 4, "what was taken back is made again"
    await desk.press("←")
    await desk.press(str(session.board.legal_cells[-1] + 1))
    assert "took no move back" in await desk.press("→"), "another move was made"


async def test_in_a_game_help_goes_round_sides_are_swapped_and_learning_is_frozen(desk: Desk):
    session = desk.session
    await desk.press("p")
    helps = []
    for _ in Help:
        await desk.press("h")
        helps.append(session.help)
    assert set(helps) == set(Help)
    assert helps[-1] is Help.OFF
    await desk.press("5")
    before = session.board
    assert "starting with the next game" in await desk.press("L")
    assert session.board == before
    await desk.press("n")
    assert session.run.seating.o.value == "frozen"
    await desk.press("x")
    assert (session.human, session.board.ply) == ("O", 1)
    await play_to_end(desk.pilot)
    await desk.press("s")
    assert session.mode is Mode.STEP
    assert isinstance(desk.event, Move)
    assert desk.event.ply == 1
    await desk.press("end")
    assert isinstance(desk.event, GameOver)


async def test_a_training_lands_at_its_last_game_from_which_any_other_is_reached(desk: Desk):
    session = desk.session
    assert "number of games" in await desk.ask("t", "many")
    await desk.press("Esc")
    assert not session.is_training
    await desk.ask("t", "300")
    assert not session.is_training
    assert isinstance(desk.event, GameOver)
    assert (session.run.games, session.timeline.game) == (300, 299)
    await desk.press("s {")
    there = session.timeline.v.copy()
    for forth, back in (("→ " * 12, "← " * 12), ("] " * 5, "[ " * 5)):
        await desk.press(forth + back)
        assert np.array_equal(session.timeline.v, there)
    await desk.ask("g", "124.3")
    assert isinstance(desk.event, Move)
    assert (desk.event.game, desk.event.ply) == (123, 3)
    assert await desk.ask("g", "9999") == "No game 9,999: the run has 300."


async def test_a_training_is_looked_at_once_a_second_while_the_user_types(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    now, looks = [100.0], []
    monkeypatch.setattr("afterstate_lab.tui.screens.lab.monotonic", lambda: now[0])
    monkeypatch.setattr(desk.session, "look_at_training", lambda: looks.append(now[0]))
    monkeypatch.setattr(Pacer, "is_after_key", True)
    for _ in range(9):
        desk.screen.poll()
        now[0] += 0.25
    monkeypatch.setattr(Pacer, "is_after_key", False)
    desk.screen.poll()
    assert looks == [100.0, 101.0, 102.0, 102.25]


@pytest.mark.slow
async def test_a_paused_training_keeps_still_until_it_is_stopped(desk: Desk):
    await desk.press("t")
    desk.screen.line.value = "1000000"
    await desk.press("Enter space")
    assert desk.session.training.is_paused
    await desk.finish("Esc")
    assert 0 < desk.session.run.games < 1_000_000
    assert not desk.session.is_training


@desk_of(games=300)
async def test_one_update_is_read_foretold_and_played_differently(desk: Desk):
    session = desk.session
    await desk.press("s")
    await desk.pilot.pause()
    assert [type(place.block).__name__ for place in desk.screen.places] == ["Hero", "Stairs"]
    await desk.press("{ s")
    await desk.pilot.pause()
    names = ["SmallBoard", "Choice", "Equation", "Diagram", "Entries"]
    assert [type(place.block).__name__ for place in desk.screen.places] == names
    assert desk.screen.places[0].columns == 21
    while not isinstance(desk.event, Backup):
        await desk.press("→")
    event, view = desk.event, desk.block(Equation)
    numbers = [term.number for term in view.terms]
    assert (numbers[0].strip(), numbers[2]) == ("?", f"{event.old:.6f}"[1:])
    assert f"{event.target:.6f}"[1:] in numbers
    assert view.sums[0].value == event.error
    await desk.press("→")
    assert desk.block(Equation).terms[0].number == f"{event.new:.6f}"[1:]
    await desk.press("← y")
    await desk.ask("→", f"{event.new:.4f}")
    assert session.predictions.score == 1
    assert "right" in session.note
    await desk.press("y home")
    old, move = session.run, desk.event
    assert isinstance(move, Move)
    other = (move.cell + 1) % 9
    await desk.ask("f", str(other + 1))
    assert session.run is not old
    assert (desk.event.cell, desk.event.choice) == (other, "scripted")
    await desk.press("F")
    assert session.run is old
    assert old.games == 300


@desk_of(games=300)
async def test_the_quiz_hides_all_that_tells_and_goes_to_what_it_asked(desk: Desk):
    await desk.finish("s Q")
    quiz = desk.state
    assert "✓" not in desk.text
    await desk.press("g")
    assert desk.front.note == "That would give it away: answer first."
    await desk.press("2")
    assert "✓" in desk.text
    place = quiz.told.question.place
    await desk.press("g")
    assert (desk.session.timeline.place, desk.session.mode) == (place, Mode.STEP)


@desk_of(games=20)
async def test_at_the_end_of_the_tape_the_next_game_is_played_and_that_is_said(desk: Desk):
    await desk.press("s")
    for game, key in enumerate("→]}", 21):
        said = f"The history ended here, so game {game} was played."
        assert await desk.press(f"end {key}") == said
        assert isinstance(desk.event, Move)
        assert (desk.event.game, desk.event.ply, desk.session.run.games) == (game - 1, 1, game)
    await desk.press("w end →")
    assert "The history ended here, so game 24 was played." in str(desk.block(Log))
    await desk.press("→")
    assert "The history ended" not in str(desk.block(Log))


@desk_of(games=12)
async def test_space_goes_from_change_to_change_and_backspace_back(desk: Desk):
    session = desk.session
    events = session.run.record(0, 12).events()
    changes = [e for e in events if isinstance(e, Backup) and e.new != e.old]
    said = await desk.press("s home space")
    passed = sum(isinstance(e, Backup) for e in session.timeline.events_so_far()[:-1])
    assert passed > 1
    assert said == f"Passed over {passed} backups that change nothing."
    for change in changes[:8]:
        assert desk.event == change
        await desk.press("space")
    for change in changes[7:3:-1]:
        await desk.press("backspace")
        assert desk.event == change
    assert (await desk.press("end space")).startswith("The history ended here, so game ")
    assert isinstance(desk.event, Backup)
    assert desk.event.game >= 12
    assert desk.event.new != desk.event.old
    await desk.press("home y space")
    assert session.backup_to_predict is not None, "space stops before what is to be foretold"
    await desk.press("space")
    assert desk.front.asked is not None


@desk_of(size=(120, 40))
async def test_the_footer_names_keys_that_do_something_and_that_help_tells(desk: Desk):
    assert await desk.press("g") == "No game yet: s plays one."
    for keys in ("", "→ →", "s", "p 5"):
        await desk.press(keys)
        last = desk.text.splitlines()[-1]
        shown = dict(entry.split(maxsplit=1) for entry in last.strip().split("  "))
        assert len(shown) <= 8
        assert max(map(len, shown.values())) <= 12
        await desk.press("?")
        told = {key.replace(" ", "") for key, _ in desk.state.rows} | {"?", "+−"}
        assert set(shown) <= told
        await desk.press("Esc")


async def test_the_stride_says_how_far_the_arrows_go(desk: Desk):
    await desk.press("} } } s home")
    places = []
    for stride in ("phase", "event", "game"):
        assert desk.session.stride == stride
        before = desk.session.timeline.place, desk.session.timeline.phase
        await desk.press("→")
        places.append(desk.session.timeline.place.game)
        await desk.press("←")
        assert (desk.session.timeline.place, desk.session.timeline.phase) == before
        await desk.press("plus")
    assert places == [0, 0, 1]
    await desk.press("plus plus plus")
    assert desk.session.stride == "break"
    await desk.press("→")
    assert desk.front.asked is not None, "a break is asked for where none is set"


@desk_of(size=(40, 12))
async def test_a_small_terminal_gets_a_card_and_a_larger_one_the_lab(desk: Desk):
    assert "needs 80×24" in desk.text
    await desk.resize((80, 24))
    assert "X to move" in desk.text


@desk_of(x="random", o="random")
async def test_two_that_learn_nothing_are_stepped_through_all_the_same(desk: Desk):
    assert "Neither player learns" in await desk.press("s")
    await desk.press("→ ←")
    assert desk.event is not None
    assert "no number to select" in await desk.press("home tab")
    assert desk.session.selection is None


@desk_of(o="random", games=1)
async def test_the_header_of_a_game_against_a_person_says_you_wherever_it_is_looked_at(desk: Desk):
    await desk.press("p 5")
    title = desk.screen.page.title
    assert (title[0], title[2]) == (("X", "you"), ("game", "2/2"))
    assert "learns" not in desk.text.split("\n")[0]
    await desk.press("s s")
    assert desk.screen.page.title[0] == ("X", "you")
    assert desk.block(Equation).words == "You mark 5."
    await desk.press("→")
    assert desk.block(Equation).words == "You marked 5; now it is O's turn."
    assert desk.block(SmallBoard).cells == "....X...."


async def test_enter_and_digits_answer_what_is_asked_and_say_so_where_nothing_is(desk: Desk):
    assert "There is no question to answer here." in await desk.press("w space space Enter")
    guide = desk.app.controller.lessons
    guide.begin("credit")
    while guide.question is None:
        guide.turn(1)
    await desk.finish("1")
    assert (desk.front.asked.word, desk.screen.line.value) == ("answer", "1")


async def test_predicting_asks_at_once_where_a_write_comes_next(desk: Desk):
    assert "You now predict every backup" in await desk.press("s → y")
    assert "No more" in await desk.press("← y")
    await desk.press("y")
    assert desk.front.asked.word == "predict"
    await desk.press("Esc Enter . 4 Enter")
    assert len(desk.session.predictions.given) == 1


async def test_stepping_before_the_first_move_leaves_the_game_to_the_person(desk: Desk):
    assert "has no move yet" in await desk.press("p s")
    assert (desk.session.mode, desk.session.waits, desk.session.run.games) == (Mode.PLAY, True, 0)
    await desk.press("5 s")
    assert (desk.session.mode, desk.session.run.games) == (Mode.STEP, 0)


async def test_a_key_that_does_nothing_anywhere_is_told_at_home_and_in_the_lab(desk: Desk):
    for keys in ("k", ". k", "q k"):
        await desk.press(keys)
        assert "k does nothing here. ? lists the keys." in desk.text


async def test_arrows_in_ascii_are_not_the_letters_of_other_keys(desk: Desk):
    desk.screen.look = BARE
    await desk.press("s s")
    assert "Up Dn pick" in desk.text
    await desk.click("Up Dn pick")
    assert desk.session.selection is not None


async def test_the_board_says_whose_values_it_shows(desk: Desk):
    assert desk.block(Cells).title == "X's values"
    await desk.press(".")
    assert (desk.block(Cells).title, desk.block(Cells).right) == ("O's values", "O to move")
    await desk.press("p")
    assert desk.block(Cells).title == "board", "a person plays without values at first"


@desk_of(games=3)
async def test_the_stride_of_a_training_names_the_arrows(desk: Desk):
    desk.session.mode = Mode.TRAIN
    assert await desk.press("plus") == "← and → now go by one milestone."
