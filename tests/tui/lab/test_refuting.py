"""The game that beats a player: shown as a line of its own, from which one comes back."""

from pathlib import Path

import pytest

from afterstate_lab.game import Board
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.events import Move
from afterstate_lab.learners.tape.run import Seat, Seating
from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Key, Message

HEURISTIC = f"{Path(__file__).parents[2] / 'agents' / 'heuristic.py'}:move"


@pytest.fixture
def lab(tmp_path):
    """A lab between two players, whose runs are saved here."""

    def lab(x: str, o: str) -> LabController:
        settings = Settings(parse_player(x), parse_player(o), 7)
        store = tmp_path / "runs.sqlite"
        return LabController(settings, Autosave(lambda: Store.open(store)))

    return lab


def game(lab: LabController) -> list[int]:
    """The cells 1-9 of the game that is looked at."""
    timeline = lab.session.timeline
    events = map(timeline.event_at, timeline.rows)
    return [event.cell + 1 for event in events if isinstance(event, Move)]


def test_the_game_is_stepped_from_its_first_move_and_the_player_makes_its_own(lab):
    here = lab("td", HEURISTIC)
    run = here.session.run
    told = here.perform("refutation", "o")
    assert isinstance(told, Message)
    assert "loses this game every time: 1 5 8 3 7 9 4." in told.text
    assert here.session.mode is Mode.STEP
    assert game(here) == [1, 5, 8, 3, 7, 9, 4]
    timeline = here.session.timeline
    moves = [e for e in map(timeline.event_at, timeline.rows) if isinstance(e, Move)]
    assert [move.choice for move in moves if move.player == "O"] == ["drawn"] * 3
    assert {move.choice for move in moves if move.player == "X"} == {"scripted"}
    assert here.session.run.seating == Seating(Seat.FROZEN, Seat.FROZEN)
    here.perform("other_line")
    assert here.session.run is run
    assert run.games == 0


def test_where_one_player_can_be_beaten_it_is_that_one_and_of_both_it_is_asked_which(lab):
    here = lab("perfect", HEURISTIC)
    assert isinstance(here.perform("refutation"), Message)
    assert game(here) == [1, 5, 8, 3, 7, 9, 4]
    here = lab("td", HEURISTIC)
    question = here.perform("refutation")
    assert isinstance(question, Key)
    with pytest.raises(UsageError, match="'z' is not a player"):
        question.do("z")
    question.do("o")
    assert game(here) == [1, 5, 8, 3, 7, 9, 4]
    here = lab("perfect", "perfect")
    for text, who in (("", "X or O"), ("X", "X"), ("O", "O")):
        told = f"No opponent beats {who}: that is computed, not tried out."
        with pytest.raises(UsageError, match=told):
            here.perform("refutation", text)


def winner(lab: LabController) -> str:
    board = Board()
    for cell in game(lab):
        board = board.play(cell - 1)
    return board.winner


@pytest.mark.parametrize("learner", ["td", "q", "menace", "negamax"])
def test_a_learner_loses_the_game_that_is_shown(lab, learner: str):
    here = lab(learner, learner)
    here.session.run.train(30)
    for loser, won in (("X", "O"), ("O", "X")):
        here.perform("refutation", loser)
        assert winner(here) == won
    here.perform("other_line")
    assert here.session.run.games == 30


def test_a_game_that_is_only_looked_at_is_not_saved(lab, tmp_path):
    here = lab("td", "td")
    here.session.run.train(20)
    here.perform("refutation", "X")
    here.autosave.finish(here.session)
    assert [info.games for info in Store.open(tmp_path / "runs.sqlite").list()] == [20]
