"""Every parser reads what it is given or refuses it in a sentence; no input does anything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_inputs import inputs, tried
from fuzz_seeds import SEEDS
from fuzz_targets import TARGETS
from hypothesis import given, settings


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in: no file is found by its name, and none may be made."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_sound_is_read(target: str) -> None:
    assert any(TARGETS[target](data) for data in SEEDS[target])


@tried(40, 2_000)
@pytest.mark.parametrize("target", TARGETS)
def test_any_input_is_read_or_refused_in_a_sentence(
    target: str, profile: settings, nowhere: Path
) -> None:
    @profile
    @given(inputs(target))
    def law(data: bytes) -> None:
        TARGETS[target](data)

    law()
    assert not list(nowhere.iterdir())
