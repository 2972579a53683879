"""Whatever is done to a run, and whenever it is saved and loaded, its bits are the same."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from made import differs, person_plays

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run, Seat, Seating

PLAYERS = (
    "td", "q:alpha=0.4", "menace", "random", "td:step=1/n", "negamax", "sarsa", "double-q",
    "perfect:epsilon=0.1", "tdlambda", "drifting", "mc",
)  # fmt: skip
SEATINGS = (
    Seating(), Seating(Seat.FROZEN, Seat.LEARNS), Seating(Seat.HUMAN, Seat.LEARNS),
    Seating(Seat.LEARNS, Seat.HUMAN), Seating(Seat.HUMAN, Seat.HUMAN),
)  # fmt: skip


class TwoRuns(RuleBasedStateMachine):
    """One run is saved and loaded now and then, its twin is left alone."""

    @initialize(x=st.sampled_from(PLAYERS), o=st.sampled_from(PLAYERS), seed=st.integers(0, 2**40))
    def begin(self, x, o, seed):
        self.folder = tempfile.TemporaryDirectory()
        self.store = Store.open(Path(self.folder.name) / "runs.sqlite")
        self.twin = Run(parse_player(x), parse_player(o), seed)
        self.run = Run(parse_player(x), parse_player(o), seed)
        self.stored = self.store.save(self.run, name="run")

    @rule(seating=st.sampled_from(SEATINGS))
    def seat(self, seating):
        for run in (self.run, self.twin):
            run.seat(seating)

    @precondition(lambda self: not self.run.seating.has_human)
    @rule(games=st.integers(1, 30))
    def train(self, games):
        for run in (self.run, self.twin):
            run.train(games)

    @rule(order=st.permutations(range(9)))
    def play(self, order):
        """A person, where there is one, marks the first free cell of this order."""
        script = person_plays(self.twin, lambda cells: min(cells, key=order.index))
        self.run.play(script)

    @rule(share=st.floats(0, 1))
    def rewind(self, share):
        for run in (self.run, self.twin):
            run.rewind(int(share * run.games))

    @rule()
    def save(self):
        self.stored = self.store.save(self.run, into=self.stored)

    @rule()
    def save_and_load(self):
        self.save()
        loaded = self.store.load("run")
        assert not differs(loaded)
        self.run, self.stored = loaded.run, loaded.stored

    @invariant()
    def same_bits(self):
        one, other = self.run, self.twin
        assert one.memory.tobytes() == other.memory.tobytes()
        assert one.tally.tolist() == other.tally.tolist()
        assert (one.games, one.seating_changes) == (other.games, other.seating_changes)
        assert dict(one.scripts) == dict(other.scripts)

    def teardown(self):
        if hasattr(self, "folder"):
            self.folder.cleanup()


TestAnyOrder = TwoRuns.TestCase
TestAnyOrder.settings = settings(
    max_examples=3 * settings().max_examples // 10,
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow],
)
