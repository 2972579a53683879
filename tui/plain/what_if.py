"""What will be written, and what would have been: predictions, and a game under other rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import Board
from learners.errors import UsageError
from learners.players.resolve import parse_player
from learners.queries.what_if import WhatIf, replay_game
from learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from learners.tape.timeline import TARGET
from tui.lab.microscope.update import current_update
from tui.plain.place_sentences import about, places_for, told_place
from tui.plain.progress_reporter import GIVEN_UP, Tell, searched
from tui.plain.sentences import board_words, result_words
from tui.plain.speech import figure, sentence

if TYPE_CHECKING:
    from tui.plain.session import PlainSession

PREDICT = "predict .42 says what will be written; predict +, predict - or predict = which way."
WHAT_IF = "whatif q or whatif td:alpha=.5 plays this game again with another learner."


class Supposing:
    """What a user supposes about the place that is looked at.

    Args:
        session: what is looked at.
        tell: says a line at once.
    """

    def __init__(self, session: PlainSession, tell: Tell) -> None:
        self._session = session
        self._tell = tell

    def predict(self, text: str) -> list[str]:
        """Say what will be written, and go on to where it is."""
        timeline = self._session.timeline
        event = timeline.event
        if not isinstance(event, Backup) or timeline.phase != TARGET:
            return ["Go on to a target first: what is written next can be predicted there."]
        said = self._session.predictions.judge(text, event.old, event.new)
        if said is None:
            return [PREDICT]
        timeline.step_phase()
        return [sentence(said), *told_place(timeline)]

    def what_if(self, text: str) -> list[str]:
        """Play the game that is looked at again, on the same dice, with another player."""
        session = self._session
        update, game = current_update(session.timeline), session.timeline.game
        if update is None or game >= session.run.games:
            return ["What if needs a game that is over."]
        if not text:
            return [WHAT_IF]
        run, player = session.run, update.player
        try:
            spec = parse_player(text)
            if spec.rule.human:
                return ["A learner or an opponent is needed, no human."]
            result = searched(
                run,
                self._tell,
                lambda progress, stop: replay_game(
                    run, game, **{player.lower(): spec}, progress=progress, stop=stop
                ),
            )
        except UsageError as error:
            return [sentence(str(error))]
        if result is GIVEN_UP or result is None:
            return [GIVEN_UP]
        heading = f"Game {game + 1:,} again, on the same dice, if {player} were {spec}:"
        return [heading, *comparison(result, player)]


def comparison(result: WhatIf, player: str) -> list[str]:
    """Where two games part, how each ends, and what they teach a player."""
    first = result.first_difference
    if first is None:
        return ["Every event is the same."]
    originals, others = result.original.events(), result.other.events()
    lines = [f"The first {first} events are the same." if first else "No event is the same."]
    for name, events in (("Was", originals), ("Would be", others)):
        told = event_sentence(events[first]) if first < len(events) else "the game is over."
        lines.append(f"{name}: {told}")
    ends = [events[-1] for events in (originals, others) if isinstance(events[-1], GameOver)]
    if len(ends) == 2:
        was, would_be = (result_words(end, "") for end in ends)
        lines.append(f"In the end: {was} Would be: {would_be}")
    differ = len(result.different_steps(player))
    lines.append(f"{differ} of the {len(result.steps(player))} time steps of {player} differ.")
    if any(result.learned_anew):
        lines.append("It knows here what it would have learned from the start.")
    return lines


def event_sentence(event: Event) -> str:
    """An event by itself."""
    if isinstance(event, Move):
        how = "explores" if event.exploratory else "takes"
        return f"{event.player} {how} {event.cell + 1}. {board_words(Board.from_id(event.board))}"
    if isinstance(event, Backup):
        places = places_for(event)
        old, new = figure(event.old, places), figure(event.new, places)
        change = f"{old} to {new}, towards {figure(event.target)}"
        return f"{event.player} writes {change}. {about(event)}"
    if isinstance(event, NoBackup):
        return f"no backup of {event.player}: the move was {event.reason}. {about(event)}"
    assert isinstance(event, GameOver)
    return result_words(event, "")
