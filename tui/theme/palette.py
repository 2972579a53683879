"""The styles of the laboratory by role: dark, light, sixteen colours, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rich.color import Color
from rich.style import Style

from tui.theme import colours
from tui.theme.colours import Ink


@dataclass(frozen=True, slots=True)
class Palette:
    """Styles by role. A role's style is laid over `ground`; nothing is told by colour alone."""

    name: str
    """`dark`, `light`, `sixteen` or `plain`."""
    paints: bool
    """Backgrounds are painted: cells need no lines between them."""
    ground: Style
    """What everything stands on; empty where the terminal's own background stays."""
    text: Style
    strong: Style
    dim: Style
    """Text that does not matter now."""
    faint: Style
    """Borders and axes: fainter than any text."""
    focus: Style
    """The border and title of the pane that has the attention."""
    title: Style
    key: Style
    written: Style
    """The value being written."""
    truth: Style
    better: Style
    worse: Style
    x: Style
    o: Style
    x_strong: Style
    o_strong: Style
    remark: Style
    """Text about something out of the ordinary, e.g. an exploratory move."""
    target: Style
    draw: Style
    """Drawn games."""
    meter: Style
    """Bars beside the one that matters."""
    bar: Style
    """The band of the mode line."""
    selection: Style
    """The row or cell selected; only a background or reverse."""
    cell: Style
    """A board cell without a value; only a background."""
    heat: tuple[Style, ...]
    """Values 0…1 as background with its text; empty where nothing is painted."""
    heat_dim: tuple[Style, ...]
    """The same backgrounds with fainter text."""
    beads: tuple[Style, ...]
    """The nine colours of beads, by cell."""
    tags: Mapping[str, Style] = field(hash=False)
    """The mode's tag by the mode's name."""

    def style(self, role: str) -> Style:
        """The style of a role named as text: a field of this class, or `bead 3`."""
        if role.startswith("bead "):
            return self.bead(int(role.removeprefix("bead ")))
        style = getattr(self, role)
        if not isinstance(style, Style):
            raise ValueError(f"{role!r} is no role of a palette.")
        return style

    def selected(self, style: Style) -> Style:
        """`style` within a selection; a reversed one is plain, or it would be a patchwork."""
        return self.selection + (style if self.paints else style.without_color)

    def tag(self, mode: str) -> Style:
        """The style of a mode's tag."""
        return self.tags.get(mode.upper(), self.selected(self.strong))

    def bead(self, number: int) -> Style:
        """The style of the beads of a colour, 0-8."""
        return self.beads[number % len(self.beads)]

    def heated(self, value: float | None, dim: bool = False) -> Style:
        """The background, with its text, for a value of 0…1 (clipped); None has no heat."""
        if value is None or not self.heat:
            return self.cell + (self.dim if dim else self.strong)
        scale = self.heat_dim if dim else self.heat
        return scale[min(len(scale) - 1, max(0, int(value * len(scale))))]


def _painted(
    name: str,
    colours: Mapping[str, Ink],
    heat: tuple[tuple[Ink, Ink, Ink], ...],
    beads: tuple[Ink, ...],
    rgb: bool,
) -> Palette:
    """A palette that paints every cell, from its inks by role."""

    def colour(ink: Ink) -> Color:
        return Color.parse(ink[0]) if rgb else Color.from_ansi(ink[1])

    def fore(role: str, bold: bool = False) -> Style:
        return Style(color=colour(colours[role]), bold=bold or None)

    def back(role: str) -> Style:
        return Style(bgcolor=colour(colours[role]))

    def on(fore_ink: Ink, back_ink: Ink, bold: bool = False) -> Style:
        return Style(color=colour(fore_ink), bgcolor=colour(back_ink), bold=bold or None)

    tags = {"WATCH": "truth", "STEP": "key", "PLAY": "x", "TRAIN": "o"}
    return Palette(
        name=name,
        paints=True,
        ground=on(colours["text"], colours["ground"]),
        text=fore("text"),
        strong=fore("strong", bold=True),
        dim=fore("dim"),
        faint=fore("faint"),
        focus=fore("key", bold=True),
        title=fore("dim", bold=True),
        key=fore("key", bold=True),
        written=fore("key", bold=True),
        truth=fore("truth"),
        better=fore("truth"),
        worse=fore("worse"),
        x=fore("x"),
        o=fore("o"),
        x_strong=fore("x", bold=True),
        o_strong=fore("o", bold=True),
        remark=fore("key"),
        target=fore("o"),
        draw=fore("draw"),
        meter=fore("meter"),
        bar=back("bar"),
        selection=back("selection"),
        cell=back("cell"),
        heat=tuple(on(text, ground, bold=True) for ground, text, _ in heat),
        heat_dim=tuple(on(text, ground) for ground, _, text in heat),
        beads=tuple(Style(color=colour(ink)) for ink in beads),
        tags={mode: on(colours["tag"], colours[role], bold=True) for mode, role in tags.items()},
    )


def _unpainted(name: str, colours: Mapping[str, str], beads: tuple[str, ...]) -> Palette:
    """A palette on the terminal's own background; `colours` by role, possibly none."""

    def fore(role: str, fallback: str = "") -> Style:
        return Style.parse(f"{colours.get(role, '')} {fallback}".strip() or "none")

    reverse = Style(reverse=True)
    return Palette(
        name=name,
        paints=False,
        ground=Style(),
        text=Style(),
        strong=Style(bold=True),
        dim=Style(dim=True) if not colours else Style(),
        faint=fore("faint", "" if colours else "dim"),
        focus=fore("key", "bold"),
        title=Style(bold=True),
        key=fore("key", "bold"),
        written=fore("key", "bold underline"),
        truth=fore("truth"),
        better=fore("truth"),
        worse=fore("worse"),
        x=fore("x"),
        o=fore("o"),
        x_strong=fore("x", "bold"),
        o_strong=fore("o", "bold"),
        remark=fore("key"),
        target=fore("o"),
        draw=fore("draw"),
        meter=fore("faint"),
        bar=Style(),
        selection=reverse,
        cell=Style(),
        heat=(),
        heat_dim=(),
        beads=tuple(map(Style.parse, beads)),
        tags=dict.fromkeys(("WATCH", "STEP", "PLAY", "TRAIN"), Style(bold=True, reverse=True)),
    )


DARK: Final = _painted("dark", colours.DARK, colours.DARK_HEAT, colours.DARK_BEADS, rgb=True)
DARK_256: Final = _painted("dark", colours.DARK, colours.DARK_HEAT, colours.DARK_BEADS, rgb=False)
LIGHT: Final = _painted("light", colours.LIGHT, colours.LIGHT_HEAT, colours.LIGHT_BEADS, rgb=True)
LIGHT_256: Final = _painted(
    "light", colours.LIGHT, colours.LIGHT_HEAT, colours.LIGHT_BEADS, rgb=False
)
SIXTEEN: Final = _unpainted("sixteen", colours.SIXTEEN, colours.SIXTEEN_BEADS)
PLAIN: Final = _unpainted("plain", {}, ("none",))


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
