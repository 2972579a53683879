"""The review of a game: every move judged exactly, and what the learner made of it."""

import pytest

from afterstate_lab.game import Board
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import GameOver
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.tui.pages.review import Review, learned_sentences, score

DIAGONAL = {1: 0, 2: 1, 3: 4, 4: 2, 5: 8}
"""X 1, O 2, X 5, O 3, X 9: X wins, and O, which knows nothing yet, has to block at 9."""


def against(learner: str) -> Run:
    """A run in which a person plays X."""
    return Run.of(parse_player("human"), parse_player(learner), 1)


def test_each_move_is_judged_by_minimax_from_the_seat_of_its_mover():
    run = against("td")
    run.play(DIAGONAL)
    found = Review(run, 0)
    assert [one.judged.short for one in found.moves] == [
        "keeps the draw",
        "? lost the draw: only 5 kept it",
        "keeps the win",
        "lost already: no cell helped",
        "wins",
    ]
    assert [one.standing for one in found.moves] == [0, 1, 1, 1, 1]
    assert [one.is_own for one in found.moves] == [True, False, True, False, True]
    assert found.outcome == "you won"
    assert found.score == (1, 0, 0, 0)


def test_what_it_wrote_and_what_it_will_do_otherwise_are_those_of_the_lost_game():
    run = against("td:alpha=.1")
    run.play(DIAGONAL)
    found = Review(run, 0)
    ((backup, *values),) = found.changes
    assert values == [0.5, pytest.approx(0.45)]
    assert Board.from_id(backup.board) == Board.parse("XOO.X....")
    ((board, *cells),) = found.answers
    assert Board.from_id(board) == Board.parse("XO..X....")
    assert cells == [(2, 3, 5, 6, 7, 8), (3, 5, 6, 7, 8)]
    assert learned_sentences(found) == [
        "Next time on XO..X.... it prefers 4 6 7 8 9 (was 3 4 6 7 8 9)."
    ]
    expected = {one.move.ply: one.expected for one in found.moves}
    assert expected[4] == (0.5, pytest.approx(0.45))
    assert expected[5] is None


def test_the_score_counts_the_games_with_the_person_and_no_others():
    run = Run.of(parse_player("td"), parse_player("td"), 3)
    run.train(40)
    ends: list[tuple[Seating, str]] = []
    for side in (Seating(Seat.HUMAN, Seat.LEARNS), Seating(Seat.LEARNS, Seat.HUMAN)):
        run.seat(side)
        ends += [(side, won_by(run)) for _ in range(4)]
        run.seat(Seating())
        run.train(20)
    found = score(run, run.games - 21)
    persons = ["X" if side.x is Seat.HUMAN else "O" for side, _ in ends]
    results = [result for _, result in ends]
    won = sum(one == person for one, person in zip(results, persons, strict=True))
    drawn = results.count("draw")
    assert found == (won, drawn, 8 - won - drawn, 40)
    assert sum(score(run, 40)[:3]) == 1


def won_by(run: Run) -> str:
    """Play a game in which the person always takes the first free cell; who won it."""
    script: dict[int, int] = {}
    while True:
        recording = run.play(script)
        end = recording.event(recording.size - 1) if recording.size else None
        if isinstance(end, GameOver):
            return end.result
        moves = [one for one in recording.events() if hasattr(one, "afterstate")]
        board = Board.from_id(moves[-1].afterstate) if moves else Board()
        script[board.ply + 1] = board.legal_cells[0]
