"""What a value is made of: weights that sum to 1, and by which it moves when a result does."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.game import Board, space
from afterstate_lab.game.board import SYMMETRIES, apply
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.ask.why import NotLinearError, shares_of
from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, Move
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


def whole_of(shares):
    return sum(shares.results.values()) + shares.first + shares.earlier + shares.discounted


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
        assert whole_of(shares) == pytest.approx(1.0, abs=1e-12)
        assert shares.total == pytest.approx(backup.new, abs=1e-12)
        results = sum(shares.results.values())
        assert sum(shares.games.values()) == pytest.approx(results, abs=1e-12)
    later = {game: weight for game, weight in whole.games.items() if game >= part.since}
    assert part.games == pytest.approx(later, abs=1e-12)
    assert not (part.since and part.first)
    assert part.earlier < why.WEIGHTLESS or place.game - part.since >= most - 7


class Forwards:
    """A run's backups once more, forwards, each from what it had read: slow and simple.

    A value is a vector of weights: of the result of each game, of first guesses, of nothing.
    """

    def __init__(self, spec, seed, games):
        run = self.run = Run(parse_player(spec), parse_player("biased"), seed)
        run.train(games)
        run.record_on = lambda memory, start, end, columns: self.recorded(start, end)
        self.steps, self.places, self.boards = [], [], []
        for game in range(games):
            recording = self.run.record(game, game + 1)
            reads, turn, events = watch(self.run, recording, game), None, recording.events()
            self.boards.append(
                {(space().text(e.board), e.cell) for e in events if isinstance(e, Move)}
                | {(space().text(e.afterstate), -1) for e in events if isinstance(e, Move)}
                | {(".........", -1)}
            )
            for row, event in enumerate(events):
                self.places.append(TapePosition(game, row))
                if not isinstance(event, Backup):
                    continue
                table = recording.layout.table_of(event.entry)
                (source,) = reads[row].values
                board = None if source >= table.rewards else table.entries.boards[
                    (source - table.base) % len(table.entries.boards)]  # fmt: skip
                ends = board is None or (table.spec.rule.by_state
                                         and Board.from_id(int(board)).is_over)  # fmt: skip
                factor = 1.0 if ends else table.spec.settings.get("gamma", 1.0)
                is_head = (event.player, event.ply) != turn or not table.spec.rule.shares_error
                turn = event.player, event.ply
                share = event.step * event.trace
                step = event.entry, source, ends, factor, is_head, share
                self.steps.append((self.places[-1], *step))

    @cache  # noqa: B019
    def recorded(self, start, end):
        columns = empty_columns((end - start + 1) * EVENTS_A_GAME)
        return Run.record_on(self.run, self.run.memory_at(start), start, end, columns)

    def weights(self, entry, place):
        games = self.run.games
        first, nothing = np.eye(games + 2)[games:]
        held, error = {}, None
        for at, to, source, ends, factor, is_head, share in self.steps:
            if at > place:
                break
            old = held.get(to, first)
            if is_head:
                read = np.eye(games + 2)[at.game] if ends else held.get(source, first)
                error = factor * read + (1.0 - factor) * nothing - old
            held[to] = old + share * error
        return held.get(entry, first)

    def value(self, entry, place, turned, by):
        """The value, if the result of one game had been worth so much more."""
        v, error = self.run.memory_at(0), 0.0
        for at, to, source, ends, factor, is_head, share in self.steps:
            if at > place:
                break
            if is_head:
                worth = v[source] + by * (ends and at.game == turned)
                error = factor * worth - v[to]
            v[to] += share * error
        return v[entry]

    def own_games(self, entry):
        table = self.run.layout.table_of(entry)
        number = entry - table.base
        board, cell = (
            int(column[number]) for column in (table.entries.boards, table.entries.cells)
        )
        symmetries = range(8 if table.spec.settings.get("symmetry") == "on" else 1)
        images = {(apply(n, space().text(board)), SYMMETRIES[n][cell] if cell >= 0 else -1)
                  for n in symmetries}  # fmt: skip
        return [game for game, boards in enumerate(self.boards) if boards & images]


def agrees(runs, dice):
    """One random value, at a random event of a random run."""
    one = dice.choice(runs)
    place, run = dice.choice(one.places), one.run
    visits = run.layout.x.visits(run.memory)[0]
    visited = np.argsort(-visits)[: np.count_nonzero(visits)].tolist()
    entry = run.layout.x.base + dice.choice(visited[: dice.choice((12, None))])
    weights = one.weights(entry, place)
    value = one.value(entry, place, 0, 0.0)
    shares = shares_of(run, entry, place, value)
    own = one.own_games(entry)
    assert abs(shares.own + shares.borrowed + shares.first + shares.discounted - 1.0) < 1e-9
    assert (shares.since, shares.earlier) == (0, 0.0)
    found = np.zeros(run.games + 2)
    found[list(shares.games)] = list(shares.games.values())
    found[run.games :] = shares.first, shares.discounted
    assert found == pytest.approx(weights, abs=1e-9)
    assert shares.own == pytest.approx(weights[own].sum(), abs=1e-9)
    assert shares.borrowed == pytest.approx(weights[:-2].sum() - weights[own].sum(), abs=1e-9)
    if run.x.rule.name == "mc":
        assert shares.borrowed == 0.0
    turned = dice.choice([*shares.games, dice.randrange(run.games)])
    moved = one.value(entry, place, turned, 1.0) - value
    assert moved == pytest.approx(shares.games.get(turned, 0.0), abs=1e-9)
    return shares.borrowed


@pytest.mark.parametrize("spec", LINEAR)
def test_own_borrowed_and_guess_are_what_the_backups_made_forwards_say(spec):
    """And turning a result moves the value by its weight."""
    runs, dice = [Forwards(spec, 5, 12)], random.Random(1)
    for _ in range(2):
        agrees(runs, dice)


@pytest.mark.slow
def test_a_thousand_values_are_own_borrowed_and_guess_as_the_backups_made_forwards_say():
    dice = random.Random(7)
    runs = [Forwards(spec, 1, 40) for spec in LINEAR]
    assert sum(agrees(runs, dice) > 0.01 for _ in range(1000)) > 10


def test_a_walk_that_is_cut_short_says_what_is_older(runs, monkeypatch):
    run = runs["td"]
    place, backup = place_of_backup(run, random.Random(2))
    monkeypatch.setattr(why, "INTERPRETED_GAMES", 10)
    part = shares_of(run, backup.entry, place, backup.new, enough=lambda: True)
    whole = shares_of(run, backup.entry, place, backup.new)
    assert part.since > 0 and part.earlier > 0.0
    assert whole_of(part) == pytest.approx(1.0, abs=1e-12)
    assert part.own <= whole.own and part.borrowed <= whole.borrowed


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
