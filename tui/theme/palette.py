"""The styles of the lab by role: dark, light, sixteen colours, or none.

Every painted colour is given twice, as RGB for terminals with true colour and as one of the 256
colours, chosen by eye: rounding turns dark blues to black, and an index costs half the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.color import Color
from rich.style import Style

ThemeColour = tuple[str, int]
"""A colour as RGB text and as an index of 256."""

_WHITE: Final[ThemeColour] = ("#ffffff", 231)
_BLACK: Final[ThemeColour] = ("#000000", 16)

DARK_COLOURS: Final[dict[str, ThemeColour]] = {
    "ground": ("#0f141b", 233),
    "bar": ("#1a212c", 235),
    "selection": ("#1f2a3a", 236),
    "cell": ("#161c25", 234),
    "text": ("#c9d1d9", 252),
    "strong": ("#f0f3f6", 255),
    "dim": ("#8a94a3", 247),
    "faint": ("#3a4351", 238),
    "key": ("#e8c27a", 222),
    "truth": ("#9be486", 150),
    "worse": ("#ff6a8c", 204),
    "x": ("#ffb454", 215),
    "o": ("#5cc2ff", 75),
    "draw": ("#6b7587", 243),
    "meter": ("#2a5b63", 23),
    "tag": ("#0f141b", 233),
}
DARK_HEAT: Final[tuple[ThemeColour, ...]] = (
    ("#875faf", 97), ("#71509a", 96), ("#573c7a", 54), ("#3c2c57", 53), ("#272438", 236),
    ("#161c25", 235),
    ("#16343b", 237), ("#1a5054", 23), ("#1f7461", 29), ("#2f9e6c", 35), ("#62d68c", 78),
)  # fmt: skip
"""Values from a loss to a win: violet below a draw, green above, and the more, the brighter."""
LIGHT_COLOURS: Final[dict[str, ThemeColour]] = {
    "ground": ("#fbfaf7", 231),
    "bar": ("#eeece6", 255),
    "selection": ("#e9edf3", 255),
    "cell": ("#f3f2ee", 255),
    "text": ("#24292f", 236),
    "strong": ("#000000", 16),
    "dim": ("#5c646e", 241),
    "faint": ("#c3c8cf", 250),
    "key": ("#6639ba", 55),
    "truth": ("#2c6a00", 22),
    "worse": ("#a50e52", 125),
    "x": ("#8f4700", 94),
    "o": ("#0b57a4", 25),
    "draw": ("#8b929c", 246),
    "meter": ("#a9cdc6", 152),
    "tag": ("#ffffff", 231),
}
LIGHT_HEAT: Final[tuple[ThemeColour, ...]] = (
    ("#a57fc4", 140), ("#b896d2", 176), ("#cdb3e0", 182), ("#decceb", 189), ("#ebe2f2", 225),
    ("#f3f2ee", 255),
    ("#d3ecdf", 194), ("#b0dfc8", 151), ("#8cd2ae", 115), ("#62c291", 78), ("#36a96a", 41),
)  # fmt: skip
SIXTEEN_COLOURS: Final = {
    "faint": "bright_black",
    "key": "yellow",
    "truth": "green",
    "worse": "red",
    "x": "yellow",
    "o": "cyan",
}
SIXTEEN_HEAT: Final = ("bright_magenta", "magenta", "none", "green", "bright_green")
"""The same on the terminal's own ground, as the colours of the numbers."""
DARK_BEADS: Final[tuple[ThemeColour, ...]] = (
    ("#ffffff", 231), ("#c9a0f0", 177), ("#aab4c0", 249), ("#7f8ea0", 103), ("#f2d24b", 221),
    ("#7fcf7f", 114), ("#ffa040", 214), ("#ff7b72", 209), ("#ff9ac6", 211),
)  # fmt: skip
"""Colours of beads, by cell: Michie's white, lilac, silver, black, gold, green, amber, red, pink
(black as slate, to be seen)."""
LIGHT_BEADS: Final[tuple[ThemeColour, ...]] = (
    ("#8a8f98", 245), ("#8250c4", 97), ("#5f7a99", 67), ("#000000", 16), ("#8a6d00", 94),
    ("#1f7a3a", 28), ("#b35900", 130), ("#b3201a", 124), ("#b03072", 125),
)  # fmt: skip
SIXTEEN_BEADS: Final = (
    "bold", "magenta", "cyan", "bright_black", "bright_yellow", "green", "yellow", "red",
    "bright_magenta",
)  # fmt: skip


HEAT_SHADES: Final = 100
"""Shades on each side of a draw where the terminal mixes colours freely."""
LEGIBLE: Final = 4.5
"""The least contrast of text (WCAG 2, AA)."""
INKS: Final[tuple[tuple[ThemeColour, ...], ...]] = (
    (("#8f99a8", 247), ("#b3bfc8", 252), ("#eef7f2", 231), _WHITE),
    (("#56615c", 241), ("#3a4a44", 238), ("#1c2622", 235), _BLACK),
)
"""Light and dark text, the faintest first."""


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of WCAG 2, 1…21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Color) -> float:
    channels = (part / 255 for part in color.get_truecolor())
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@dataclass(frozen=True)
class Heat:
    """Values from −1 to 1 as backgrounds with text that can be read on them.

    Where nothing is painted it has the colours of the numbers themselves.
    """

    shades: tuple[ThemeColour, ...] = ()
    """From −1 to 1, as many below 0 as above."""
    rgb: bool = False
    """Colours between the shades are mixed; else each value has the nearest of them."""
    names: tuple[str, ...] = ()
    """The colours of the numbers where nothing is painted."""

    def style(self, value: float, dim: bool = False) -> Style:
        """The style of a value, clipped; `dim` for text beside the number."""
        many = HEAT_SHADES if self.rgb else max(len(self.shades), len(self.names)) // 2
        return _heated(self, round(max(-1.0, min(1.0, value)) * many), dim)

    def shade(self, step: int) -> Color:
        """The background of a step, 0 in the middle."""
        middle = len(self.shades) // 2
        if not self.rgb:
            return Color.from_ansi(self.shades[middle + step][1])
        place = middle + step * middle / HEAT_SHADES
        first = min(int(place), len(self.shades) - 2)
        below, above = (Color.parse(self.shades[n][0]).get_truecolor() for n in (first, first + 1))
        share = place - first
        return Color.from_rgb(
            *(round(a + share * (b - a)) for a, b in zip(below, above, strict=True))
        )


@lru_cache(1024)
def _heated(heat: Heat, step: int, dim: bool) -> Style:
    if not heat.shades:
        return Style.parse(heat.names[len(heat.names) // 2 + step]) if heat.names else Style()
    ground = heat.shade(step)
    inks = [
        [Color.parse(ink[0]) if heat.rgb else Color.from_ansi(ink[1]) for ink in side]
        for side in INKS
    ]
    side = max(inks, key=lambda side: contrast(side[-1], ground))
    faint = (ink for ink in side if contrast(ink, ground) >= LEGIBLE)
    return Style(
        color=next(faint, side[-1]) if dim else side[-1], bgcolor=ground, bold=not dim or None
    )


ROLES: Final = {
    "text": "text", "strong": "strong bold", "dim": "dim", "faint": "faint", "draw": "draw",
    "focus": "key bold", "title": "dim bold", "key": "key bold", "written": "key bold",
    "truth": "truth", "better": "truth", "worse": "worse", "remark": "key", "target": "o",
    "x": "x", "o": "o", "x_strong": "x bold", "o_strong": "o bold", "meter": "meter",
}  # fmt: skip
"""The colour of each role, and whether it is bold."""
BACKS: Final = ("bar", "selection", "cell")
TAGS: Final = {"WATCH": "truth", "STEP": "key", "PLAY": "x", "TRAIN": "o"}

PICKED: Final = Style(bold=True, underline=True)
"""Laid over the style of a selected number."""


class Palette:
    """Styles by role. A role's style is laid over `ground`; nothing is told by colour alone.

    `ground` is empty where the terminal's own background stays. `dim` does not matter now, `faint`
    is for borders and axes, `focus` for the pane that has the attention, `written` for the value
    being written, `remark` for something out of the ordinary, `draw` for drawn games, `meter` for
    bars next to the one that matters. `bar` is the band of the mode line, `selection` the row or
    cell selected, and `cell` a board cell without a value: only backgrounds, or reverse.

    Args:
        name: `dark`, `light`, `sixteen` or `plain`.
        paints: backgrounds are painted: cells need no lines between them.
        heat: values −1…1, below and above a draw.
        beads: the nine colours of beads, by cell.
        tags: the mode's tag by the mode's name.
        styles: the others by role.
    """

    ground = text = strong = dim = faint = focus = title = key = written = truth = better = Style()
    worse = x = o = x_strong = o_strong = remark = target = draw = meter = Style()
    bar = selection = cell = Style()

    def __init__(
        self,
        name: str,
        paints: bool,
        heat: Heat,
        beads: tuple[Style, ...],
        tags: Mapping[str, Style],
        styles: Mapping[str, Style],
    ) -> None:
        self.name, self.paints = name, paints
        self.heat, self.beads, self.tags = heat, beads, tags
        vars(self).update(styles)

    def style(self, role: str) -> Style:
        """The style of a role: an attribute of this class, `bead 3`, `heat -0.5`, `tag STEP`, one
        of these selected or bold, `picked text`, or on the ground of a second, `text on cell`.
        """
        if not role:
            return Style.null()
        role, _, ground = role.partition(" on ")
        if ground == "selection":
            return self.selected(self.style(role))
        if ground:
            return self.style(ground) + self.style(role)
        if role.startswith(("picked ", "bold ")):
            laid, _, role = role.partition(" ")
            return self.style(role) + (PICKED if laid == "picked" else Style(bold=True))
        if role.startswith("tag "):
            return self.tag(role.removeprefix("tag "))
        if role.startswith("bead "):
            return self.bead(int(role.removeprefix("bead ")))
        kind, _, number = role.partition(" ")
        if kind in ("heat", "heatdim", "heatlight"):
            style = self.heated(float(number), dim=kind == "heatdim")
            return style + Style(bold=False) if kind == "heatlight" else style
        style = getattr(self, role)
        if not isinstance(style, Style):
            raise ValueError(f"{role!r} is no role of a palette.")
        return style

    def selected(self, style: Style) -> Style:
        """`style` within a selection; a reversed one is plain, or it would be a patchwork."""
        return self.selection + (style if self.paints else style.without_color)

    def tag(self, mode: str) -> Style:
        return self.tags.get(mode.upper(), self.selected(self.strong))

    def bead(self, number: int) -> Style:
        """The style of the beads of a colour, 0-8."""
        return self.beads[number % len(self.beads)]

    @property
    def has_beads(self) -> bool:
        """Whether beads have colours."""
        return len(self.beads) > 1

    @property
    def has_heat(self) -> bool:
        """Whether values have colours."""
        return bool(self.heat.shades or self.heat.names)

    def heated(self, value: float | None, dim: bool = False) -> Style:
        """The background, with its text, for a value of −1…1 (clipped); None has no heat."""
        if value is None:
            return self.cell + (self.dim if dim else self.strong)
        heat = self.heat.style(value, dim)
        return heat if self.paints else (self.dim if dim else self.strong + heat)


def _painted(
    name: str,
    colours: Mapping[str, ThemeColour],
    heat: tuple[ThemeColour, ...],
    beads: tuple[ThemeColour, ...],
    rgb: bool,
) -> Palette:
    """A palette that paints every cell, from its colours by role."""

    def parsed(colour: ThemeColour) -> Color:
        return Color.parse(colour[0]) if rgb else Color.from_ansi(colour[1])

    def on(front: str, behind: str, bold: bool | None = None) -> Style:
        return Style(color=parsed(colours[front]), bgcolor=parsed(colours[behind]), bold=bold)

    styles = {"ground": on("text", "ground")}
    for role, drawn in ROLES.items():
        colour, _, bold = drawn.partition(" ")
        styles[role] = Style(color=parsed(colours[colour]), bold=bool(bold) or None)
    styles |= {role: Style(bgcolor=parsed(colours[role])) for role in BACKS}
    tags = {mode: on("tag", role, bold=True) for mode, role in TAGS.items()}
    drawn_beads = tuple(Style(color=parsed(bead)) for bead in beads)
    return Palette(name, True, Heat(heat, rgb), drawn_beads, tags, styles)


def _unpainted(
    name: str, colours: Mapping[str, str], heat: tuple[str, ...], beads: tuple[str, ...]
) -> Palette:
    """A palette on the terminal's own background; `colours` by role, possibly none."""
    styles = {"selection": Style(reverse=True)}
    for role, drawn in (ROLES | {"written": "key bold underline", "meter": "faint"}).items():
        colour, _, attributes = drawn.partition(" ")
        own = colours.get(colour, "dim" if role in ("dim", "faint") and not colours else "")
        styles[role] = Style.parse(f"{own} {attributes}".strip() or "none")
    tags = dict.fromkeys(TAGS, Style(bold=True, reverse=True))
    return Palette(name, False, Heat(names=heat), tuple(map(Style.parse, beads)), tags, styles)


DARK: Final = _painted("dark", DARK_COLOURS, DARK_HEAT, DARK_BEADS, rgb=True)
DARK_256: Final = _painted("dark", DARK_COLOURS, DARK_HEAT, DARK_BEADS, rgb=False)
LIGHT: Final = _painted("light", LIGHT_COLOURS, LIGHT_HEAT, LIGHT_BEADS, rgb=True)
LIGHT_256: Final = _painted("light", LIGHT_COLOURS, LIGHT_HEAT, LIGHT_BEADS, rgb=False)
SIXTEEN: Final = _unpainted("sixteen", SIXTEEN_COLOURS, SIXTEEN_HEAT, SIXTEEN_BEADS)
PLAIN: Final = _unpainted("plain", {}, (), ("none",))


def choose_palette(
    env: Mapping[str, str], color_system: str | None, light: bool = False
) -> Palette:
    """The palette that a terminal can show.

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
