"""An address in a command: its run is played, with a bar, until it is there or Ctrl-C comes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from learners.addresses.address import Address
from learners.addresses.opening import OpenedAddress, PlayerFiles, open_address
from learners.errors import printable
from tui.cli.errors import ENDED_BY_SIGNAL, fail
from tui.progress import BAR, REDRAW_SECONDS, ended_by_signals, redraw

if TYPE_CHECKING:
    from pathlib import Path


class Opening:
    """The games of an address, played in a thread.

    Args:
        address: the address.
        files: files of players.
        with_points: take down the learning curve.
    """

    def __init__(self, address: Address, files: PlayerFiles, *, with_points: bool) -> None:
        self.part = 0.0
        self.opened: OpenedAddress | None = None
        self.failure: BaseException | None = None
        self._address = address
        self._files = files
        self._with_points = with_points
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Give up."""
        self._stopped.set()

    def work(self) -> None:
        """Play the games."""
        try:
            self.opened = open_address(
                self._address,
                self._files,
                advance=self._advance,
                stopped=self._stopped.is_set,
                with_points=self._with_points,
            )
        except BaseException as error:
            self.failure = error

    def _advance(self, part: float) -> None:
        self.part = part

    @property
    def line(self) -> str:
        """How far it has come."""
        bar = "#" * round(BAR * self.part)
        return f"[{bar:.<{BAR}}] {self.part:.0%} of {self._address.games:,} games"


def opened_address(
    text: str, files: Iterable[Path] = (), *, with_points: bool = False
) -> OpenedAddress:
    """The run of an address, played.

    Raises:
        UsageError: it cannot be read or opened.
    """
    named = PlayerFiles(map(str, files))
    work = Opening(Address.parse(text), named, with_points=with_points)
    with ended_by_signals(work) as signals:
        worker = threading.Thread(target=work.work)
        worker.start()
        shows = False
        while worker.is_alive():
            worker.join(REDRAW_SECONDS)
            if worker.is_alive() and sys.stderr is not None and sys.stderr.isatty():
                redraw(work.line)
                shows = True
        if shows:
            redraw("")
    if work.failure is not None:
        raise work.failure
    if work.opened is None:
        fail("stopped", ENDED_BY_SIGNAL + signals[0])
    if work.opened.warning:
        click.echo(f"afterstate: {printable(work.opened.warning)}", err=True)
    return work.opened


def address_of_stored(name: str, files: tuple[Path, ...]) -> Address:
    """The address of a run in the store; the rules in these files may be run."""
    from learners.addresses.opening import address_of
    from learners.store import Store

    with Store.open() as store:
        info = store.info(name)
        own = {spec.rpartition(".py:")[0] + ".py" for spec in (info.x, info.o) if ".py:" in spec}
        named = {str(file) for file in files}
        rules = {
            spec.partition(":")[0] + ":" + spec.split(":")[1]
            for spec in (info.x, info.o)
            if ".py:" in spec and own <= named
        }
        loaded = store.load(name, own_rules=rules)
    pending = None if loaded.pending is None else dict(loaded.pending.script)
    return address_of(loaded.run, pending)
