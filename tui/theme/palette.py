"""The styles of the lab by role: dark, light, sixteen colours, or none; and what `NO_COLOR` leaves.

Every painted colour is given twice, as RGB for terminals with true colour and as one of the 256
colours, chosen by eye: rounding turns dark blues to black, and an index costs half the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Final

from rich.color import Color, ColorSystem
from rich.style import Style

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE, Glyphs

ThemeColour = tuple[str, int]
"""A colour as RGB text and as an index of 256."""

_BY_ROLE: Final[dict[str, tuple[ThemeColour, ThemeColour]]] = {
    "ground": (("#0f141b", 233), ("#fbfaf7", 231)),
    "bar": (("#1a212c", 235), ("#eeece6", 255)),
    "selection": (("#1f2a3a", 236), ("#e9edf3", 255)),
    "cell": (("#161c25", 234), ("#f3f2ee", 255)),
    "text": (("#c9d1d9", 252), ("#24292f", 236)),
    "strong": (("#f0f3f6", 255), ("#000000", 16)),
    "dim": (("#8a94a3", 247), ("#5c646e", 241)),
    "faint": (("#3a4351", 238), ("#c3c8cf", 250)),
    "key": (("#e8c27a", 222), ("#6639ba", 55)),
    "truth": (("#9be486", 150), ("#2c6a00", 22)),
    "worse": (("#ff6a8c", 204), ("#a50e52", 125)),
    "now": (("#ffd166", 221), ("#6639ba", 55)),
    "x": (("#ff8f5e", 209), ("#9c3a0a", 94)),
    "x_old": (("#a45f44", 131), ("#d2906f", 173)),
    "x_far": (("#54382f", 95), ("#ead0c3", 223)),
    "o": (("#5cc2ff", 75), ("#0b57a4", 25)),
    "o_old": (("#3e7ca1", 67), ("#7da5cd", 110)),
    "o_far": (("#244257", 24), ("#c7d8e8", 153)),
    "draw": (("#6b7587", 243), ("#8b929c", 246)),
    "meter": (("#2a5b63", 23), ("#a9cdc6", 152)),
    "tag": (("#0f141b", 233), ("#ffffff", 231)),
}
"""The colours of each role on a dark and on a light ground."""
COLOURS: Final = {
    theme: {role: both[place] for role, both in _BY_ROLE.items()}
    for place, theme in enumerate(("dark", "light"))
}
HEAT: Final[dict[str, tuple[ThemeColour, ...]]] = {
    "dark": (
        ("#875faf", 97), ("#71509a", 96), ("#573c7a", 60), ("#3c2c57", 54), ("#272438", 236),
        ("#161c25", 235),
        ("#16343b", 237), ("#1a5054", 23), ("#1f7461", 29), ("#2f9e6c", 35), ("#62d68c", 78),
    ),
    "light": (
        ("#a57fc4", 140), ("#b896d2", 176), ("#cdb3e0", 182), ("#decceb", 189), ("#ebe2f2", 225),
        ("#f3f2ee", 255),
        ("#d3ecdf", 194), ("#b0dfc8", 151), ("#8cd2ae", 115), ("#62c291", 78), ("#36a96a", 41),
    ),
}  # fmt: skip
"""Values from a loss to a win: violet below a draw, green above, and the more, the brighter."""
BEADS: Final[dict[str, tuple[ThemeColour, ...]]] = {
    "dark": (
        ("#ffffff", 231), ("#c9a0f0", 177), ("#aab4c0", 249), ("#7f8ea0", 103), ("#f2d24b", 221),
        ("#7fcf7f", 114), ("#ffa040", 214), ("#ff7b72", 209), ("#ff9ac6", 211),
    ),
    "light": (
        ("#8a8f98", 245), ("#8250c4", 97), ("#5f7a99", 67), ("#000000", 16), ("#8a6d00", 94),
        ("#1f7a3a", 28), ("#b35900", 130), ("#b3201a", 124), ("#b03072", 125),
    ),
}  # fmt: skip
"""Colours of beads, by cell: Michie's white, lilac, silver, black, gold, green, amber, red, pink
(black as slate, to be seen)."""
SIXTEEN_COLOURS: Final = {
    "faint": "bright_black", "key": "yellow", "now": "bright_yellow", "truth": "green",
    "worse": "magenta", "x": "bright_red", "x_old": "red", "x_far": "red",
    "o": "bright_cyan", "o_old": "cyan", "o_far": "cyan",
}  # fmt: skip
SIXTEEN_HEAT: Final = ("bright_magenta", "magenta", "none", "green", "bright_green")
"""The same on the terminal's own ground, as the colours of the numbers."""
SIXTEEN_BEADS: Final = (
    "bold", "magenta", "cyan", "bright_black", "bright_yellow", "green", "yellow", "red",
    "bright_magenta",
)  # fmt: skip

HEAT_SHADES: Final = 100
"""Shades on each side of a draw where the terminal mixes colours freely."""
LEGIBLE: Final = 4.5
"""The least contrast of text (WCAG 2, AA)."""
INKS: Final[tuple[tuple[ThemeColour, ...], ...]] = (
    (("#8f99a8", 247), ("#b3bfc8", 252), ("#eef7f2", 231), ("#ffffff", 231)),
    (("#56615c", 241), ("#3a4a44", 238), ("#1c2622", 235), ("#000000", 16)),
)
"""Light and dark text, the faintest first."""
ROLES: Final = {role: role for role in _BY_ROLE} | {
    "strong": "strong bold", "key": "strong bold", "x_strong": "x bold", "o_strong": "o bold",
    "focus": "key bold", "title": "dim bold", "written": "now bold", "now": "now bold",
    "better": "truth", "remark": "key", "target": "o",
}  # fmt: skip
"""The colour of each role, and whether it is bold."""
BACKS: Final = ("bar", "selection", "cell")
TAGS: Final = {"STEP": "key", "NOW": "now", "BETTER": "truth", "WORSE": "worse"}

PICKED: Final = Style(bold=True, underline=True)
"""Laid over the style of a selected number."""


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


@lean_dataclass(frozen=True)
class Palette:
    """Styles by role. A role's style is laid over `ground`; nothing is shown only by colour.

    `ground` is empty where the terminal's own background stays. `dim` does not matter now, `faint`
    is for borders and axes, `focus` for the pane that has the attention, `written` for the value
    being written, `remark` for something out of the ordinary, `draw` for drawn games, `meter` for
    bars next to the one that matters. `bar` is the band of the mode line, `selection` the row or
    cell selected, and `cell` a board cell without a value: only backgrounds, or reverse.
    """

    name: str
    """`dark`, `light`, `sixteen` or `plain`."""
    paints: bool = False
    """Backgrounds are painted: cells need no lines between them."""
    rgb: bool = False
    """Colours between the shades of values are mixed; else each value has the nearest of them."""

    @cached_property
    def styles(self) -> Mapping[str, Style]:
        """Return the styles by role; `tag STEP` and `bead 3` are roles too."""
        if self.paints:
            return _painted(self.name, rgb=self.rgb)
        return _unpainted(SIXTEEN_COLOURS if self.has_colours else {})

    @property
    def ground(self) -> Style:
        return self.styles["ground"]

    @property
    def has_colours(self) -> bool:
        """Whether values and beads have colours."""
        return self.name != "plain"

    def style(self, role: str) -> Style:
        """Return the style of a role, such as `text`, `bead 3`, `heat -0.5`, `shade -0.5` or
        `tag STEP`, of one of these selected, `picked text`, or on the ground of a second,
        `text on cell`.
        """
        if not role:
            return Style.null()
        role, _, ground = role.partition(" on ")
        if ground == "selection":
            return self.selected(self.style(role))
        if ground:
            return self.style(ground) + self.style(role)
        kind, _, rest = role.partition(" ")
        if kind == "picked":
            return self.style(rest) + PICKED
        if kind == "shade":
            return Style(bgcolor=self.heated(float(rest)).bgcolor)
        if kind in ("heat", "heatdim", "heatlight"):
            style = self.heated(float(rest), dim=kind == "heatdim")
            return style + Style(bold=False) if kind == "heatlight" else style
        if kind == "heatlater":
            return self.later(float(rest))
        if kind == "tag" and rest.upper() not in TAGS:
            return self.selected(self.style("strong"))
        found = self.styles.get(f"tag {rest.upper()}" if kind == "tag" else role)
        if found is None:
            raise ValueError(f"{role!r} is not a role of a palette.")
        return found

    def selected(self, style: Style) -> Style:
        """`style` within a selection; a reversed one is plain, or it would be a patchwork."""
        return self.style("selection") + (style if self.paints else style.without_color)

    def heated(self, value: float, dim: bool = False) -> Style:
        """Return the style of a value of −1…1, clipped; `dim` for text next to the number."""
        shades = HEAT.get(self.name, SIXTEEN_HEAT)
        many = HEAT_SHADES if self.rgb else len(shades) // 2
        return _heated(self, round(max(-1.0, min(1.0, value)) * many), dim)

    def later(self, value: float) -> Style:
        """Return the style of a value that is still to come: fainter than now."""
        if not self.paints:
            return self.style("faint")
        heat, ground = (style.bgcolor for style in (self.heated(value), self.ground))
        assert heat is not None and ground is not None
        both = zip(heat.get_truecolor(), ground.get_truecolor(), strict=True)
        mixed = Color.from_rgb(*(round(a * 0.4 + b * 0.6) for a, b in both))
        return Style(bgcolor=mixed if self.rgb else mixed.downgrade(ColorSystem.EIGHT_BIT))


@lru_cache(1024)
def _heated(palette: Palette, step: int, dim: bool) -> Style:
    """Return the style of a step of the scale of values, 0 in the middle."""
    if not palette.paints:
        if dim or not palette.has_colours:
            return palette.style("dim" if dim else "strong")
        return palette.style("strong") + Style.parse(SIXTEEN_HEAT[len(SIXTEEN_HEAT) // 2 + step])
    shades = HEAT[palette.name]
    middle = len(shades) // 2
    if palette.rgb:
        place = middle + step * middle / HEAT_SHADES
        first = min(int(place), len(shades) - 2)
        below, above = (Color.parse(shades[n][0]).get_truecolor() for n in (first, first + 1))
        mixed = (a + (place - first) * (b - a) for a, b in zip(below, above, strict=True))
        ground = Color.from_rgb(*map(round, mixed))
    else:
        ground = Color.from_ansi(shades[middle + step][1])
    inks = max(
        ([_parsed(ink, rgb=palette.rgb) for ink in side] for side in INKS),
        key=lambda side: contrast(side[-1], ground),
    )
    faint = next((ink for ink in inks if contrast(ink, ground) >= LEGIBLE), inks[-1])
    return Style(color=faint if dim else inks[-1], bgcolor=ground, bold=not dim or None)


def _parsed(colour: ThemeColour, *, rgb: bool) -> Color:
    return Color.parse(colour[0]) if rgb else Color.from_ansi(colour[1])


def _painted(name: str, *, rgb: bool) -> dict[str, Style]:
    """Return the styles of a palette that paints every cell."""
    colours = {role: _parsed(colour, rgb=rgb) for role, colour in COLOURS[name].items()}
    styles = {}
    for role, drawn in ROLES.items():
        colour, _, bold = drawn.partition(" ")
        styles[role] = Style(color=colours[colour], bold=bool(bold) or None)
    styles["ground"] = Style(color=colours["text"], bgcolor=colours["ground"])
    for role in BACKS:
        styles[role] = Style(bgcolor=colours[role])
    for mode, role in TAGS.items():
        styles[f"tag {mode}"] = Style(color=colours["tag"], bgcolor=colours[role], bold=True)
    for number, bead in enumerate(BEADS[name]):
        styles[f"bead {number}"] = Style(color=_parsed(bead, rgb=rgb))
    return styles


def _unpainted(colours: Mapping[str, str]) -> dict[str, Style]:
    """Return styles on the terminal's own background; `colours` by role, possibly none."""
    styles = {}
    for role, drawn in (ROLES | {"written": "key bold underline", "meter": "faint"}).items():
        colour, _, attributes = drawn.partition(" ")
        is_faint = role in ("dim", "faint", "x_far", "o_far") and not colours
        own = colours.get(colour, "dim" if is_faint else "")
        styles[role] = Style.parse(f"{own} {attributes}".strip() or "none")
    styles |= dict.fromkeys(("ground", *BACKS), Style()) | {"selection": Style(reverse=True)}
    styles |= {f"tag {mode}": Style(bold=True, reverse=True) for mode in TAGS}
    beads = enumerate(SIXTEEN_BEADS if colours else ("none",) * len(SIXTEEN_BEADS))
    return styles | {f"bead {number}": Style.parse(bead) for number, bead in beads}


DARK, DARK_256 = (Palette("dark", paints=True, rgb=rgb) for rgb in (True, False))
LIGHT, LIGHT_256 = (Palette("light", paints=True, rgb=rgb) for rgb in (True, False))
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


@lean_dataclass(frozen=True)
class Look:
    """The colours and characters of a terminal."""

    palette: Palette
    glyphs: Glyphs


DEFAULT: Final = Look(DARK, UNICODE)
BARE: Final = Look(PLAIN, ASCII)
