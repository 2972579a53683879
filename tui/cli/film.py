"""`afterstate film`: the film of a run as a file, for slides, pages and terminals."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learners.errors import UsageError, printable, reason, shown, shown_path
from tui.cli import parameters
from tui.cli.errors import ENDED_BY_SIGNAL, FAILED, fail
from tui.progress import WorkLine, ended_by_signals

if TYPE_CHECKING:
    from learners.addresses.opening import OpenedAddress
    from tui.cli.filmed_lab import FilmedLab
    from tui.pictures.frames import Footage

ENDINGS = (".cast", ".svg", ".gif")
SMALLEST, LARGEST = (60, 20), (240, 80)
LONGEST = 300
"""Seconds."""


class ScreenSize(click.ParamType):
    """Columns and rows, such as 80x24."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"([0-9]{1,4})[x×]([0-9]{1,4})", value)
        if found is None:
            raise UsageError(f"--size: {shown(value)} is no size, such as 80x24 or 120x40")
        columns, rows = int(found[1]), int(found[2])
        if not (SMALLEST[0] <= columns <= LARGEST[0] and SMALLEST[1] <= rows <= LARGEST[1]):
            least, most = (f"{size[0]}x{size[1]}" for size in (SMALLEST, LARGEST))
            raise UsageError(f"--size: {shown(value)} is not from {least} to {most}")
        return columns, rows


@click.command()
@parameters.address_or_run
@click.option("--run", "run_name", metavar="NAME", shell_complete=parameters.completed("runs"),
              help="A saved run, or an address.")  # fmt: skip
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Where to: FILE.cast, FILE.svg or FILE.gif.")  # fmt: skip
@click.option("--seconds", type=parameters.WholeNumber(1, LONGEST), default=20, show_default=True,
              metavar="N", help="How long all games take; a lecture has its own time.")  # fmt: skip
@click.option("--size", type=ScreenSize(), default="80x24", show_default=True, metavar="SIZE",
              help="Columns and rows of the lab.")  # fmt: skip
@click.option("--light", is_flag=True, help="Dark text on a light ground.")
def film(
    address: str | None,
    files: tuple[Path, ...],
    run_name: str | None,
    out: Path,
    seconds: int,
    size: tuple[int, int],
    light: bool,
) -> None:
    """Write the film of a run to a file: all of its games, the early ones slowest.

    Of an ADDRESS with a place: the games up to it. FILE.cast is for asciinema, FILE.svg moves by
    itself in a page or a README, FILE.gif wherever pictures are shown (it needs
    pip install 'afterstate-lab[gif]'). The FILE of a lecture, in the place of ADDRESS, is filmed
    place by place, with its remarks.
    """
    if (address is None) == (run_name is None):
        raise UsageError("one of ADDRESS and --run NAME is needed")
    write = writer(out)
    name = str(address or run_name)
    if run_name is None and is_lecture(name):
        shoot = lecture_film(name, files, size, is_light=light)
    else:
        lab = lab_of(name, files, is_named=run_name is not None)
        lab.is_light = light
        shoot = run_film(lab, size, seconds)
    work = WorkLine()
    with ended_by_signals(work) as signals:
        footage = shoot(work)
        work.clear()
    if footage is None:
        fail("stopped", ENDED_BY_SIGNAL + signals[0])
    try:
        many = save(out, write(footage))
    except OSError as error:
        fail(f"--out: {shown_path(out)} cannot be written: {reason(error)}", FAILED)
    click.echo(f"{shown_path(out)}: {len(footage.shots)} pictures, {many / 1000:,.0f} kB")


def run_film(
    lab: FilmedLab, size: tuple[int, int], seconds: int
) -> Callable[[WorkLine], Footage | None]:
    """What films all games of the run that a lab looks at; None comes of it where it was stopped.

    Raises:
        UsageError: the run has too few games.
    """
    import asyncio

    from learners.ask.marks import find_marks
    from tui.cli.filmed_lab import shoot
    from tui.lab.film import Film

    run = lab.session.run
    if run.games < 2:
        raise UsageError("a film needs games: this run has fewer than two")

    def filmed(work: WorkLine) -> Footage | None:
        stopped = work.is_stopped
        marks = find_marks(run, progress=work.told("what happened when"), stop=stopped)
        if marks is None:
            return None
        told = work.told("pictures")
        return asyncio.run(shoot(lab, Film(run, marks), size, seconds, told=told, stopped=stopped))

    return filmed


def is_lecture(name: str) -> bool:
    """Whether this is our lecture, or a file that may be one."""
    from learners.addresses import is_address
    from learners.files import is_file
    from tui.lab.lectures import OURS

    return not is_address(name) and (name == OURS or is_file(name))


def lecture_film(
    name: str, files: tuple[Path, ...], size: tuple[int, int], *, is_light: bool
) -> Callable[[WorkLine], Footage | None]:
    """What films a lecture; None comes of it where it was stopped.

    Raises:
        UsageError: it cannot be read, or has no place.
    """
    import asyncio

    from learners.rules.spec import PlayerSpec
    from tui.cli.filmed_lab import FilmedLab, shoot_lecture
    from tui.lab.lectures import whole_lecture
    from tui.lab.modes import Settings

    stops, td = whole_lecture(name), PlayerSpec.parse("td")
    if not stops:
        raise UsageError(f"a film needs places: the lecture {shown_path(Path(name))} has none")
    lab = FilmedLab(Settings(td, td), files=files)
    lab.is_light = is_light
    title = printable(Path(name).stem)
    return lambda work: asyncio.run(
        shoot_lecture(lab, stops, title, size, told=work.told("pictures"), stopped=work.is_stopped)
    )


def lab_of(name: str, files: tuple[Path, ...], *, is_named: bool) -> FilmedLab:
    """A lab that looks at a run.

    Args:
        name: an address, or a run's name.
        files: the files of players of an address.
        is_named: whether it is given as --run.

    Raises:
        UsageError: it cannot be opened.
    """
    from learners.addresses import is_address
    from tui.lab.modes import Settings

    if not is_named and not is_address(name):
        raise UsageError(
            "a film needs the games of a run: an ADDRESS, or --run NAME; or the FILE of a lecture"
        )
    if is_address(name):
        from tui.cli.saved import opened_address

        opened = games_up_to_place(opened_address(name, files, with_points=True))
        from tui.cli.filmed_lab import FilmedLab

        return FilmedLab(Settings(opened.run.x, opened.run.o, opened.run.seed), opened=opened)
    from learners.store import Store
    from tui.cli.filmed_lab import FilmedLab

    with Store.open() as store:
        loaded = store.load(name)
    return FilmedLab(Settings(loaded.run.x, loaded.run.o, loaded.run.seed), loaded=loaded)


def games_up_to_place(opened: OpenedAddress) -> OpenedAddress:
    """The run of an address without the games after its place."""
    address = opened.address
    if address.place is None:
        return opened
    run = opened.run
    if address.place.game < run.games:
        run = run.fork(address.place.game)
    address = replace(address, games=run.games, scripts=dict(run.scripts), place=None, what_if=None)
    points = tuple(point for point in opened.points if point.games <= run.games)
    return replace(opened, address=address, run=run, points=points, what_if=None)


def writer(out: Path) -> Callable[[Footage], bytes]:
    """What makes such a file; checked before the work.

    Raises:
        UsageError: it cannot be made, or not there.
    """
    from learners.files import check_lock

    ending = out.suffix.lower()
    if ending not in ENDINGS:
        known = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise UsageError(f"--out: {shown_path(out)} should end in {known}")
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
    if ending == ".gif":
        from tui.pictures.gif import gif, the_font

        the_font()
        return gif
    if ending == ".svg":
        from tui.pictures.animation import animation

        return lambda footage: animation(footage).encode()
    from tui.pictures.cast import cast

    return lambda footage: cast(footage).encode()


def save(path: Path, content: bytes) -> int:
    """Write a file at once; returns its size.

    Raises:
        OSError: it cannot be written, or somebody else has made it meanwhile.
    """
    with path.open("xb") as file:
        try:
            file.write(content)
        except BaseException:
            path.unlink()
            raise
    return len(content)
