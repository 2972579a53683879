"""Every parser reads what it is given or refuses it in a sentence; no input does anything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_inputs import inputs
from fuzz_seeds import SEEDS
from fuzz_targets import TARGETS
from hypothesis import HealthCheck, given, settings

QUICK = settings(max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
LONG = settings(max_examples=2_000, database=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in: no file is found by its name, and none may be made."""
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def hammer(target: str, profile: settings) -> None:
    """Feed a parser with inputs of its own kind."""

    @profile
    @given(inputs(target))
    def law(data: bytes) -> None:
        TARGETS[target](data)

    law()


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_sound_is_read(target: str) -> None:
    assert any(TARGETS[target](data) for data in SEEDS[target])


@pytest.mark.parametrize("target", TARGETS)
def test_any_input_is_read_or_refused_in_a_sentence(target: str, nowhere: Path) -> None:
    hammer(target, QUICK)
    assert not list(nowhere.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_so_are_two_thousand(target: str, nowhere: Path) -> None:
    hammer(target, LONG)
    assert not list(nowhere.iterdir())
