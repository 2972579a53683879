"""A store that a stranger has worked on: every run in it is shown as it is, or refused."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz_inputs import HOSTILE, tried
from fuzz_seeds import EVALUATION
from fuzz_targets import refused
from hypothesis import given, settings
from hypothesis import strategies as st

from afterstate_lab.learners.errors import StoreError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import LoadedRun, Store
from afterstate_lab.learners.runs.verify import compared, verify
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.tui.cli.runs import HEADER, cells, table
from afterstate_lab.tui.lab.board import board_view
from afterstate_lab.tui.lab.log import log_view
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.panes import curve_view, mode_view, stats_view
from afterstate_lab.tui.lab.resume_hint import resume_hint
from afterstate_lab.tui.lab.session import Session

COLUMNS = {
    "runs": ("uid", "generation", "name", "note", "created", "updated", "deleted", "x", "o", "seed",
             "games", "x_won", "drawn", "o_won", "in_game", "sha256", "engine"),
    "contents": ("run", "memory", "tally", "legs", "pending"),
    "keyframes": ("run", "game", "sha256", "memory", "tally"),
    "scripts": ("run", "game", "moves"),
    "points": ("run", "games", "x_won", "drawn", "o_won", "evaluation"),
}  # fmt: skip
GAMES = 12


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A store with a run in which two learners have trained, and a person has played."""
    path = tmp_path_factory.mktemp("store") / "runs.sqlite"
    run = Run(parse_player("td"), parse_player("q"), 7)
    run.train(GAMES - 1)
    run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
    script: dict[int, int] = {}
    while run.games < GAMES:
        ply = 2 * len(script) + 1
        for cell in range(9):
            with suppress(ValueError):
                run.play({**script, ply: cell})
                script[ply] = cell
                break
    session = Session(Settings(run.x, run.o, 7))
    with Store.open(path) as store:
        store.save(run, name="a", note="mine", history=session.history.points)
    with edited(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


@contextmanager
def edited(path: Path) -> Iterator[sqlite3.Connection]:
    """The store under somebody else's hands."""
    with closing(sqlite3.connect(path)) as connection:
        yield connection
        connection.commit()


def values() -> st.SearchStrategy[Any]:
    """What may stand in any column."""
    packs = st.sampled_from((
        zlib.compress(np.full(9, np.nan).tobytes()), zlib.compress(bytes(10**7)), b"", b"\x78\x9c",
        zlib.compress(bytes(range(256)))))  # fmt: skip
    told = {**EVALUATION, "optimal": [5, 0]}
    texts = st.sampled_from((
        '[[0, "human", "human"]]', '[[0, "learns", "human"], [5, "learns", "frozen"]]', "[]", "{}",
        '["X", "1........"]', '["XO", "12345...."]', '["O", ".1.1....."]', ".11......", "999999999",
        "123456789", "1.........", json.dumps([EVALUATION, None]), json.dumps([told, None]),
        json.dumps([None, EVALUATION | {"worst_loss": 10**400}]), "a.npz", "b.py:Rule",
        "td:alpha=1", "human", "q", "1" * 41, "9" * 5000, "x" * 100_000,
    ))  # fmt: skip
    noise = st.sampled_from(HOSTILE).map(lambda word: word.decode("utf-8", "replace"))
    numbers = st.sampled_from((0, 1, -1, GAMES, 2**31, 2**63 - 1, -(2**63), 0.5, 1e308, -1e308))
    floats = st.floats(allow_nan=False)
    return st.one_of(
        st.none(), packs, texts, noise, numbers, floats, st.binary(max_size=40),
        st.text(st.characters(codec="utf-8"), max_size=20),
    )  # fmt: skip


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, Any]:
    """A statement, and the value in it."""
    table = draw(st.sampled_from(list(COLUMNS)))
    column = draw(st.sampled_from(COLUMNS[table]))
    return f"UPDATE {table} SET {column} = ?", draw(values())


def change(path: Path, statements: list[tuple[str, Any]]) -> None:
    """Change the store, as far as its own rules let that be."""
    with edited(path) as connection:
        for statement, value in statements:
            with suppress(sqlite3.IntegrityError):
                connection.execute(statement, (value,))


def spoil(path: Path, places: list[tuple[int, bytes]]) -> None:
    """Write bytes into the file."""
    whole = bytearray(path.read_bytes())
    for place, data in places:
        at = place % len(whole)
        whole[at : at + len(data)] = data
    path.write_bytes(whole)


def looked_at(path: Path) -> bool:
    """Do all that can be done with the runs of a store; whether the run could be loaded."""
    try:
        with Store.open(path, patience=0.2) as store:
            list_shown(store)
            loaded = store.load(1)
            assert isinstance(verify(loaded).is_same, bool)
            compared(loaded.run.state(), store.load(1).run.state())
            shown_in_the_lab(loaded)
            store.save(loaded.run, into=loaded.stored, history=loaded.history)
            store.save(loaded.run, name="copy")
            store.delete(1)
            store.undelete(1)
            return True
    except StoreError as error:
        return refused(error)


def list_shown(store: Store) -> None:
    """The list, as a command prints it."""
    for deleted in (False, True):
        found = store.list(deleted=deleted)
        assert all(line.isprintable() for line in table([HEADER, *map(cells, found)]))
        assert all(resume_hint(info).isprintable() for info in found)
        json.dumps([info.as_json() for info in found], allow_nan=False)
    store.latest()


def shown_in_the_lab(loaded: LoadedRun) -> None:
    """Go on with the run in the lab, and look at its games, event by event."""
    session = Session(Settings(loaded.run.x, loaded.run.o, 0))
    session.resume(loaded)
    for view in (stats_view, curve_view, board_view, mode_view, log_view):
        view(session)
    for game in range(min(loaded.run.games, GAMES)):
        session.timeline.go_to(game)
        while session.timeline.step() and session.timeline.game == game:
            pass
        board_view(session)
        log_view(session)


CHANGES = st.lists(changes(), min_size=1, max_size=2)
PLACES = st.lists(
    st.tuples(st.integers(0, 2**20), st.binary(min_size=1, max_size=8)), min_size=1, max_size=4
)
KINDS: dict[str, tuple[Callable[[Path, Any], None], st.SearchStrategy[Any]]] = {
    "columns": (change, CHANGES),
    "bytes": (spoil, PLACES),
}


def fresh(path: Path, sound: bytes) -> None:
    """The store as it was, with nothing beside it."""
    for ending in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.write_bytes(sound)


def test_what_was_not_touched_is_shown(sound: bytes, tmp_path: Path) -> None:
    fresh(path := tmp_path / "runs.sqlite", sound)
    assert looked_at(path)


@tried(15, 120)
@pytest.mark.parametrize("kind", ["bytes", pytest.param("columns", marks=pytest.mark.slow)])
def test_what_was_touched_is_shown_or_refused(
    sound: bytes, tmp_path: Path, kind: str, profile: settings
) -> None:
    touch, cases = KINDS[kind]
    path = tmp_path / "runs.sqlite"

    @profile
    @given(cases)
    def law(case: Any) -> None:
        fresh(path, sound)
        touch(path, case)
        looked_at(path)

    law()
