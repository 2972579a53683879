"""Settings for all tests."""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

LIMIT, SLOW_LIMIT = 300, 3600
"""Seconds after which a test hangs: it says where, and ends its process."""
ERRORS = pytest.StashKey[int]()
"""Where that is said, whatever a test does with the standard streams."""


def pytest_configure(config: pytest.Config) -> None:
    """Keep the real standard error, before any test's is captured."""
    config.stash[ERRORS] = os.dup(2)


def pytest_xdist_auto_num_workers() -> int:
    """Three for two cores: a third of the time, tests wait for a terminal."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, 3 * (cores or 1) // 2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let no test hang: a loop that waits for what never comes would hold up all the others."""
    limit = SLOW_LIMIT if item.get_closest_marker("slow") else LIMIT
    faulthandler.dump_traceback_later(limit, exit=True, file=item.config.stash[ERRORS])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.fixture(autouse=True)
def data_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the data of whoever runs it."""
    folder = tmp_path / "data"
    monkeypatch.setenv("AFTERSTATE_DATA", str(folder))
    return folder
