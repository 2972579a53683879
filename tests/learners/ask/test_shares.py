"""What a value is made of: weights that sum to 1, and by which it moves when a result does."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.game import Board
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.ask.why import NotLinearError, shares_of
from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.watched import watch

LINEAR = (
    "td", "td:step=1/n", "td:decay=.9,every=20", "td:exploration=learn,symmetry=on", "mc",
    "mc:exploration=forget,step=1/n", "chain", "chain:plies=all,exploration=forget", "nstep:n=3",
    "tdlambda", "tdlambda:traces=replacing,lambda=.5", "tdlambda:exploration=learn,symmetry=on",
    "sarsa", "sarsa:gamma=.9,draw=.2",
)  # fmt: skip
GAMES = 150


@pytest.fixture(scope="module")
def runs(trained):
    return {spec: trained(spec, "random", GAMES, 3) for spec in LINEAR}


def place_of_backup(run, dice):
    while True:
        game = dice.randrange(run.games)
        recording = run.record(game, game + 1)
        is_x = recording.columns.entry < run.layout.x.end
        rows = np.flatnonzero((recording.kinds == BACKUP) & is_x).tolist()
        if rows:
            row = dice.choice(rows)
            return TapePosition(game, row), recording.event(row)


@given(spec=st.sampled_from(LINEAR), seed=st.integers(0, 10_000), most=st.integers(1, GAMES))
def test_weights_sum_to_one_and_give_the_value_again_wherever_the_walk_ends(runs, spec, seed, most):
    """The results after game `since` weigh what they weigh in the whole sum."""
    run = runs[spec]
    place, backup = place_of_backup(run, random.Random(seed))
    whole = shares_of(run, backup.entry, place, backup.new)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(why, "INTERPRETED_GAMES", 7)
        patch.setattr(why, "MOST_GAMES", most)
        part = shares_of(run, backup.entry, place, backup.new)
    for shares in (whole, part):
        assert shares.weights == pytest.approx(1.0, abs=1e-12)
        assert shares.total == pytest.approx(backup.new, abs=1e-12)
        results = sum(shares.results.values())
        assert sum(shares.games.values()) == pytest.approx(results, abs=1e-12)
    later = {game: weight for game, weight in whole.games.items() if game >= part.since}
    assert part.games == pytest.approx(later, abs=1e-12)
    assert not (part.since and part.first)
    assert part.earlier < why.WEIGHTLESS or place.game - part.since >= most - 7


def test_worked_example_of_a_first_loss():
    """V = .5 + .1 (0 − .5) = .45: a tenth is the loss, nine tenths the first guess."""
    run = Run(parse_player("td"), parse_player("random"), 0)
    run.train(1)
    last = [e for e in run.record(0, 1).events() if isinstance(e, Backup)][-1]
    shares = shares_of(run, last.entry, TapePosition(0, 99), last.new)
    result = run.record(0, 1).events()[-1].result
    assert shares.results[result] == pytest.approx(0.1)
    assert shares.first == pytest.approx(0.9)
    assert shares.games == {0: pytest.approx(0.1)}


def made_again(run, entry, place, game, by):
    """The value of an entry, if the result of one game had been worth more by so much.

    The same backups are made again, forwards, from what each had read.
    """
    v = run.memory_at(0)[: run.layout.values].copy()
    for number in range(place.game + 1):
        recording = run.record(number, number + 1)
        reads = watch(run, recording, number)
        turn, error = None, 0.0
        for row, event in enumerate(recording.events()):
            if number == place.game and row > place.row:
                break
            if not isinstance(event, Backup):
                continue
            table = recording.layout.table_of(event.entry)
            (source,) = reads[row].values
            is_end = source >= table.base + table.size or (
                run.keyframes[0].memory[source] == recording.before[source] == v[source]
                and Board.from_id(int(table.entries.boards[source - table.base])).is_over
            )
            worth = v[source] + (by if is_end and number == game else 0.0)
            factor = 1.0 if is_end else table.spec.settings.get("gamma", 1.0)
            if not table.spec.rule.shares_error or (event.player, event.ply) != turn:
                error = factor * worth - v[event.entry]
            turn = (event.player, event.ply)
            v[event.entry] += event.step * event.trace * error
    return v[entry]


def moves_as_the_weight_says(run, dice):
    place, backup = place_of_backup(run, dice)
    shares = shares_of(run, backup.entry, place, backup.new)
    game = dice.choice([*shares.games, dice.randrange(place.game + 1)])
    was = made_again(run, backup.entry, place, game, 0.0)
    moved = made_again(run, backup.entry, place, game, 1.0) - was
    assert was == pytest.approx(backup.new, abs=1e-12)
    assert moved == pytest.approx(shares.games.get(game, 0.0), abs=1e-12)


@pytest.mark.parametrize("spec", LINEAR)
def test_a_value_moves_as_the_weight_of_a_result_says(spec):
    run = Run(parse_player(spec), parse_player("random"), 5)
    run.train(12)
    moves_as_the_weight_says(run, random.Random(1))


@pytest.mark.parametrize(
    ("spec", "said"),
    [("q", "best of several"), ("negamax", "best of several"), ("double-q", "best of several"),
     ("expected-sarsa", "best of several"), ("menace", "beads"), ("menace-code", "beads")],
)  # fmt: skip
def test_where_it_is_no_such_sum_a_sentence_says_what_holds(spec, said, trained):
    run = trained(spec, "random", 20, 3)
    with pytest.raises(NotLinearError, match=said):
        shares_of(run, run.layout.x.base, TapePosition(19, 99), 0.5)


def test_a_stopped_walk_finds_nothing(runs):
    run = runs["td"]
    entry = run.layout.x.base
    assert shares_of(run, entry, TapePosition(GAMES - 1, 99), 0.5, stop=lambda: True) is None
