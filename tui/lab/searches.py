"""The microscope on the current backup, and searches of the whole run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Work

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.what_if import WhatIf
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.lab.microscope.microscope import Microscope
    from afterstate_lab.tui.lab.session import Session

NO_VALUE = "No value is shown here."


def microscope_of(session: Session) -> Microscope | None:
    """Return the microscope on the current backup; None before the first event."""
    from afterstate_lab.tui.lab.microscope.microscope import Microscope

    return Microscope.at(session.timeline, session.selection, asks=session.predictions.wanted)


def sweep_work(session: Session, columns: int) -> Work | None:
    """Replay the run for the columns of a terminal: a short run now, a long one in a thread."""
    from afterstate_lab.learners.tape.sweep import Sweep
    from afterstate_lab.tui.lab.microscope.stairs import LEFT, RIGHT

    run, games = session.run, max(session.run.games, session.timeline.game + 1)
    if session.sweep is not None and session.sweep.fits(run, games, columns - LEFT - RIGHT):
        return None
    sweep = Sweep(run, games, columns - LEFT - RIGHT)

    def take(_: object) -> None:
        session.sweep = sweep

    if not sweep.is_quick:
        return Work(sweep.make, then=take)
    sweep.make()
    session.sweep = sweep
    return None


def current_entry(session: Session) -> int | None:
    """Return the selected memory entry, or else the entry of S_t."""
    scope = microscope_of(session)
    if scope is None:
        return None
    if scope.selected is not None and scope.selected.entry >= 0:
        return scope.selected.entry
    learned = scope.update.learned
    entry = scope.update.entry if learned is None else learned.entry
    return entry if entry >= 0 else None


def search(
    session: Session, title: str, look: Callable[..., Any], found: Callable[[Any], Outcome]
) -> Work:
    """Return a search of the run; `look` gets `progress` and `stop`."""
    return Work(
        lambda stop: look(progress=stop.tell, stop=stop), says=title, then=found, run=session.run
    )


def replay_as(session: Session, player: str, spec: PlayerSpec) -> Outcome:
    """Play the current game again with another player and the same random numbers."""
    from afterstate_lab.learners.ask.what_if import replay_game
    from afterstate_lab.tui.lab.session import WhatIfSummary

    run = session.run

    def found(result: WhatIf | None) -> Outcome:
        if result is None:
            raise UsageError("Given up.")
        session.what_if = WhatIfSummary(run, result, player, spec)
        return Open("what_if", session.what_if)

    other: dict[str, Any] = {player.lower(): spec}
    look = partial(replay_game, run, session.timeline.game, **other)
    return search(session, f"what if {player} were {spec}", look, found)
