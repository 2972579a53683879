"""Text can be read on everything that it stands on, and terminals without colours get none."""

from math import dist

import pytest
from rich.color import Color
from rich.style import Style

from afterstate_lab.tui.blocks.cells import HeatScale
from afterstate_lab.tui.theme.palette import (
    DARK,
    DARK_256,
    LIGHT,
    LIGHT_256,
    PLAIN,
    SIXTEEN,
    Palette,
    contrast,
)

BACKS, WAYS = ("bar", "selection", "cell"), ("step", "now", "better", "worse")

PAINTED = {"dark": DARK, "dark256": DARK_256, "light": LIGHT, "light256": LIGHT_256}
each_painted = pytest.mark.parametrize("palette", PAINTED.values(), ids=PAINTED)
TEXT = (
    *("text", "strong", "dim", "focus", "title", "key", "written", "truth", "better", "worse"),
    *("x", "o", "x_strong", "o_strong", "remark", "target"),
)

EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
"""Linear RGB as it is seen without one kind of cones (Machado, Oliveira & Fernandes 2009)."""


def linear(color: Color) -> list[float]:
    channels = [channel / 255 for channel in color.get_truecolor()]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def ratio(style: Style) -> float:
    assert style.color is not None
    assert style.bgcolor is not None
    return contrast(style.color, style.bgcolor)


def test_contrast_is_that_of_wcag() -> None:
    assert ratio(Style.parse("#000000 on #ffffff")) == pytest.approx(21)
    assert ratio(Style.parse("#ff0000 on #ffffff")) == pytest.approx(3.998, abs=0.001)


@each_painted
def test_text_contrasts_with_ground_band_cell_selection_heat_and_tag(palette: Palette) -> None:
    values = [step / 100 for step in range(-100, 101)]
    styles = [palette.heated(value, dim=dim) for value in values for dim in (False, True)]
    styles += [palette.style(f"tag {way}") for way in WAYS]
    for under in (Style(), *map(palette.style, BACKS)):
        styles += [palette.ground + under + palette.style(role) for role in TEXT]
    assert [style for style in styles if ratio(style) < 4.5] == []


def seen(color: Color, eye: str) -> tuple[float, float, float]:
    """A colour as an eye sees it, in CIE L*a*b*."""
    light = linear(color)
    mixed = (sum(part * one for part, one in zip(row, light, strict=True)) for row in EYES[eye])
    red, green, blue = (min(1.0, max(0.0, one)) for one in mixed)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (p ** (1 / 3) if p > 0.008856 else 7.787 * p + 16 / 116 for p in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", EYES)
@each_painted
@pytest.mark.parametrize(("one", "other"), [("x", "o"), ("better", "worse")])
def test_every_eye_tells_players_and_better_from_worse_apart(
    palette: Palette, eye: str, one: str, other: str
) -> None:
    colours = [palette.style(role).color for role in (one, other)]
    heats = [palette.heated(value).bgcolor for value in (0.6, -0.6)]
    for pair in (colours, heats):
        assert dist(*(seen(color, eye) for color in pair if color)) >= 20


def test_sixteen_colours_are_named_ones_without_backgrounds() -> None:
    roles = (*TEXT, "ground", "faint", "draw", *BACKS)
    assert all(SIXTEEN.style(role).bgcolor is None for role in roles)
    colours = [SIXTEEN.style(role).color for role in TEXT]
    assert all(colour is None or (colour.number or 0) < 16 for colour in colours)
    selected = {str(SIXTEEN.style(f"{role} on selection")) for role in ("x", "o", "truth", "text")}
    assert selected == {"reverse"}, "a selection is a patchwork"


TRAINED = (0.545, 0.542, 0.562, 0.556, 0.606, 0.539, 0.653, 0.563, 0.558)
"""What td is worth on each opening move after 100,000 games against itself, seed 0."""


@pytest.mark.parametrize(
    ("palette", "many"),
    [(DARK, 5), (LIGHT, 5), (DARK_256, 3), (LIGHT_256, 3), (SIXTEEN, 2)],
    ids=["dark", "light", "dark256", "light256", "sixteen"],
)
def test_a_trained_opening_has_shades_that_the_eye_tells_apart(palette: Palette, many: int) -> None:
    """Two colours are told apart from a difference of 2.3 on (Mahy et al. 1994)."""
    scale = HeatScale(TRAINED, (1.0, 0.5, 0.0))
    apart: list[tuple[float, float, float]] = []
    for value in TRAINED:
        style = palette.heated(scale.heat(value))
        color = style.bgcolor if palette.paints else style.color
        shade = (255.0, 0.0, 0.0) if color is None else seen(color, "all cones")
        if all(dist(shade, other) >= 2.3 for other in apart):
            apart.append(shade)
    assert len(apart) >= many


def test_every_theme_has_every_role_and_an_unknown_one_is_refused_by_name() -> None:
    for palette in (*PAINTED.values(), SIXTEEN, PLAIN):
        assert palette.styles.keys() == DARK.styles.keys()
    with pytest.raises(KeyError, match="'name'"):
        DARK.style("name")
