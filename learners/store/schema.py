"""The tables of the store.

A save writes one row of `runs` and `contents`, and of the others only the rows that are new.
"""

from __future__ import annotations

import re
from typing import Final

APPLICATION: Final = 0x41465354
"""What marks the file as ours ("AFST")."""
VERSION: Final = 1

REMARK: Final = re.compile(r"--[^\n]*")


def plain(statement: str) -> str:
    """A statement without remarks, and with one blank where there are some."""
    return " ".join(REMARK.sub("", statement).split())


TABLES: Final = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL,         -- tells this run from another that is given the same id
        generation INTEGER NOT NULL,  -- grows by one with every save
        name TEXT NOT NULL,
        note TEXT NOT NULL,
        created REAL NOT NULL,     -- seconds since 1970
        updated REAL NOT NULL,
        deleted REAL,              -- when, or NULL
        x TEXT NOT NULL,           -- player specs
        o TEXT NOT NULL,
        seed TEXT NOT NULL,        -- decimal
        games INTEGER NOT NULL,
        x_won INTEGER NOT NULL,
        drawn INTEGER NOT NULL,
        o_won INTEGER NOT NULL,
        in_game INTEGER NOT NULL,  -- whether a person is in the middle of a game
        sha256 TEXT NOT NULL,      -- of memory
        engine TEXT NOT NULL       -- hash of the sources that played the latest games
    )
    """,
    "CREATE UNIQUE INDEX names ON runs (name) WHERE deleted IS NULL",
    """
    CREATE TABLE contents (
        run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
        memory BLOB NOT NULL,      -- float64, little-endian, zlib
        tally BLOB NOT NULL,       -- int64, little-endian, zlib
        legs TEXT NOT NULL,        -- [[game, seat of X, seat of O], ...]
        pending TEXT               -- [side, moves] of a person's unfinished game, or NULL
    )
    """,
    """
    CREATE TABLE keyframes (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        game INTEGER NOT NULL,
        sha256 TEXT NOT NULL,      -- of memory and results
        memory BLOB NOT NULL,
        tally BLOB NOT NULL,
        PRIMARY KEY (run, game)
    )
    """,
    """
    CREATE TABLE scripts (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        game INTEGER NOT NULL,
        moves TEXT NOT NULL,       -- by ply, the cell 1-9 given from outside, or a dot
        PRIMARY KEY (run, game)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE points (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        games INTEGER NOT NULL,
        x_won INTEGER NOT NULL,
        drawn INTEGER NOT NULL,
        o_won INTEGER NOT NULL,
        evaluation TEXT NOT NULL,  -- [X, O], as `evaluate --json` tells them
        PRIMARY KEY (run, games)
    )
    """,
)

STATEMENTS: Final = frozenset(map(plain, TABLES))
"""By what the store's parts are known again: a view in the place of a table, or a trigger, could
make of any reading what its author likes."""
