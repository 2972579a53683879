"""Opens a stored run for a command, and autosaves it during training."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from learners.errors import StoreError, UsageError, shown
from learners.judge.curve import History
from learners.store import LoadedRun, OwnRuleError, Store, StoredRun
from learners.store.listing import checked_name
from learners.tape.run import Run
from learners.tape.state import Seating
from tui.lab.resume_hint import own_rule_sentence

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec
    from learners.tape.state import RunState
    from learners.training import Training

SAVE_SECONDS = 3.0


class TrainedRun:
    """A run in the user's store that a command trains."""

    def __init__(self, store: Store, run: Run, stored: StoredRun, history: History) -> None:
        self.run = run
        self.stored = stored
        self._store = store
        self._history = history
        self._points_taken = 0
        self._saved_at = time.monotonic()

    @classmethod
    def open(
        cls, name: str, x: PlayerSpec, o: PlayerSpec, seed: int, given: Mapping[str, Any]
    ) -> TrainedRun:
        """Open the run of this name, or create it.

        Args:
            given: those of x, o and seed that the user gave; a stored run must have the same.

        Raises:
            UsageError: the stored run has others, or a person's unfinished game.
            StoreError: the store cannot be used.
        """
        store = Store.open()
        if not store.has(name):
            run = Run(x, o, seed)
            history = History()
            history.add(0, (0, 0, 0), run.layout, run.memory)
            stored = store.save(run, name=name, history=history.points)
            return cls(store, run, stored, history)
        own_rules = {given[side].rule.name for side in ("x", "o") if side in given}
        loaded = store.load(name, own_rules=own_rules)
        check_given(loaded, given)
        check_is_between_games(loaded)
        if loaded.run.seating.has_human:
            loaded.run.seat(Seating())
        return cls(store, loaded.run, loaded.stored, History(loaded.history))

    def autosave(self, training: Training) -> None:
        """Save the training's current state every `SAVE_SECONDS`; retries after a failure."""
        if time.monotonic() - self._saved_at < SAVE_SECONDS:
            return
        try:
            self._save(training, training.snapshot.state)
        except StoreError:
            self._saved_at = time.monotonic()

    def finish(self, training: Training) -> str:
        """Save the finished training; returns a phrase that says where.

        Raises:
            StoreError: it cannot be saved.
        """
        wanted = self.stored.name
        self._save(training, self.run.state())
        self._store.close()
        if self.stored.name != wanted:
            return f"as {shown(self.stored.name)}: another process has changed {shown(wanted)}"
        return f"in run {shown(wanted)}"

    def _save(self, training: Training, state: RunState) -> None:
        points = training.points[self._points_taken :]
        points = [point for point in points if point.games <= state.games]
        self._points_taken += len(points)
        self._history.add_all(points)
        self.stored = self._store.save(state, into=self.stored, history=self._history.points)
        self._saved_at = time.monotonic()


def named_run(name: str, given: Mapping[str, Any]) -> LoadedRun | None:
    """The saved run of this name, or None.

    Args:
        given: those of x, o and seed that the user gave; the run must have the same.

    Raises:
        UsageError: the run has others, or cannot be opened.
    """
    name = checked_name(name)
    with Store.open() as store:
        if not store.has(name):
            return None
        own_rules = {given[side].rule.name for side in ("x", "o") if side in given}
        try:
            loaded = store.load(name, own_rules=own_rules)
        except OwnRuleError:
            raise StoreError(own_rule_sentence(store.info(name))) from None
    check_given(loaded, given)
    return loaded.make_ready()


def check_given(loaded: LoadedRun, given: Mapping[str, Any]) -> None:
    """Check that a run has the players and the seed that the user gave.

    Raises:
        UsageError: it has others.
    """
    name, run = shown(loaded.stored.name), loaded.run
    for option, has in (("x", run.x), ("o", run.o), ("seed", run.seed)):
        wanted = given.get(option, has)
        told, asked = (getattr(which, "stored_text", str(which)) for which in (has, wanted))
        if wanted != has and asked != told:
            raise UsageError(
                f"the run {name} has --{option} {told}, not {asked}: leave --{option} out, "
                "or name another run"
            )


def check_is_between_games(loaded: LoadedRun) -> None:
    """Check that a run has no unfinished game of a person.

    Raises:
        UsageError: it has one.
    """
    if loaded.pending is not None and loaded.pending.script:
        raise UsageError(
            f"a person is in the middle of a game in the run {shown(loaded.stored.name)}: "
            "end it in the lab first, or name another run"
        )
