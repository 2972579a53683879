"""What if: the same dice under other rules; what is the same stays the same, bit by bit."""

import numpy as np
import pytest
from made import LEARNERS, play_as_x, run_of, trained

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.what_if import replay_game, rerun
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Seat, Seating

GAMES = 400


def again(run, games, x=None, o=None):
    """The first games of a run, with other players."""
    other = run_of(x or str(run.x), o or str(run.o), seed=run.seed)
    assert rerun(run, other, games)
    return other


@pytest.mark.parametrize("name", [*LEARNERS, "td:alpha=0.5,decay=0.5,every=40"])
def test_same_rules_make_no_difference(name):
    """Also where greedy moves are counted, by which step sizes fall."""
    run = trained(name, name, 60)
    for game in (0, 31, 59):
        what_if = replay_game(run, game, x=parse_player(name), o=parse_player(name))
        assert what_if.original.events() == what_if.other.events()
        assert what_if.differences == []
        assert what_if.learned_anew == (False, False)


@pytest.mark.parametrize("x", ["q", "td:alpha=0.5,decay=0.5,every=40"])
def test_another_kind_of_learner_or_one_whose_moves_were_not_counted_learns_anew(x):
    run = run_of("td:alpha=0.5", "td", 60, 5)
    run.seat(Seating(Seat.FROZEN, Seat.LEARNS))
    run.train(20)
    run.seat(Seating())
    run.train(20)
    what_if, learned = replay_game(run, 99, x=parse_player(x)), again(run, 99, x=x)
    assert what_if.learned_anew == (True, False)
    before, (table, other) = what_if.other.before, (what_if.other.layout.x, run.layout.o)
    assert before[table.counter] == learned.memory[table.counter]
    assert (before[table.counter] > 60) == ("decay" in x)
    assert np.array_equal(table.values(before), table.values(learned.memory))
    known = what_if.other.layout.o.values(before)[:, other.entries.live]
    assert np.array_equal(known, other.values(what_if.original.before)[:, other.entries.live])


def test_what_a_draw_is_worth_changes_with_the_option():
    run = trained(games=GAMES)
    what_if = replay_game(run, 300, x=parse_player("td:draw=0"))
    drawn = Board.parse("XOXXOOOXX").id
    assert what_if.original.before[drawn] == 0.5
    assert what_if.other.before[drawn] == 0.0
    live = run.layout.x.entries.live
    assert np.array_equal(what_if.original.before[:5478][live], what_if.other.before[:5478][live])


@pytest.mark.parametrize(("x", "games"), [("td", GAMES), ("td:alpha=0.3", 250), ("q", 300)])
def test_run_again_is_the_run_of_those_players_to_the_bit(x, games):
    run, other = trained(games=GAMES), run_of(x, "td", games, 5)
    found = again(run, games, x=x)
    assert found.memory.tobytes() == other.memory.tobytes()
    assert found.tally.tolist() == other.tally.tolist()
    assert run.games == GAMES


def played_by_hand(opponent="td"):
    run = trained(o=opponent, games=20).fork(20)
    play_as_x(run)
    run.train(10)
    return run


def test_moves_of_a_person_are_kept():
    run = played_by_hand()
    assert again(run, run.games).memory.tobytes() == run.memory.tobytes()
    what_if = replay_game(run, 20, o=parse_player("td"))
    assert what_if.original.events() == what_if.other.events()


def test_person_whose_next_cell_is_taken_stops_the_game_and_is_stood_in_for_in_a_whole_run():
    run = played_by_hand("biased")
    stopped = 0
    for opponent in ("perfect", "random", "winblock", "td"):
        what_if = replay_game(run, 20, o=parse_player(opponent))
        stopped += not what_if.other.is_over
        other = again(run, run.games, o=opponent)
        assert other.games == run.games
        assert other.tally[:4].sum() == run.games
    assert stopped
