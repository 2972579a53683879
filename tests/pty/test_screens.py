"""Every screen: drawn piece by piece it looks as repainted whole, and all of it can be read."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
from visits import SIZES, SMALL, VISITS, picture, press, resize, saved_runs, visited


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs."""
    folder = tmp_path_factory.mktemp("runs")
    saved_runs(folder)
    return folder


def rows_that_differ(before, after, columns: int) -> list[int]:
    """The rows in which two pictures differ."""
    cells = enumerate(zip(before, after, strict=True))
    return sorted({at // columns for at, (one, other) in cells if one != other})


@pytest.mark.slow
@pytest.mark.parametrize("light", [False, True], ids=["dark", "light"])
@pytest.mark.parametrize("size", SIZES[1:], ids="{0[0]}x{0[1]}".format)
def test_changes_lead_to_the_same_picture_as_a_whole_repaint(lab, runs, tmp_path, size, light):
    shutil.copytree(runs, tmp_path, dirs_exist_ok=True)
    terminal = lab(columns=size[0], rows=size[1], shows=("home",))
    if light:
        press(terminal, "d")
    for visit in visited(terminal):
        if not visit.stands_still:
            continue
        before, text = picture(terminal.screen), terminal.text
        resize(terminal, SMALL)
        terminal.resize(*size)
        with contextlib.suppress(TimeoutError):
            terminal.read_until(lambda: picture(terminal.screen) == before, 3)  # noqa: B023
        differ = rows_that_differ(before, picture(terminal.screen), size[0])
        assert not differ, f"{visit.name}, rows {differ}:\n{text}\n{terminal.text}"
    assert visit is VISITS[-1]


def luminance(rgb: str) -> float:
    """The relative luminance of WCAG 2 of a colour such as `1c1c1c`."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(rgb[at : at + 2], 16) / 255 for at in (0, 2, 4))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, 1…21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def letters(screen) -> set[tuple[str, str]]:
    """The colours in which letters and digits are seen, each with what it stands on."""
    cells = (screen.buffer[y][x] for y in range(screen.lines) for x in range(screen.columns))
    read = (cell for cell in cells if cell.data.isalnum())
    return {(cell.bg, cell.fg) if cell.reverse else (cell.fg, cell.bg) for cell in read}


@pytest.mark.slow
@pytest.mark.parametrize("light", [False, True], ids=["dark", "light"])
@pytest.mark.parametrize("env", [{}, {"COLORTERM": "truecolor"}], ids=["256", "truecolor"])
def test_all_text_can_be_read_on_what_it_stands_on(lab, runs, tmp_path, env, light):
    shutil.copytree(runs, tmp_path, dirs_exist_ok=True)
    terminal = lab(columns=120, rows=40, env=env, shows=("home",))
    if light:
        press(terminal, "d")
    pale: dict[tuple[str, str], str] = {}
    for visit in visited(terminal):
        for pair in letters(terminal.screen):
            assert "default" not in pair, f"{visit.name}: letters on nothing that was painted"
            if contrast(*pair) < 4.5:
                pale[pair] = visit.name
    assert not pale, {pair: (name, contrast(*pair)) for pair, name in pale.items()}
