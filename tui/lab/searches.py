"""Searches of the whole run: breakpoints, the last backup of a value, what if."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.lab import stepping
from afterstate_lab.tui.lab.outcomes import (
    Message,
    Open,
    Outcome,
    Work,
    command_key,
    question,
    refusal,
)

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.what_if import WhatIf
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.microscope.microscope import Microscope
    from afterstate_lab.tui.lab.session import Session

EXAMPLES = (
    "error > .3, change, wrote X ....X...., flip, exploratory, first visit, X loses, game 9;"
    " and, or"
)
NO_VALUE = refusal("No value is shown here.")


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


def move_selection(session: Session, by: int) -> Outcome:
    """Select another number; past the ends, none."""
    from afterstate_lab.tui.blocks.meaning import following

    scope = microscope_of(session)
    numbers = () if scope is None else scope.quantities if session.details else scope.in_picture
    if scope is None or not numbers:
        session.selection = None
        return refusal("There is no number to select here.")
    session.selection = following(scope.selected, numbers, by)
    return None


def unselect(session: Session) -> bool:
    """Clear the selection; return False if there was none."""
    was, session.selection = session.selection, None
    return was is not None


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


def ask_for_break(session: Session) -> Outcome:
    """Ask for the condition; propose the backups of a selected value."""
    now = session.breakpoint
    usage = "There is no breakpoint: break error > .4 sets one; help break tells more."
    return question(
        "break at",
        EXAMPLES,
        lambda text: set_break(session, text),
        proposed_break(session),
        usage=break_sentence(now) if now else usage,
    )


def proposed_break(session: Session) -> str:
    """Return the current condition, or the backups of the selected entry."""
    from afterstate_lab.tui.lab.microscope.card import wrote_condition

    scope = microscope_of(session)
    selected = None if scope is None else scope.selected
    if scope is None or selected is None or selected.entry < 0:
        return session.breakpoint
    return wrote_condition(scope.update, selected.entry) or session.breakpoint


def break_sentence(condition: str) -> str:
    """Describe the breakpoint."""
    onwards, back = command_key("to_break"), command_key("back_to_break")
    return f"Break at {condition}: {onwards} runs on to it, {back} back."


def set_break(session: Session, text: str) -> Outcome:
    """Set the breakpoint; an empty text or `off` removes it."""
    from afterstate_lab.learners.ask.conditions import parse

    if text.strip() in ("", "off"):
        session.breakpoint = ""
        return Message("No breakpoint is set.")
    parse(text).check(session.run.layout)
    session.breakpoint = text
    return Message(break_sentence(text))


def run_to_break(session: Session, *, forwards: bool) -> Outcome:
    """Search the run for the next or the previous place where the breakpoint holds."""
    text = session.breakpoint
    if not text:
        return ask_for_break(session)
    from afterstate_lab.learners.ask.conditions import find, parse

    condition = parse(text)

    def found(place: TapePosition | None) -> Outcome:
        if place is None:
            return refusal(f"{text}: nowhere {'after' if forwards else 'before'} this moment.")
        session.timeline.go_to_place(place)
        return Message(f"Stopped: {text}.")

    look = partial(find, session.run, condition, session.timeline.place, forwards=forwards)
    return search(session, f"to {text}", look, found)


def change(session: Session, *, forwards: bool) -> Outcome:
    """Go to the next or previous backup that changes a value; at the end, play until one does.

    A backup that is not shown yet counts as the next.
    """
    from afterstate_lab.learners.ask.conditions import Change, find
    from afterstate_lab.learners.tape.recording import TapePosition

    timeline, run = session.timeline, session.run
    if forwards and session.predictions.wanted and session.backup_to_predict is not None:
        return stepping.go_on_a_phase(session)
    recording, row = timeline.recording, timeline.row
    rows = Change().rows(recording)
    is_shown = timeline.phases_done == 0
    near = rows[rows >= row + is_shown] if forwards else rows[rows < row][::-1]
    if len(near):
        timeline.seek(int(near[0]) + 1)
        return stepping.at_change(session, *sorted((row, timeline.row)))
    if forwards and recording.last >= run.games:
        return stepping.change_played(session)
    start = TapePosition(recording.last if forwards else recording.first, -1)

    def found(place: TapePosition | None) -> Outcome:
        if place is not None:
            timeline.go_to_place(place)
            return stepping.at_change(session)
        if forwards:
            timeline.go_to(run.games - 1, at_end=True)
            return stepping.change_played(session)
        return refusal("No backup before this one changes a value.")

    look = partial(find, run, Change(), start, forwards=forwards)
    return search(session, "to a backup that changes a value", look, found)


def replay_with(session: Session, player: str, text: str) -> Outcome:
    from afterstate_lab.learners.players.resolve import parse_player

    spec = parse_player(text)
    spec.rule.check_side(Side.parse(player))
    if spec.rule.human:
        raise UsageError("A learner or an opponent is needed, not a person")
    return replay_as(session, player, spec)


def replay_as(session: Session, player: str, spec: PlayerSpec) -> Outcome:
    """Play the current game again with another player and the same random numbers."""
    from afterstate_lab.learners.ask.what_if import replay_game
    from afterstate_lab.tui.lab.session import WhatIfSummary

    run = session.run

    def found(result: WhatIf | None) -> Outcome:
        if result is None:
            return refusal("Given up.")
        session.what_if = WhatIfSummary(run, result, player, spec)
        return Open("what_if", session.what_if)

    other: dict[str, Any] = {player.lower(): spec}
    look = partial(replay_game, run, session.timeline.game, **other)
    return search(session, f"what if {player} were {spec}", look, found)
