"""A game and the same under another rule, in sentences: where they part, and each difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.game import Board
from afterstate_lab.tui.blocks.speech import board_words, figure
from afterstate_lab.tui.plain.sentences import result_words

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.what_if import WhatIf
    from afterstate_lab.learners.tape.events import Event
    from afterstate_lab.tui.lab.lockstep import Lockstep
    from afterstate_lab.tui.lab.session import WhatIfSummary


def what_if(asked: WhatIfSummary) -> list[str]:
    """Where a game and the same under another rule part, how each ends, and what they teach."""
    game = asked.result.original.first + 1
    heading = f"Game {game:,} again, on the same dice, if {asked.player} were {asked.spec}:"
    return [heading, *game_lines(asked.result, asked.player)]


def differing(lockstep: Lockstep) -> list[str]:
    """A difference between a game and the same under another rule."""
    from afterstate_lab.tui.lab.lockstep import NAMES

    pair, of = lockstep.pair, lockstep.differences
    assert pair.difference is not None
    told = event_sentences(pair.one, pair.other, lockstep.nothing())
    heading = f"Difference {of.index(lockstep.at) + 1} of {len(of)}: {NAMES[pair.difference]}."
    return [heading, f"Was: {told[0]}", f"Would be: {told[1]}"]


def game_lines(result: WhatIf, player: str) -> list[str]:
    """Where two games part, how each ends, and what they teach a player."""
    from afterstate_lab.learners.tape.events import GameOver

    first = result.first_difference
    if first is None:
        return ["Every event is the same."]
    originals, others = result.original.events(), result.other.events()
    same = "event is" if first == 1 else f"{first} events are"
    lines = [f"The first {same} the same." if first else "No event is the same."]
    one, other = (next(iter(events[first:]), None) for events in (originals, others))
    was, would_be = event_sentences(one, other, "the game is over.")
    lines += [f"Was: {was}", f"Would be: {would_be}"]
    ends = [events[-1] for events in (originals, others) if isinstance(events[-1], GameOver)]
    if len(ends) == 2:
        was, would_be = (result_words(end, "") for end in ends)
        lines.append(f"In the end: {was} Would be: {would_be}")
    differ = len(result.different_steps(player))
    verb = "differs" if differ == 1 else "differ"
    lines.append(f"{differ} of the {len(result.steps(player))} time steps of {player} {verb}.")
    if any(result.learned_anew):
        lines.append("It knows here what it would have learned from the start.")
    return lines


def event_sentences(one: Event | None, other: Event | None, nothing: str) -> list[str]:
    """Two events that differ; of two backups that write the same, what they differ in."""
    from afterstate_lab.learners.tape.events import Backup

    told = [nothing if event is None else event_sentence(event) for event in (one, other)]
    if told[0] == told[1] and isinstance(one, Backup) and isinstance(other, Backup):
        told = [
            f"{said} Its step size is {figure(event.step)}, its trace {figure(event.trace)}."
            for said, event in zip(told, (one, other), strict=True)
        ]
    return told


def event_sentence(event: Event) -> str:
    from afterstate_lab.learners.tape.events import Backup, GameOver, Move, NoBackup
    from afterstate_lab.tui.blocks.speech import places_for
    from afterstate_lab.tui.plain.place_sentences import about

    if isinstance(event, Move):
        how = "explores" if event.exploratory else "takes"
        return f"{event.player} {how} {event.cell + 1}. {board_words(Board.from_id(event.board))}"
    if isinstance(event, Backup):
        places = places_for(event.old, event.new)
        old, new = figure(event.old, places), figure(event.new, places)
        change = f"{old} to {new}, towards {figure(event.target)}"
        return f"{event.player} writes {change}. {about(event)}"
    if isinstance(event, NoBackup):
        return f"no backup of {event.player}: the move was {event.reason}. {about(event)}"
    assert isinstance(event, GameOver)
    return result_words(event, "")
