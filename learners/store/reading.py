"""Loading a run: everything in the file is checked."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, Final

from learners.errors import (
    DamagedError,
    PolicyFileError,
    StoreError,
    UsageError,
    printable,
    shown,
)
from learners.judge.curve import Point
from learners.kernel.memory import Layout
from learners.players import resolve
from learners.players.policy_file import AGENT, named_agent, named_policy
from learners.rules.base import Rule
from learners.rules.spec import PlayerSpec
from learners.store import codec
from learners.store.listing import seed_of, text, whole
from learners.store.records import LoadedRun, StoredRun, Written
from learners.store.verification import engine_hash
from learners.tape.run import Run
from learners.tape.state import MOST, Keyframe, RunState

MOST_POINTS: Final = 100_000
MOST_SCRIPTS: Final = 10_000_000


class OwnRuleError(StoreError):
    """A run needs a user's own rule, and the code of its file may not be run."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        """The rule, `file.py:Class`."""
        super().__init__(
            f"it is played by the rule {shown(rule)}, and a file's code is run only when its rule "
            "is named with the run"
        )


def load(connection: sqlite3.Connection, number: int, own_rules: Collection[str]) -> LoadedRun:
    """Load a run.

    Args:
        own_rules: rules in files, `file.py:Class`, whose code may be run.

    Raises:
        OwnRuleError: it needs a rule in another file.
        StoreError: it is damaged, or needs a player that is missing.
    """
    query = (
        "SELECT substr(name, 1, 200), uid, generation, substr(note, 1, 2000), x, o, seed, games, "
        "sha256, engine FROM runs"
    )
    row = connection.execute(f"{query} WHERE id = ?", (number,)).fetchone()
    name, uid, generation, note, x, o, seed, games, sha256, engine = row
    try:
        find = partial(player_in_store, own_rules)
        players = PlayerSpec.parse(text(x), find), PlayerSpec.parse(text(o), find)
        if any(spec.rule.human for spec in players):
            raise DamagedError("a person keeps no table: a learner does, whose place is taken")
        state = state_of(connection, number, players, seed_of(seed), whole(games))
        if state.sha256 != sha256:
            raise DamagedError("its memory is not the one that was saved (checksum)")
        points = points_of(connection, number)
        pending = content(connection, number, "pending")
        return LoadedRun(
            run=Run.restore(state),
            stored=StoredRun(
                id=number,
                uid=text(uid),
                name=printable(text(name)),
                generation=whole(generation),
                written=Written(
                    {frame.game: frame.sha256 for frame in state.keyframes},
                    state.scripts,
                    {point.games: point for point in points},
                ),
            ),
            note=printable(text(note)),
            history=points,
            pending=codec.pending_of(pending),
            is_same_engine=engine == engine_hash(*players),
        )
    except OwnRuleError as error:
        error.args = (f"the run {shown(name)} was not loaded: {error}",)
        raise
    except UsageError as error:
        raise StoreError(f"the run {shown(name)} cannot be loaded: {error}") from None


def state_of(
    connection: sqlite3.Connection,
    number: int,
    players: tuple[PlayerSpec, PlayerSpec],
    seed: int,
    games: int,
) -> RunState:
    """The state of a run between these players.

    Raises:
        DamagedError: a part is damaged.
    """
    size = 2 * Layout.of(*players).values
    get = partial(content, connection, number)
    query = "SELECT game, substr(moves, 1, 10) FROM scripts"
    found = list(rows(connection, query, number, MOST_SCRIPTS))
    changes, scripts = codec.seating_changes_of(get("legs"), games), codec.scripts_of(found, games)
    codec.check_openings(changes, scripts, games)
    return RunState(
        *players,
        seed=seed,
        games=games,
        memory=codec.memory_of(get("memory"), size),
        tally=codec.tally_of(get("tally"), games),
        seating_changes=changes,
        scripts=scripts,
        keyframes=keyframes_of(connection, number, size, games),
    )


def keyframes_of(
    connection: sqlite3.Connection, number: int, size: int, games: int
) -> tuple[Keyframe, ...]:
    """The keyframes of a run, in order of games.

    Raises:
        DamagedError: one is damaged, or the first is not the start.
    """
    query = "SELECT game, sha256, memory, tally FROM keyframes"
    frames = []
    for game, sha256, memory, tally in rows(connection, query, number, MOST):
        frame = Keyframe(
            whole(game), codec.memory_of(memory, size), codec.tally_of(tally, whole(game))
        )
        if frame.sha256 != sha256:
            raise DamagedError(f"its keyframe before game {game} is not the one saved (checksum)")
        frames.append(frame)
    if not frames or frames[0].game != 0 or frames[-1].game > games:
        raise DamagedError("its keyframes are not those of its games")
    return tuple(frames)


def points_of(connection: sqlite3.Connection, number: int) -> tuple[Point, ...]:
    """The learning curve of a run.

    Raises:
        DamagedError: a point is malformed.
    """
    query = "SELECT games, x_won, drawn, o_won, substr(evaluation, 1, 20000) FROM points"
    return tuple(map(codec.point_of, rows(connection, query, number, MOST_POINTS)))


def rows(
    connection: sqlite3.Connection, query: str, number: int, most: int
) -> Iterator[tuple[Any, ...]]:
    """A run's rows in order of their first column, one at a time, as each may be large.

    Raises:
        DamagedError: there are more than a run can have.
    """
    found = connection.execute(f"{query} WHERE run = ? ORDER BY 1 LIMIT ?", (number, most + 1))
    for count, row in enumerate(found):
        if count == most:
            raise DamagedError("it has more of everything than a run has")
        yield row


def content(connection: sqlite3.Connection, number: int, column: str) -> Any:
    """A column of a run's row in `contents`.

    Raises:
        DamagedError: the row is missing.
    """
    found = connection.execute(f"SELECT {column} FROM contents WHERE run = ?", (number,)).fetchone()
    if found is None:
        raise DamagedError("its contents are missing")
    return found[0]


def player_in_store(own_rules: Collection[str], name: str) -> tuple[type[Rule], str]:
    """The rule that a stored spec names, and the text of its options.

    The file of a saved policy or of an agent may be missing: what it knows is in the run's own
    memory, and no agent is asked again.

    Raises:
        OwnRuleError: it is a rule in a file whose code may not be run.
        SpecError: there is no such rule.
    """
    if (match := AGENT.fullmatch(name)) is not None:
        return named_agent(match[1]), match[2]
    path, ending, rest = name.rpartition(".py:")
    rule = f"{path}{ending}{rest.partition(':')[0]}"
    if ending and rule not in own_rules:
        raise OwnRuleError(rule)
    path, ending, options = name.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        try:
            return resolve.find(name)
        except PolicyFileError:
            return named_policy(path + ending), options[1:]
    return resolve.find(name)
