"""Open what a command names: a stored run, an address or a policy file."""

from __future__ import annotations

import shlex
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from afterstate_lab.learners.errors import StoreError, UsageError, printable, shown
from afterstate_lab.learners.judge.curve import History
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.runs.address import Address, AddressPlace
from afterstate_lab.learners.runs.listing import OwnRuleError, RunInfo, checked_name
from afterstate_lab.learners.runs.replay import (
    OpenedRun,
    address_of,
    events_until,
    open_address,
)
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import Cursor, Recording
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.seating import Seating
from afterstate_lab.learners.training import Training
from afterstate_lab.tui.progress import ProgressLine, abandonable

SAVE_SECONDS = 3.0


def saved_memory(
    text: str, files: Iterable[Path], *, is_run: bool = False
) -> tuple[Layout, NDArray[np.float64]]:
    """Return the layout and memory of a saved policy, a stored run or an address."""
    if is_run or is_address(text):
        opened = opened_address(text, files) if is_address(text) else stored_run(text)
        if (recording := played_instead(opened)) is None:
            return opened.run.layout, opened.memory()
        place = opened.place
        assert place is not None
        at = events_until(place, recording) - (place.phase is not None)
        return recording.layout, Cursor(recording, at).v
    policy = load_policy(Path(text))
    return policy.layout, policy.memory


def saved_run(name: str, files: Iterable[Path] = ()) -> OpenedRun:
    """Open a stored run by name, or the run of an address."""
    address = is_address(name)
    return opened_address(name, files, with_points=True) if address else stored_run(name)


def stored_run(name: str, own_rules: Collection[str] = ()) -> OpenedRun:
    """Open a stored run, and report what was repaired in it."""
    loaded = Store.open().load(name, own_rules=own_rules)
    return warned(loaded)


def warned(opened: OpenedRun) -> OpenedRun:
    """Report what was repaired in a run, or that another engine wrote its address."""
    if opened.warning:
        click.echo(f"afterstate: {printable(opened.warning)}", err=True)
    return opened


def opened_address(
    text: str, files: Iterable[Path] = (), *, with_points: bool = False, whole: bool = False
) -> OpenedRun:
    """Open the run of an address by playing it, until its moment or whole."""
    address, players = Address.parse(text), tuple(map(str, files))
    address = address if whole else address.shortest

    def open_it(line: ProgressLine) -> OpenedRun | None:
        advance = line.told("games", address.games)
        return open_address(address, players, advance=advance, with_points=with_points)

    opened = abandonable(open_it)
    assert opened is not None
    return warned(opened)


def played_instead(opened: OpenedRun) -> Recording | None:
    """Return the game of an address's what-if, or None."""
    if opened.what_if is None:
        return None
    return abandonable(lambda line: opened.played_instead(line.told("of the earlier games")))


def begun_with(
    name: str | None, files: Iterable[Path], given: Mapping[str, Any]
) -> OpenedRun | None:
    """Return the run to continue: the saved run of this name, or the run of an address.

    Args:
        given: x, o and seed as far as the user gave them; a saved run must have the same.
    """
    if name is None:
        return None
    if is_address(name):
        return opened_address(name, files, with_points=True, whole=True)
    name, store = checked_name(name), Store.open()
    if not store.has(name):
        return None
    try:
        loaded = store.load(name, own_rules=rules_in(given))
    except OwnRuleError:
        raise StoreError(own_rule_sentence(store.info(name))) from None
    return checked(loaded, given).make_ready()


def rules_in(given: Mapping[str, Any]) -> set[str]:
    """Return the rules that the user named; their code can run."""
    return {given[side].rule.name for side in ("x", "o") if side in given}


def checked(loaded: OpenedRun, given: Mapping[str, Any]) -> OpenedRun:
    """Check that a run has the players and the seed that the user gave."""
    for name, wanted in given.items():
        has = getattr(loaded.run, name)
        told, asked = (getattr(which, "stored_text", str(which)) for which in (has, wanted))
        if wanted != has and asked != told:
            raise UsageError(
                f"run {shown(loaded.name)} has --{name} {told}, not {asked}. "
                f"Omit --{name}, or name another run"
            )
    return loaded


def address_of_stored(name: str, files: tuple[Path, ...]) -> Address:
    """Return the address of a stored run; the rules in these files can run."""
    info = Store.open().info(name)
    specs = [spec.partition(".py:") for spec in (info.x, info.o) if ".py:" in spec]
    named = {str(file) for file in files}
    rules = set()
    if all(f"{path}.py" in named for path, _, _ in specs):
        rules = {f"{path}{ending}{rest.partition(':')[0]}" for path, ending, rest in specs}
    loaded = stored_run(name, rules)
    return address_of(loaded.run, loaded.script)


def link_to(name: str, at: str | None, engine: bool, files: tuple[Path, ...]) -> str:
    """Return the address of a run, checked by playing it where a moment or the engine is asked."""
    wanted = None if at is None else AddressPlace.parse(at)
    if is_address(name):
        found = Address.parse(name)
        found = found if wanted is None else found.at(wanted)
    else:
        found = address_of_stored(name, files).at(wanted)
    if wanted is not None or engine:
        opened = opened_address(str(found), files)
        if engine:
            hashed = address_of(opened.run, opened.script, with_engine=True).engine
            found = replace(found, engine=hashed)
    return str(found)


class TrainedRun:
    """A run in the user's store that a command trains.

    Args:
        name: the run, created if missing.
        new: the run to create.
        given: x, o and seed as far as the user gave them; a stored run must have the same.

    Raises:
        UsageError: the stored run has others, or a person's unfinished game.
        StoreError: the store cannot be used.
    """

    def __init__(self, name: str, new: Run, given: Mapping[str, Any]) -> None:
        self._store = Store.open()
        self._points_taken = 0
        self._saved_at = time.monotonic()
        if not self._store.has(name):
            self.run, self._history = new, History()
            self._history.add(0, (0, 0, 0), self.run.layout, self.run.memory)
            self.stored = self._store.save(self.run, name=name, history=self._history.points)
            return
        loaded = checked(stored_run(name, rules_in(given)), given)
        if loaded.script:
            raise UsageError(
                f"run {shown(name)} has an unfinished game of a person. "
                "Finish it in the lab first, or name another run"
            )
        assert loaded.stored is not None
        self.run, self.stored = loaded.run, loaded.stored
        self._history = History(loaded.history)
        if self.run.seating.has_human:
            self.run.seat(Seating())

    def autosave(self, training: Training) -> None:
        """Save the training every `SAVE_SECONDS`, and retry after a failure."""
        if time.monotonic() - self._saved_at < SAVE_SECONDS:
            return
        try:
            self._save(training, training.snapshot.state)
        except StoreError:
            self._saved_at = time.monotonic()

    def finish(self, training: Training) -> str:
        """Save the finished training, and return where."""
        wanted = self.stored.name
        self._save(training, self.run.state())
        if self.stored.name == wanted:
            return f"in run {shown(wanted)}"
        return f"as {shown(self.stored.name)}: another process has changed {shown(wanted)}"

    def _save(self, training: Training, state: Run) -> None:
        points = training.points[self._points_taken :]
        points = [point for point in points if point.games <= state.games]
        self._points_taken += len(points)
        self._history.add_all(points)
        self.stored = self._store.save(state, into=self.stored, history=self._history.points)
        self._saved_at = time.monotonic()


def own_rule_sentence(info: RunInfo) -> str:
    """Return how to open a run that needs your own rule."""
    specs = {"x": info.x, "o": info.o}
    given = " ".join(
        f"--{side} {shlex.quote(spec)}" for side, spec in specs.items() if ".py:" in spec
    )
    return (
        f"{info.name} needs code from a file. To allow that, "
        f"start with afterstate --run {shlex.quote(info.name)} {given}"
    )
