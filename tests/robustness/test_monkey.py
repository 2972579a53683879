"""A monkey at the lab: random keys, mouse, pastes, garbage and resizes, on every screen."""

from itertools import islice
from pathlib import Path

import pytest
from monkey import Monkey, Window


def test_the_same_seed_does_the_same_things() -> None:
    first, again, other = (list(islice(Monkey(seed).strokes(), 1_000)) for seed in (5, 5, 6))
    assert first == again != other


@pytest.mark.slow
@pytest.mark.parametrize(("strokes", "interpreted"), [(20, True), (200, False)])
def test_a_monkey_does_no_harm(tmp_path: Path, strokes: int, interpreted: bool) -> None:
    window = Window(tmp_path, interpreted=interpreted)
    try:
        window.let_loose(5, strokes)
    finally:
        window.close()
