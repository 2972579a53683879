"""`afterstate film`: save a run or a lesson as one page that moves."""

from __future__ import annotations

import re
from pathlib import Path

import click

from afterstate_lab.learners.errors import UsageError, reason, shown, shown_path
from afterstate_lab.learners.files import SHARED_FILE, replace_file
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import FAILED, fail
from afterstate_lab.tui.cli.filmed_lab import film_of
from afterstate_lab.tui.cli.parameters import Named
from afterstate_lab.tui.pictures import html
from afterstate_lab.tui.progress import abandonable

SMALLEST, LARGEST = (80, 24), (240, 80)
LONGEST = 300


def screen_size(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    """Read columns and rows, such as 80x24."""
    found = re.fullmatch(r"([0-9]{1,4})[x×]([0-9]{1,4})", value)
    if found is None:
        raise UsageError(f"--size: {shown(value)} is not a size. Try 80x24 or 120x40")
    columns, rows = int(found[1]), int(found[2])
    if not (SMALLEST[0] <= columns <= LARGEST[0] and SMALLEST[1] <= rows <= LARGEST[1]):
        least, most = (f"{size[0]}x{size[1]}" for size in (SMALLEST, LARGEST))
        raise UsageError(f"--size: {shown(value)} is out of range. Use {least} to {most}")
    return columns, rows


@click.command()
@parameters.address_or_run
@parameters.force
@parameters.file("--out", "FILE", "New file: FILE.html.", required=True, type=parameters.OutFile())
@parameters.number("--seconds", 1, LONGEST, 20, "Length of the film of a run in seconds.")
@parameters.option(
    "--size", "Columns and rows.", "SIZE", callback=screen_size, default="80x24", show_default=True
)
@parameters.flag("--light", "Dark text on a light background.")
@parameters.flag("--map of_map", "Show the map of 765 positions instead of the games.")
def film(
    named: Named, out: Path, seconds: int, size: tuple[int, int], light: bool, of_map: bool
) -> None:
    """Save a run or lesson as one page that moves.

    The film runs from the first game to the last, with the early ones slowest. An ADDRESS with a
    moment stops there. You mail FILE.html: arrow keys move it, questions stop it. Instead of an
    ADDRESS, name a lesson or the FILE of one.
    """
    named.one("an ADDRESS")
    if out.suffix.lower() != ".html":
        raise UsageError(f"--out: use a name that ends in .html, not {shown_path(out)}")

    footage = abandonable(film_of(named, size, seconds, is_light=light, of_map=of_map))
    data = html(footage).encode()
    try:
        replace_file(out, data, mode=SHARED_FILE)
    except OSError as error:
        fail(f"--out: cannot write {shown_path(out)}: {reason(error)}", FAILED)
    click.echo(f"{shown_path(out)}: {len(footage.shots)} frames, {len(data) / 1000:,.0f} kB")
