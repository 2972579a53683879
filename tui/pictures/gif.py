"""An animated GIF, drawn by Pillow in a monospace font of this machine."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from learners.errors import UsageError
from tui.pictures.frames import mixed
from tui.pictures.shapes import HEIGHT, WIDTH, shapes

if TYPE_CHECKING:
    from tui.pictures.frames import Footage, Ink, Rgb, Shot

SCALE: Final = 2
"""Pixels of a unit of the shapes: half units are whole pixels."""
SOFT: Final = 8
"""So many times larger is drawn what has no straight edges."""
FONT_SIZE: Final = 26
BASELINE: Final = 24
"""Pixels below the top of a cell."""
FONTS: Final = (
    ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ("Menlo.ttc", "Menlo.ttc"),
    ("consola.ttf", "consolab.ttf"),
    ("LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"),
    ("NotoSansMono-Regular.ttf", "NotoSansMono-Bold.ttf"),
)
"""Files that Pillow finds where the system keeps its fonts: regular and bold."""
COLOURS: Final = 256
PLAIN_COLOURS: Final = 128
"""Of them are colours of the screen, if it has so many; the others soften the edges of letters."""


@lru_cache
def the_font() -> tuple[Any, Any]:
    """A monospace font of this machine, regular and bold.

    Raises:
        UsageError: Pillow is missing, or there is no such font.
    """
    try:
        from PIL import ImageFont
    except ImportError:
        raise UsageError(
            "a GIF needs Pillow: pip install 'afterstate-lab[gif]', or write an .svg or a .cast"
        ) from None
    for names in FONTS:
        try:
            regular, bold = (ImageFont.truetype(name, FONT_SIZE) for name in names)
        except OSError:
            continue
        return regular, bold
    raise UsageError(
        "a GIF needs a monospace font, such as DejaVu Sans Mono: install it, or write an .svg"
    )


def gif(footage: Footage) -> bytes:
    """The film as a GIF that repeats for ever."""
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours(footage) for part in colour])
    frames = [
        drawn(shot, footage).quantize(palette=palette, dither=Image.Dither.NONE)
        for shot in footage.shots
    ]
    shown = [
        round(1000 * (end - shot.begins))
        for shot, end in zip(footage.shots, footage.ends, strict=True)
    ]
    out = BytesIO()
    frames[0].save(
        out, "GIF", save_all=True, append_images=frames[1:], duration=shown, loop=0, disposal=1
    )
    return out.getvalue()


def colours(footage: Footage) -> list[Rgb]:
    """The colours of most cells, and those between a letter and its ground."""
    cells: Counter[Ink] = Counter()
    for shot in footage.shots:
        for pieces in shot.rows:
            for piece in pieces:
                cells[footage.ink(piece.style)] += len(piece.text)
    inks = [ink for ink, _ in cells.most_common()]
    found = dict.fromkeys(colour for ink in inks for colour in (ink.back, ink.fore))
    plain = list(found)[:PLAIN_COLOURS]
    softer = dict.fromkeys(
        mixed(ink.fore, ink.back, share) for share in (0.5, 0.75, 0.25) for ink in inks
    )
    return [*plain, *(colour for colour in softer if colour not in plain)][:COLOURS]


def drawn(shot: Shot, footage: Footage) -> Any:
    """A picture, in pixels."""
    from PIL import Image, ImageDraw

    columns, rows = footage.size
    ground = footage.ink(footage.ground).back
    image = Image.new("RGB", (pixels(columns * WIDTH), pixels(rows * HEIGHT)), ground)
    draw = ImageDraw.Draw(image)
    for row, pieces in enumerate(shot.rows):
        for piece in pieces:
            ink = footage.ink(piece.style)
            left, right = piece.column * WIDTH, (piece.column + len(piece.text)) * WIDTH
            top = row * HEIGHT
            if ink.back != ground:
                area = pixels(left), pixels(top), pixels(right) - 1, pixels(top + HEIGHT) - 1
                draw.rectangle(area, fill=ink.back)
            for number, character in enumerate(piece.text):
                if character != " ":
                    put(draw, character, left + number * WIDTH, top, ink)
    return image


def put(draw: Any, character: str, x: float, y: float, ink: Ink) -> None:
    found = shapes(character)
    if found is None:
        font = the_font()[ink.bold]
        at = pixels(x), pixels(y) + BASELINE
        draw.text(at, character, fill=ink.fore, font=font, anchor="ls")
        if ink.underline:
            under = at[1] + 2
            draw.line((at[0], under, pixels(x + WIDTH) - 1, under), fill=ink.fore)
        return
    draw.bitmap((pixels(x), pixels(y)), mask(character), fill=ink.fore)


@lru_cache(1024)
def mask(character: str) -> Any:
    """A character that is made of shapes, drawn large, then smaller with soft edges."""
    from PIL import Image, ImageDraw

    large = Image.new("L", (pixels(WIDTH * SOFT), pixels(HEIGHT * SOFT)))
    draw = ImageDraw.Draw(large)
    for polygon in shapes(character) or ():
        corners = [(pixels(x * SOFT), pixels(y * SOFT)) for x, y in polygon]
        if len(corners) == 4:
            (left, top), _, (right, low), _ = corners
            draw.rectangle((left, top, right - 1, low - 1), fill=255)
        else:
            draw.polygon(corners, fill=255)
    return large.resize((pixels(WIDTH), pixels(HEIGHT)), Image.Resampling.BOX)


def pixels(units: float) -> int:
    return int(units * SCALE)
