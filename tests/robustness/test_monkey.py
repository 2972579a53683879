"""A monkey at the lab: random keys, mouse, pastes, garbage and resizes, on every screen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from monkey_cage import Cage
from monkey_strokes import Monkey, Stroke
from monkey_window import Window
from monkey_world import check_store, counted, let_loose, world

PLACES = (
    "lab, play", "lab, watch", "lab, step", "lab, train", "help", "setup", "table", "runs",
    "experiments", "question, train", "tour",
)  # fmt: skip
"""What a monkey of a thousand strokes sees for sure; the benchmark's sees all there is."""
SHARE = 0.2
"""At least so much of the time a training goes on."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for all that the monkey makes, and no compiler."""
    with world(tmp_path):
        yield tmp_path


def test_the_same_seed_does_the_same_things():
    first, again, other = (list(islice(Monkey(seed).strokes(), 1_000)) for seed in (5, 5, 6))
    assert first == again != other


@pytest.mark.slow
async def test_a_hundred_strokes_do_no_harm(here: Path):
    async with Cage() as cage:
        await let_loose(cage, 11, 100)
        await cage.go_home()
    assert cage.events > 100
    check_store(1_000)


@pytest.mark.slow
async def test_a_thousand_strokes_do_no_harm_and_leave_nothing_behind(here: Path):
    async with Cage() as cage:
        await let_loose(cage, 1, 100)
        before = await counted(cage)
        await let_loose(cage, 2, 1_200)
        after = await counted(cage)
        for key in (b"t", b"300\r"):
            await cage.do(Stroke(key))
        await cage.wait_for("training")
    assert not [place for place in PLACES if not cage.visits[place]]
    assert cage.training > SHARE * cage.strokes
    assert after.screens <= 1  # the lab's; the collector does not know that of the first lab
    assert (after.workers, after.tasks) == (before.workers, before.tasks)
    assert check_store(2_000)


@pytest.mark.parametrize(
    ("strokes", "interpreted"),
    [(20, True), pytest.param(3_000, False, marks=pytest.mark.slow)],
)
def test_a_monkey_at_a_real_window_does_no_harm(tmp_path: Path, strokes: int, interpreted: bool):
    window = Window(tmp_path, interpreted=interpreted)
    try:
        window.let_loose(5, strokes)
        window.go_home()
    finally:
        window.close()
