"""What a stranger's store could do by its tables: nothing is asked of other tables than its own."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fuzz import EVALUATION

from afterstate_lab.learners.errors import StoreError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import TABLES, Store
from afterstate_lab.learners.tape.run import Run

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
NO_STORE = "is not a store of runs: its tables are different"
ATTACKS = {
    "endless view": f"""ALTER TABLE runs RENAME TO was;
        CREATE VIEW runs AS {ENDLESS} was.* FROM was, n""",
    "endless trigger": f"""CREATE TRIGGER t BEFORE UPDATE ON runs BEGIN
        INSERT INTO points {ENDLESS} 1, i, 0, 0, 0, '' FROM n; END""",
    "hidden trigger": """PRAGMA writable_schema = ON;
        INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_stat', 'runs', 0,
        'CREATE TRIGGER sqlite_stat AFTER INSERT ON runs BEGIN DELETE FROM contents; END')""",
    "another table": "CREATE TABLE diary (day)",
    "another index": "CREATE INDEX i ON runs (note)",
    "another column": "ALTER TABLE runs ADD COLUMN more",
    "a computed column": "ALTER TABLE runs ADD COLUMN more AS (hex(zeroblob(100000000)))",
    "a table less": "DROP TABLE points",
    "other rules": """PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, 'note TEXT NOT NULL', 'note TEXT')""",
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A closed store with one run."""
    path = tmp_path / "runs.sqlite"
    td = parse_player("td")
    with Store.open(path) as store:
        store.save(Run(td, td), name="a")
    return path


def attack(path: Path, statements: str) -> None:
    """Work on the tables of a store."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)
        connection.commit()


@pytest.mark.parametrize("name", ATTACKS)
def test_a_store_with_other_tables_is_refused(path: Path, name: str) -> None:
    attack(path, ATTACKS[name])
    before = path.read_bytes()
    with pytest.raises(StoreError, match=f"{NO_STORE}|is damaged") as refused:
        Store.open(path)
    assert str(refused.value).isprintable()
    assert path.read_bytes() == before


def test_statistics_that_sqlite_keeps_are_no_attack(path: Path) -> None:
    attack(path, "ANALYZE")
    with Store.open(path) as store:
        assert [info.name for info in store.list()] == ["a"]


def test_a_store_made_with_other_remarks_is_a_store(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        for table in TABLES:
            connection.execute(table.replace("deleted REAL,", "deleted REAL, -- when\n"))
        connection.execute("PRAGMA application_id = 0x41465354")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    with Store.open(path) as store:
        assert store.list() == []


@pytest.mark.parametrize("spoilt", [b"\x80", b"{", b"}"])
def test_any_message_of_sqlite_is_a_sentence(path: Path, spoilt: bytes) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"CREATE TABLE runs", b"CREATE %bABLE runs" % spoilt, 1))
    with pytest.raises(StoreError, match="is damaged") as refused:
        Store.open(path)
    assert str(refused.value).isprintable()


def test_a_command_refuses_an_endless_view_at_once(path: Path) -> None:
    attack(path, ATTACKS["endless view"])
    told = subprocess.run(
        [sys.executable, "-m", "afterstate_lab", "runs"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ
        | {"AFTERSTATE_DATA": str(path.parent), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
    )
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("afterstate: ") and told.stderr.count("\n") == 1
    assert NO_STORE in told.stderr


def test_a_time_that_is_none_in_some_zones_is_refused(path: Path) -> None:
    attack(path, "UPDATE runs SET updated = 253402300799")
    (info,) = Store.open(path).list()
    assert (info.name, info.note) == ("a", "damaged: one of its times is not a time")
    info.updated.astimezone()


DAMAGED_ROWS = {
    "name = x'00'": ("?", "one of its texts is not text"),
    "note = x'00'": ("a", "one of its texts is not text"),
    "games = -1": ("a", "one of its numbers is not a count"),
    "x = zeroblob(20000000)": ("?", "one of its texts is not text"),
    "seed = 'none'": ("a", "its seed is not a number"),
    "updated = -1, created = 'now'": ("a", "one of its times is not a time"),
}


@pytest.mark.parametrize("row", DAMAGED_ROWS)
def test_a_damaged_row_is_listed_as_damaged_and_can_be_deleted_and_the_rest_is_there(
    path: Path, row: str
) -> None:
    td = parse_player("td")
    store = Store.open(path)
    store.save(Run(td, td), name="b")
    attack(path, f"UPDATE runs SET {row} WHERE name = 'a'")
    (damaged,) = (info for info in store.list() if info.is_damaged)
    name, why = DAMAGED_ROWS[row]
    assert (damaged.name, damaged.note) == (name, f"damaged: {why}")
    latest = store.latest()
    assert latest is not None and latest.name == "b"
    with pytest.raises(StoreError, match=f"cannot load run .*: {why}"):
        store.load(damaged.id)
    store.delete(damaged.id)
    assert [info.name for info in store.list()] == ["b"]
    if name == "a":
        store.undelete(damaged.id)
        assert len(store.list()) == 2


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        ("optimal", [5, 0]),
        ("coverage", [6, 5]),
        ("missed_wins", 10**30),
        ("worst_loss", 10**400),
        ("worst_loss", -0.1),
        ("vs_random", {"win": 1.1, "draw": 0, "loss": 0}),
        ("rms_minimax", float("inf")),
    ],
)
def test_a_figure_that_no_evaluation_has_is_refused(path: Path, figure: str, value: object) -> None:
    add_point(path, EVALUATION)
    with Store.open(path) as store:
        assert store.load("a").history[-1].games == 7
    add_point(path, EVALUATION | {figure: value})
    loaded = Store.open(path).load("a")
    assert loaded.history == ()
    assert loaded.repair == "a was damaged: its learning curve cannot be read, and is omitted."


def add_point(path: Path, evaluation: dict[str, Any]) -> None:
    """Put a point on the learning curve of the one run, in the place of another one there."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT OR REPLACE INTO points SELECT id, 7, 0, 0, 0, ? FROM runs",
            (json.dumps([evaluation, None]),),
        )
        connection.commit()
