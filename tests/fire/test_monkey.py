"""A monkey at the lab: random keys, mouse, pastes, garbage and resizes, on every screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path

import pytest
from monkey_cage import Cage
from monkey_strokes import Monkey
from monkey_world import check_store, counted, let_loose, world

from tui.cli.runs import saved_runs

PLACES = (
    "lab, play", "lab, watch", "lab, step", "lab, train", "HelpScreen", "Palette", "SetupScreen",
    "TableScreen", "RunsScreen", "CompareScreen", "ProvenanceScreen", "WhatIfScreen",
    "experiments, list", "experiments, plan", "experiments, running", "experiments, over",
    "question, train", "question, break at", "question, go to", "question, predict",
    "question, fork", "question, what if", "question, filter", "question, rename",
    "question, note", "question, export", "question, search", "question, plan",
    "question, seeds", "question, games", "question, sweep", "tour", "searching",
    "experiment running",
)  # fmt: skip
"""All that there is to see."""
SPARE = 4
"""Threads and files that a lab at rest may have more of than before: a pool, a database."""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    """A folder for all that the monkey makes."""
    with world(tmp_path):
        yield tmp_path


@pytest.fixture
async def cage(here: Path) -> AsyncIterator[Cage]:
    """A lab for the monkey."""
    async with Cage() as cage:
        yield cage


def test_the_same_seed_does_the_same_things():
    first, again, other = (list(islice(Monkey(seed).strokes(), 1_000)) for seed in (5, 5, 6))
    assert first == again != other


@pytest.mark.parametrize("interpreted", ["1", "0"])
async def test_some_hundred_things_do_no_harm(
    here: Path, monkeypatch: pytest.MonkeyPatch, interpreted: str
):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", interpreted)
    async with Cage() as cage:
        await let_loose(cage, 11, 150)
        await cage.go_home()
    assert len(cage.visits) > 5


@pytest.mark.slow
async def test_some_thousand_things_do_no_harm_and_leave_nothing_behind(
    here: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    async with Cage() as cage:
        await let_loose(cage, 1, 500)
        before = await counted(cage)
        await let_loose(cage, 2, 3_000)
        after = await counted(cage)
    assert (after.screens, after.timers) == (before.screens, before.timers)
