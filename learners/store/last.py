"""Which run was saved last: asked when the lab opens, so without the engine and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from learners.errors import StoreError
from learners.locations import store_file
from learners.store.database import Database
from learners.store.listing import last_saved

if TYPE_CHECKING:
    from learners.store.records import RunInfo

PATIENCE: Final = 1.0
"""Seconds to wait for another process that holds the store."""


def last_run() -> RunInfo | None:
    """The run that was saved last in the user's store; None, and no file is made, without one.

    Raises:
        StoreError: the store cannot be read.
    """
    try:
        path = store_file()
    except RuntimeError:
        return None
    try:
        if not path.exists():
            return None
    except OSError:
        raise StoreError("the folder of the saved runs cannot be read") from None
    database = Database(path, PATIENCE)
    try:
        with database.reading() as connection:
            return last_saved(connection)
    finally:
        database.close()
