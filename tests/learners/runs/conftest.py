"""A store, and runs to put into it."""

import sqlite3
from contextlib import closing

import pytest

from afterstate_lab.learners.runs.store import Store


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "runs.sqlite"


@pytest.fixture
def store(path):
    return Store.open(path, patience=0.2)


@pytest.fixture
def edit(path):
    """Changes the file of the store as another program would; what the last statement found."""

    def edit(*statements, **values):
        with closing(sqlite3.connect(path)) as connection, connection:
            return [connection.execute(one, values).fetchall() for one in statements][-1]

    return edit
