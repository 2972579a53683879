"""A game looked at: its review, and the same game with another player."""

import pytest

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.grading.grade import grade
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.recording import GameOver
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.seating import Seat, Seating
from afterstate_lab.tui.cli.grade import summary_of
from afterstate_lab.tui.lab.log import both_games, pair_line, sentences
from afterstate_lab.tui.lab.session import WhatIfSummary
from afterstate_lab.tui.pages.review import score


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


@pytest.mark.parametrize("other", ["td", "td:alpha=0.5", "q", "random", "mc"])
def test_the_log_has_every_event_of_both_games_from_the_first_that_differs(other: str):
    run, spec = Run(parse_player("td"), parse_player("td"), 5), parse_player(other)
    run.train(60)
    result = replay_game(run, 40, x=spec)
    asked = WhatIfSummary(run, result, "X", spec)
    first, *_ = result.differences or [0]
    assert both_games(asked).lines == tuple(map(pair_line, result.pairs[first:]))
    assert bool(result.differences) == (other != "td")
    for which, recording in enumerate((result.original, result.other)):
        events = [(pair.one, pair.other)[which] for pair in result.pairs]
        there = [event for event in events if event is not None]
        assert sorted(map(repr, there)) == sorted(map(repr, recording.events()))
    said = sentences(asked)
    assert (said == ["Every event is the same."]) == (other == "td")


def test_a_graded_bug_is_told_by_its_first_difference():
    found = grade(parse_player("museum:draw-as-loss"), parse_player("td"), games=60, seeds=1,
                  is_brief=True)  # fmt: skip
    said = " ".join(sentences(summary_of(found)))
    assert "First difference: another target. " in said
    assert " .50000 to .50000 " in said and " Would be: .45000." in said
