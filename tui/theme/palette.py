"""The styles of the lab by role: dark, light, sixteen colours, or none; and what `NO_COLOR` leaves.

Each is a file in `themes`, told in `dark.toml`. Every painted colour is there twice, as RGB for
terminals with true colour and as one of the 256 colours, chosen by eye: rounding turns dark blues
to black, and an index costs half the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from rich.color import Color, ColorSystem, blend_rgb
from rich.style import Style

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.toml_reader import packaged
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE, Glyphs

LEGIBLE: Final = 4.5
"""The least contrast of text (WCAG 2, AA)."""
PICKED: Final = Style(bold=True, underline=True)
"""Laid over the style of a selected number."""
LATER: Final = 0.4
"""How much of its colour a value that is still to come has."""


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of WCAG 2, 1…21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Color) -> float:
    channels = (part / 255 for part in color.get_truecolor())
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lean_dataclass
class Palette:
    """Styles by role. A role's style is laid over `ground`; nothing is shown only by colour."""

    name: str
    """The name of its file."""
    paints: bool = False
    """Backgrounds are painted: cells need no lines between them."""
    rgb: bool = False
    """Colours between the shades of values are mixed; else each value has the nearest of them."""

    @cached_property
    def theme(self) -> Mapping[str, Any]:
        return packaged(Path(__file__).parent / "themes" / f"{self.name}.toml")

    @cached_property
    def styles(self) -> Mapping[str, Style]:
        """Return the styles that the theme names."""
        return {role: Style.parse(style) for role, style in self.theme["styles"].items()}

    @property
    def ground(self) -> Style:
        return self.styles["ground"]

    def style(self, role: str) -> Style:
        """Return the style of a role of the theme, or of a value of −1…1, such as `heat -0.5`.

        `heatlight` is less bold, `heatdim` is for text next to the number, `heatlater` for a value
        that is still to come, `shade` only a background. `picked text` is selected, and
        `text on cell` on the background of another role.
        """
        role, _, ground = role.partition(" on ")
        if ground:
            style = self.style(role)
            if ground == "selection" and not self.paints:  # a reversed one would be a patchwork
                style = style.without_color
            return self.style(ground) + style
        kind, _, rest = role.partition(" ")
        match kind:
            case "":
                return Style.null()
            case "picked":
                return self.style(rest) + PICKED
            case "heat" | "heatdim":
                return self.heated(float(rest), dim=kind == "heatdim")
            case "heatlight":
                return self.heated(float(rest)) + Style(bold=False)
            case "shade":
                return Style(bgcolor=self.heated(float(rest)).bgcolor)
            case "heatlater":
                heat, under = self.heated(float(rest)).bgcolor, self.ground.bgcolor
                if heat is None or under is None:
                    return self.style("faint")
                mixed = blend_rgb(under.get_truecolor(), heat.get_truecolor(), LATER)
                color = Color.from_triplet(mixed)
                return Style(bgcolor=color if self.rgb else color.downgrade(ColorSystem.EIGHT_BIT))
        return self.styles[role]

    def heated(self, value: float, dim: bool = False) -> Style:
        """Return the style of a value of −1…1, clipped; `dim` for text next to the number."""
        shades = self.theme["heat"]
        middle = len(shades) // 2
        away = max(-1.0, min(1.0, value)) * middle
        if not self.paints:
            return (
                self.style("dim")
                if dim
                else self.style("strong") + Style.parse(shades[middle + round(away)])
            )
        if self.rgb:
            first = min(int(middle + away), len(shades) - 2)
            below, above = (
                Color.parse(shade).get_truecolor() for shade in shades[first : first + 2]
            )
            ground = Color.from_triplet(blend_rgb(below, above, middle + away - first))
        else:
            ground = Color.parse(shades[middle + round(away)])
        sides = ([*map(Color.parse, side)] for side in self.theme["inks"])
        inks = max(sides, key=lambda side: contrast(side[-1], ground))
        faint = next((ink for ink in inks if contrast(ink, ground) >= LEGIBLE), inks[-1])
        return Style(color=faint if dim else inks[-1], bgcolor=ground, bold=not dim or None)


DARK, LIGHT = (Palette(name, paints=True, rgb=True) for name in ("dark", "light"))
DARK_256, LIGHT_256 = (Palette(name, paints=True) for name in ("dark256", "light256"))
SIXTEEN: Final = Palette("sixteen")
PLAIN: Final = Palette("plain")


def choose_palette(
    env: Mapping[str, str], color_system: str | None, light: bool = False
) -> Palette:
    """Return the palette that a terminal can show.

    Args:
        env: The environment; `NO_COLOR` (set and not empty) and `TERM` are read.
        color_system: rich's `Console.color_system`: `truecolor`, `256`, `standard` or None.
        light: Dark text on a light ground is wanted.
    """
    term = env.get("TERM", "")
    if env.get("NO_COLOR") or term.startswith("vt") or term in ("", "dumb") or not color_system:
        return PLAIN
    if color_system == "truecolor":
        return LIGHT if light else DARK
    if color_system == "256":
        return LIGHT_256 if light else DARK_256
    return SIXTEEN


@lean_dataclass
class Look:
    """The colours and characters of a terminal."""

    palette: Palette
    glyphs: Glyphs


DEFAULT: Final = Look(DARK, UNICODE)
BARE: Final = Look(PLAIN, ASCII)
