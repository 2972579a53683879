"""Why: numbers traced to the backups that wrote them, and their weights, which sum to 1."""

import random
from functools import cache

import numpy as np
import pytest
from made import LEARNERS, own_rule, run_of, trained

from afterstate_lab.game import Board, space
from afterstate_lab.game.constants import SYMMETRIES
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.ask.why import chain, last_write, last_writes, shares_of
from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.museum import PIECES
from afterstate_lab.learners.tape.recording import Backup, Cursor, Move, TapePosition, position_of
from afterstate_lab.learners.tape.run import Keyframe, Run

GAMES = 1_500
CENTRE = Board.parse("....X....").id


def events_by_place(run, games):
    recording = run.record(0, games)
    return {position_of(recording, row): event for row, event in enumerate(recording.events())}


@pytest.fixture(scope="module")
def run():
    return trained(games=GAMES)


@pytest.fixture(scope="module")
def events(run):
    return events_by_place(run, GAMES)


@pytest.mark.parametrize("before", [(0, 0), (12, 5), (900, 7), (GAMES, -1)])
def test_last_writers_are_the_last_of_all_writers(before, run, events):
    entries, before = list(range(0, 5_478, 7)), TapePosition(*before)
    backups = ((place, event) for place, event in events.items() if isinstance(event, Backup))
    last = {event.entry: place for place, event in backups if place < before}
    found = last_writes(run, entries, before)
    assert found == {entry: last[entry] for entry in entries if entry in last}
    assert last_write(run, CENTRE, before) == last.get(CENTRE)


@pytest.mark.quick("td", "double-q", "menace")
@pytest.mark.parametrize("name", LEARNERS)
def test_what_a_target_was_made_of_had_been_written_there(name):
    run = trained(name, name, 200)
    events = events_by_place(run, 200)
    places = [place for place, event in events.items() if isinstance(event, Backup)]
    for place in places[-40::5]:
        for link in chain(run, place, limit=2):
            assert link.reads
            if link.inside is not None:
                made = events[link.inside]
                assert (made.entry, made.new) == link.read


LINEAR = (
    "td", "td:step=1/n", "td:decay=.9,every=20", "td:exploration=learn,symmetry=on", "mc",
    "mc:exploration=forget,step=1/n", "chain", "chain:plies=all,exploration=forget", "nstep:n=3",
    "tdlambda", "tdlambda:traces=replacing,lambda=.5", "tdlambda:exploration=learn,symmetry=on",
    "sarsa", "sarsa:gamma=.9,draw=.2",
)  # fmt: skip

MUSEUM = [f"museum:{name}" for name in PIECES if name != "lost-copy"]
"""Without the piece that writes nothing."""


def place_of_backup(run, dice):
    while True:
        game = dice.randrange(run.games)
        recording = run.record(game, game + 1)
        is_x = recording.columns.entry < run.layout.x.end
        rows = np.flatnonzero((recording.kinds == BACKUP) & is_x).tolist()
        if rows:
            row = dice.choice(rows)
            return TapePosition(game, row), recording.event(row)


def made_of(recording, row, event):
    """The value that is equal to a target, or after a discount, and the factor."""
    table, v = recording.layout.x, Cursor(recording, row).v
    gamma = table.spec.settings.get("gamma", 1.0)
    for factor, among in ((1.0, v[: table.counter]), (gamma, gamma * v[: table.size])):
        found = np.flatnonzero(among == event.target)
        if len(found):
            return int(found[-1]), factor
    raise AssertionError(f"no value is {event.target}")


class Forwards:
    """A run's backups once more, forwards, each from what it had read: slow and simple.

    The tape is not asked what a backup read: every value starts as another random number, so that
    the only value equal to a target is the one that it was made of.

    A value is a vector of weights: of the result of each game, of first guesses, of nothing.
    """

    def __init__(self, spec, seed, games, opponent="biased"):
        run = self.run = Run(parse_player(spec), parse_player(opponent), seed)
        table, begin = run.layout.x, np.random.default_rng(seed)
        guesses = np.flatnonzero(~run.layout.ends[: table.size])
        run.memory[guesses] = begin.random(len(guesses))
        run.keyframes = (Keyframe(0, run.memory.copy(), run.tally.copy()),)
        run._reached = run.keyframes[0]
        run.train(games)
        run.record_on = lambda memory, start, end, columns: self.recorded(start, end)
        self.steps, self.places, self.boards, self.ends = [], [], [], []
        for game in range(games):
            recording = self.run.record(game, game + 1)
            turn, ply, events = None, 0, recording.events()
            self.ends.append(events[-1])
            self.boards.append(
                {(space().text(e.board), e.cell) for e in events if isinstance(e, Move)}
                | {(space().text(e.afterstate), -1) for e in events if isinstance(e, Move)}
                | {(".........", -1)}
            )
            for row, event in enumerate(events):
                self.places.append(TapePosition(game, row))
                if not isinstance(event, Backup) or event.player == "O":
                    continue
                source, factor = made_of(recording, row, event)
                ends = source >= table.rewards or (
                    table.rule.by_state and Board.from_id(source).is_over
                )
                is_newer = turn != event.ply or space().ply[event.board] > ply
                is_head = is_newer or not table.rule.shares_error
                turn, ply = event.ply, space().ply[event.board]
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

    def own_games(self, entry):
        table = self.run.layout.table_of(entry)
        number = entry - table.base
        board, cell = (
            int(column[number]) for column in (table.entries.boards, table.entries.cells)
        )
        many = 8 if table.spec.settings.get("symmetry") == "on" else 1
        boards = map(space().text, space().symmetry_maps[:many, board].tolist())
        cells = (one[cell] if cell >= 0 else -1 for one in SYMMETRIES)
        images = {*zip(boards, cells, strict=False)}
        return [game for game, boards in enumerate(self.boards) if boards & images]


def agrees(one, dice):
    """One random value, at a random event of a run; and as far as a walk of some games comes."""
    place, run = dice.choice(one.places), one.run
    visits = run.layout.x.visits(run.memory)[0]
    visited = np.argsort(-visits)[: np.count_nonzero(visits)].tolist()
    entry = run.layout.x.base + dice.choice(visited[: dice.choice((12, None))])
    weights, own = one.weights(entry, place), one.own_games(entry)
    value = Cursor(one.recorded(place.game, place.game + 1), place.row + 1).v[entry]
    shares = shares_of(run, entry, place, value)
    assert (shares.since, shares.earlier) == (0, 0.0)
    found = np.zeros(run.games + 2)
    found[list(shares.games)] = list(shares.games.values())
    found[run.games :] = shares.first, shares.discounted
    assert found == pytest.approx(weights, abs=1e-9)
    assert shares.own == pytest.approx(weights[own].sum(), abs=1e-9)
    assert shares.borrowed == pytest.approx(weights[:-2].sum() - weights[own].sum(), abs=1e-9)
    if run.x.rule.name == "mc":
        assert shares.borrowed == 0.0
    for most in (1, 4, run.games):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(why, "AT_ONCE", 3)
            patch.setattr(why, "MOST_GAMES", most)
            part = shares_of(run, entry, place, value)
        assert sum(part.parts.values()) == pytest.approx(1.0, abs=1e-12)
        assert part.total == pytest.approx(value, abs=1e-12)
        results = sum(part.results.values())
        assert sum(part.games.values()) == pytest.approx(results, abs=1e-12)
        later = {game: weight for game, weight in shares.games.items() if game >= part.since}
        assert part.games == pytest.approx(later, abs=1e-12)
        assert not (part.since and part.first)
        assert part.earlier < why.WEIGHTLESS or most <= place.game - part.since + 1 < most + 3


RESIGNS = "menace:beads=1,win=-1,draw=-1"
"""The reward of a resignation is read from no board."""


@pytest.mark.parametrize(
    ("spec", "opponent", "games"),
    [
        *((spec, "biased", 12) for spec in (*LINEAR, *MUSEUM)),
        *((spec, RESIGNS, 30) for spec in LINEAR),
    ],
)
def test_own_borrowed_and_guess_are_what_the_backups_made_forwards_say(spec, opponent, games):
    one, dice = Forwards(spec, 5, games, opponent), random.Random(1)
    assert any(end.resigned for end in one.ends) == (opponent == RESIGNS)
    for _ in range(2):
        agrees(one, dice)
    table = one.run.layout.x
    for entry in (np.flatnonzero(table.visits(one.run.memory)[0]) + table.base).tolist():
        value = float(one.run.memory[entry])
        shares = shares_of(one.run, entry, one.places[-1], value)
        assert shares.total == pytest.approx(value, abs=1e-9)
        assert shares.result_of == {game: one.ends[game].result for game in shares.games}


def test_a_target_of_several_values_is_not_explained(tmp_path):
    hook = """
        def after_step(v, tape, me, steps, greedy, t, over, game):
            target = 0.5 * v[steps[t]] + 0.5 * v[me.start]
            backup_towards(v, tape, me, steps[t - 1], SEVERAL, target, me.alpha)
    """
    run = run_of(own_rule(tmp_path, hook), "random", 20)
    place, backup = place_of_backup(run, random.Random(1))
    with pytest.raises(why.NotLinearError, match="is made of several values"):
        shares_of(run, backup.entry, place, backup.new)


def test_a_walk_without_time_finds_nothing(run):
    place, _ = place_of_backup(run, random.Random(2))
    links = chain(run, place)
    assert why.explained(run, links, seconds=-1.0) == why.Why(links)
    assert why.explained(run, links).is_known


@pytest.mark.slow
def test_the_chain_of_a_colour_ends_with_the_refill_that_its_beads_came_from():
    run = run_of("menace", "menace:beads=1,empty=refill", 150, 5)
    table, end = run.layout.o, TapePosition(150, -1)
    written = table.base + np.flatnonzero(table.visits(run.memory)[0])
    chains = [chain(run, last_write(run, int(entry), end), limit=100) for entry in written]
    ended = [links for links in chains if any(link.is_refill for link in links)]
    assert len(ended) > 3
    for links in ended:
        assert [link.is_refill for link in links] == [False] * (len(links) - 1) + [True]
        assert links[-1].reads == {}
