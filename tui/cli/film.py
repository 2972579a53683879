"""`afterstate film`: the film of a run as a file, for slides, pages and terminals."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import click

from afterstate_lab.learners.errors import UsageError, reason, shown, shown_path
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import FAILED, fail
from afterstate_lab.tui.cli.saved import Named
from afterstate_lab.tui.progress import abandonable

SMALLEST, LARGEST = (80, 24), (240, 80)
LONGEST = 300
"""Seconds."""


class ScreenSize(click.ParamType):
    """Columns and rows, such as 80x24."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        found = re.fullmatch(r"([0-9]{1,4})[x×]([0-9]{1,4})", value)
        if found is None:
            raise UsageError(f"--size: {shown(value)} is not a size, such as 80x24 or 120x40")
        columns, rows = int(found[1]), int(found[2])
        if not (SMALLEST[0] <= columns <= LARGEST[0] and SMALLEST[1] <= rows <= LARGEST[1]):
            least, most = (f"{size[0]}x{size[1]}" for size in (SMALLEST, LARGEST))
            raise UsageError(f"--size: {shown(value)} is not from {least} to {most}")
        return columns, rows


@click.command()
@parameters.address_or_run
@parameters.file("--out", "FILE", "The new file: FILE.cast or FILE.svg.", required=True)
@parameters.number(
    "--seconds", 1, LONGEST, 20, "How long all games take; a walkthrough has its own time."
)
@parameters.option("--size", "Columns and rows of the lab.", "SIZE", type=ScreenSize(),
                   default="80x24", show_default=True)  # fmt: skip
@parameters.flag("--light", "Dark text on a light ground.")
def film(named: Named, out: Path, seconds: int, size: tuple[int, int], light: bool) -> None:
    """Save a run as a film (SVG or asciinema).

    It shows every game, the early ones slowest. An ADDRESS with a place has the games up to it.
    FILE.cast is for asciinema, whose readers make GIFs of it; FILE.svg moves in a page or a README.
    In place of an ADDRESS, the FILE of a walkthrough is filmed place by place, with its remarks.
    """
    named.one("ADDRESS")
    check_out(out)
    from afterstate_lab.tui.cli.filmed_lab import film_of
    from afterstate_lab.tui.pictures import animation, cast

    footage = abandonable(film_of(named, size, seconds, is_light=light))
    write = animation if out.suffix.lower() == ".svg" else cast
    data = write(footage).encode()
    try:
        with out.open("xb") as file:
            try:
                file.write(data)
            except BaseException:
                out.unlink()
                raise
    except OSError as error:
        fail(f"--out: {shown_path(out)} cannot be written: {reason(error)}", FAILED)
    click.echo(f"{shown_path(out)}: {len(footage.shots)} pictures, {len(data) / 1000:,.0f} kB")


def check_out(out: Path) -> None:
    """Refuse, before the work, a file that cannot be made, or is there.

    Raises:
        UsageError: why.
    """
    from afterstate_lab.learners.files import check_lock

    if out.suffix.lower() not in (".cast", ".svg"):
        raise UsageError(f"--out: {shown_path(out)} should end in .cast or .svg")
    try:
        check_lock(out)
        folder = out.absolute().parent
        if not folder.is_dir():
            raise UsageError(f"--out: there is no folder {shown_path(folder)}")
        if os.path.lexists(out):
            what = "is a folder" if out.is_dir() else "is there already: name another"
            raise UsageError(f"--out: {shown_path(out)} {what}")
    except OSError as error:
        raise UsageError(f"--out: {shown_path(out)} cannot be written: {reason(error)}") from None
