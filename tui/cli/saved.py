"""Open what a command names: a stored run, an address or a policy file."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.errors import StoreError, UsageError, printable, shown
from afterstate_lab.learners.judge.curve import History
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.listing import RunInfo, checked_name
from afterstate_lab.learners.runs.replay import OpenedRun, events_until, open_address
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import Cursor, Recording
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.training import Training
from afterstate_lab.tui.progress import abandonable

SAVE_SECONDS = 3.0


def saved_memory(
    text: str | None, files: Iterable[Path], run_name: str | None = None
) -> tuple[Layout, Floats]:
    """Return the layout and memory of a saved policy, of an address or of a stored run."""
    if text is not None and run_name is None and not is_address(text):
        return load_policy(Path(text))
    opened = saved_run(text, files, run_name, "a FILE.npz, an ADDRESS")
    if (recording := played_instead(opened)) is None:
        return opened.run.layout, opened.memory()
    place = opened.place
    assert place is not None
    at = events_until(place, recording) - (place.phase is not None)
    return recording.layout, Cursor(recording, at).v


def saved_run(
    text: str | None,
    files: Iterable[Path],
    run_name: str | None = None,
    what: str = "an ADDRESS",
    *,
    with_points: bool = False,
) -> OpenedRun:
    """Open what a command names: an address, or a stored run.

    Args:
        text: the command's argument.
        files: files of players; the rules in them can run.
        run_name: the command's option --run.
        what: what the argument can be.
        with_points: take down the learning curve of an address.
    """
    name = text or run_name
    if name is None or (text and run_name):
        raise UsageError(f"give one thing to open: {what} or --run NAME")
    if is_address(name):
        return opened_address(name, files, with_points=with_points)
    store = Store.open()
    return warned(store.load(name, own_rules=rules_of(store.info(name), files)))


def rules_of(info: RunInfo, files: Iterable[Path]) -> set[str]:
    """Return the rules of a stored run that are in these files; their code can run."""
    paths, rules = {*map(str, files)}, set()
    for spec in (info.x, info.o):
        path, _, rest = spec.partition(".py:")
        if f"{path}.py" in paths:
            rules.add(f"{path}.py:{rest.partition(':')[0]}")
    return rules


def warned(opened: OpenedRun) -> OpenedRun:
    """Report what was repaired in a run, or that another engine wrote its address."""
    if opened.warning:
        click.echo(f"afterstate: {printable(opened.warning)}", err=True)
    return opened


def opened_address(
    text: str, files: Iterable[Path], *, with_points: bool = False, whole: bool = False
) -> OpenedRun:
    """Open the run of an address by playing it, until its moment or whole."""
    address, players = Address.parse(text), tuple(map(str, files))
    address = address if whole else address.shortest
    opened = abandonable(
        lambda line: open_address(
            address, players, advance=line.told("games", address.games), with_points=with_points
        )
    )
    assert opened is not None
    return warned(opened)


def played_instead(opened: OpenedRun) -> Recording | None:
    """Return the game of an address's what-if, or None."""
    if opened.what_if is None:
        return None
    return abandonable(lambda line: opened.played_instead(line.told("of the earlier games")))


def begun_with(
    name: str | None, files: Iterable[Path], given: Mapping[str, Any]
) -> tuple[OpenedRun | None, str | None]:
    """Return the run to continue, if there is one, and the name under which it is saved, if it is.

    Args:
        name: the run or the address; None for neither.
        files: files of players; the rules in them can run.
        given: x, o and seed as far as the user gave them; a saved run must have the same.
    """
    if name is None:
        return None, None
    if is_address(name):
        return opened_address(name, files, with_points=True, whole=True), None
    name, store = checked_name(name), Store.open()
    if not store.has(name):
        return None, name
    named = {given[side].rule.name for side in ("x", "o") if side in given}
    rules = named | rules_of(store.info(name), files)
    loaded = warned(store.load(name, own_rules=rules))
    for option, wanted in given.items():
        has = getattr(loaded.run, option)
        told, asked = (getattr(which, "stored_text", str(which)) for which in (has, wanted))
        if wanted != has and asked != told:
            raise UsageError(
                f"run {shown(name)} has --{option} {told}, not {asked}. "
                f"Omit --{option}, or name another run"
            )
    return loaded, name


class TrainedRun:
    """A run in the user's store that a command trains.

    Args:
        name: its name.
        run: the run.
        found: the run as it was in the store; None creates it.

    Raises:
        StoreError: the store cannot be used.
    """

    def __init__(self, name: str, run: Run, found: OpenedRun | None) -> None:
        self._store, self._run = Store.open(), run
        self._saved_at = time.monotonic()
        if found is not None and found.stored is not None:
            self._before, self.stored = found.history, found.stored
        else:
            history = History()
            history.add(0, (0, 0, 0), run.layout, run.memory)
            self._before = tuple(history.points)
            self.stored = self._store.save(run, name=name, history=self._before)

    def autosave(self, training: Training) -> None:
        """Save the training every `SAVE_SECONDS`, and retry after a failure."""
        if time.monotonic() - self._saved_at >= SAVE_SECONDS:
            with suppress(StoreError):
                self.save(training, training.snapshot.state)
            self._saved_at = time.monotonic()

    def save(self, training: Training, state: Run | None = None) -> str:
        """Save a state of the run in training, or its end; return where, which may be a copy."""
        state, history = state or self._run.fork(), History(self._before)
        history.add_all(point for point in training.points if point.games <= state.games)
        self.stored = self._store.save(state, into=self.stored, history=history.points)
        return f"in run {shown(self.stored.name)}"
