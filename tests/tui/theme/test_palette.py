"""Text can be read on everything that it stands on, and terminals without colours get none."""

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

coloraide = pytest.importorskip("coloraide")
BACKS, WAYS = ("bar", "selection", "cell"), ("step", "now", "better", "worse")

PAINTED = {"dark": DARK, "dark256": DARK_256, "light": LIGHT, "light256": LIGHT_256}
each_painted = pytest.mark.parametrize("palette", PAINTED.values(), ids=PAINTED)
TEXT = (
    *("text", "strong", "dim", "focus", "title", "key", "written", "truth", "better", "worse"),
    *("x", "o", "x_strong", "o_strong", "remark", "target"),
)

EYES = ("all cones", "protan", "deutan", "tritan")
"""What is missing of the three kinds of cones."""


def colour(color: Color | None) -> coloraide.Color:
    assert color is not None
    return coloraide.Color(color.get_truecolor().hex)


def ratio(style: Style) -> float:
    return colour(style.color).contrast(colour(style.bgcolor), method="wcag21")


def test_contrast_is_that_of_wcag() -> None:
    red, white = Color.parse("#ff0000"), Color.parse("#ffffff")
    assert contrast(red, white) == contrast(white, red) == pytest.approx(3.998, abs=0.001)
    assert contrast(Color.parse("#000000"), white) == pytest.approx(21)


@each_painted
def test_text_contrasts_with_ground_band_cell_selection_heat_and_tag(palette: Palette) -> None:
    values = [step / 100 for step in range(-100, 101)]
    styles = [palette.heated(value, dim=dim) for value in values for dim in (False, True)]
    styles += [palette.style(f"tag {way}") for way in WAYS]
    for under in (Style(), *map(palette.style, BACKS)):
        styles += [palette.ground + under + palette.style(role) for role in TEXT]
    assert [style for style in styles if ratio(style) < 4.5] == []


def seen(color: Color | None, eye: str) -> coloraide.Color:
    """A colour as an eye sees it (Machado, Oliveira & Fernandes 2009)."""
    if eye == "all cones":
        return colour(color)
    return colour(color).filter(eye, method="machado").clip()


def apart(one: coloraide.Color, other: coloraide.Color) -> float:
    """How different they are in CIE L*a*b*."""
    return one.delta_e(other, method="76")


@pytest.mark.parametrize("eye", EYES)
@each_painted
@pytest.mark.parametrize(("one", "other"), [("x", "o"), ("better", "worse")])
def test_every_eye_tells_players_and_better_from_worse_apart(
    palette: Palette, eye: str, one: str, other: str
) -> None:
    colours = [palette.style(role).color for role in (one, other)]
    heats = [palette.heated(value).bgcolor for value in (0.6, -0.6)]
    for pair in (colours, heats):
        assert apart(*(seen(color, eye) for color in pair)) >= 20


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
    shades: list[coloraide.Color] = []
    for value in TRAINED:
        style = palette.heated(scale.heat(value))
        color = style.bgcolor if palette.paints else style.color
        shade = colour(color or Color.parse("#ffffff"))
        if all(apart(shade, other) >= 2.3 for other in shades):
            shades.append(shade)
    assert len(shades) >= many


def test_every_theme_has_every_role_and_an_unknown_one_is_refused_by_name() -> None:
    for palette in (*PAINTED.values(), SIXTEEN, PLAIN):
        assert palette.styles.keys() == DARK.styles.keys()
    with pytest.raises(KeyError, match="'name'"):
        DARK.style("name")
