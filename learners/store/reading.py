"""Loading and listing runs: nothing in the file is believed."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from learners import registry
from learners.curve import Point
from learners.errors import SpecError, StoreError, printable, shown
from learners.keyframes import MOST, Keyframe
from learners.memory import Layout
from learners.rule import Rule
from learners.rules.saved import named_policy, saved_policy
from learners.run import Run
from learners.spec import PlayerSpec
from learners.state import RunState
from learners.store import codec
from learners.store.codec import DamagedError
from learners.store.engine_hash import engine_hash
from learners.store.records import LoadedRun, RunInfo, StoredRun, Written

INFO: Final = (
    "id, substr(name, 1, 200), substr(note, 1, 2000), created, updated, deleted, substr(x, 1, 1000), "
    "substr(o, 1, 1000), substr(seed, 1, 40), games, x_won, drawn, o_won, in_game, "
    "substr(sha256, 1, 64)"
)
"""The columns of a `RunInfo`, none longer than a line of a list needs."""
MOST_POINTS: Final = 100_000
MOST_SCRIPTS: Final = 10_000_000


class OwnRuleError(StoreError):
    """A run needs the rule in a file of a user's own, whose code was not run."""

    def __init__(self, file: str) -> None:
        self.file = file
        """The rule, `file.py:Class`."""
        super().__init__(
            f"this run is played by the rule {shown(file)}, whose code is run only when it is asked "
            f"for by name"
        )


def info_of(row: tuple[Any, ...]) -> RunInfo:
    """A line of the list.

    Raises:
        StoreError: it is damaged.
    """
    number, name, note, created, updated, deleted, x, o, seed, games, *results = row
    *results, in_game, sha256 = results
    try:
        won_x, drawn, won_o = map(whole, results)
        return RunInfo(
            id=whole(number),
            name=printable(text(name)),
            note=printable(text(note)),
            created=moment(created),
            updated=moment(updated),
            deleted=None if deleted is None else moment(deleted),
            x=printable(text(x)),
            o=printable(text(o)),
            seed=seed_of(seed),
            games=whole(games),
            results=(won_x, drawn, won_o),
            in_game=bool(whole(in_game)),
            sha256=printable(text(sha256)),
        )
    except DamagedError as error:
        raise StoreError(f"run {number} in the store is damaged: {error}") from None


def load(connection: sqlite3.Connection, number: int, own_rules: frozenset[str]) -> LoadedRun:
    """Load a run, every part of it checked.

    Args:
        connection: reads one state of the store.
        number: the run's id.
        own_rules: the rules in files whose code may be run.

    Raises:
        StoreError: it is damaged, or needs something that is not there.
    """
    row = fetched(connection, "SELECT {} FROM runs WHERE id = ?", number, RUN)[0]
    uid, generation, name, note, x, o, seed, games, sha256, engine = row
    try:
        players = player_of(x, own_rules), player_of(o, own_rules)
        state = state_of(connection, number, players, seed_of(seed), whole(games))
        if state.sha256 != sha256:
            raise DamagedError("its memory is not the one that was saved (checksum)")
        points = [
            codec.point_of(point)
            for point in fetched(connection, f"{ROWS} ORDER BY games", number, POINT, "points")
        ]
        pending = fetched(connection, ROWS, number, ("pending",), "contents")[0][0]
        return LoadedRun(
            run=Run.restore(state),
            stored=StoredRun(
                id=number,
                uid=text(uid),
                name=printable(text(name)),
                generation=whole(generation),
                written=written(state, points),
            ),
            note=printable(text(note)),
            history=tuple(points),
            pending=codec.pending_of(pending),
            is_same_engine=engine == engine_hash(*players),
        )
    except (DamagedError, SpecError) as error:
        about = f"the run {shown(name)} cannot be loaded"
        raise StoreError(f"{about}: {error}") from None
