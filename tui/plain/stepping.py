"""Stepping through what was learned: by phase, event and game, each place told in sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from game import IllegalMoveError
from learners.errors import shown
from learners.tape.events import Move
from tui.lab.modes import Mode
from tui.plain.figures import figures
from tui.plain.place_sentences import (
    choice_lines,
    equation,
    exact_value,
    is_known,
    microscope_of,
    rule_words,
    told_place,
)
from tui.plain.sentences import board_lines, board_words, exact_labels, grid
from tui.plain.speech import figure, sentence

if TYPE_CHECKING:
    from learners.tape.timeline import Timeline
    from tui.plain.session import PlainSession

PLACE: Final = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?")
BY: Final = ("phase", "event", "game")
ENDS: Final = {True: "This is the end of the run.", False: "This is the start of the run."}
EMPTY: Final = "Nothing has been played yet: watch, train or play first."
NO_VALUE: Final = "No value is looked at here."


class Stepping:
    """A walk through the run of a session.

    Args:
        session: whose timeline is walked.
    """

    def __init__(self, session: PlainSession) -> None:
        self._session = session

    @property
    def _timeline(self) -> Timeline:
        return self._session.timeline

    def step(self, text: str = "") -> list[str]:
        """Begin to step, at the first move of the game that is looked at."""
        session = self._session
        if not session.run.games and not session.timeline.recording.size:
            return [EMPTY]
        session.look_closely()
        return [
            f"Stepping through game {self._timeline.game + 1:,}; n goes on, b goes back.",
            *self.told(),
        ]

    def told(self) -> list[str]:
        """The place of now."""
        return told_place(self._timeline)

    def forth(self, text: str = "") -> list[str]:
        """Go on by a phase, an event or a game."""
        return self._moved(text, forwards=True)

    def back(self, text: str = "") -> list[str]:
        """Go back by a phase, an event or a game."""
        return self._moved(text, forwards=False)

    def _moved(self, text: str, *, forwards: bool) -> list[str]:
        by = text or BY[0]
        timeline = self._timeline
        ways: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
            "phase": (timeline.step_phase, timeline.step_phase_back),
            "event": (timeline.step, timeline.step_back),
            "game": (timeline.next_game, timeline.previous_game),
        }
        if by not in ways:
            word = "next" if forwards else "back"
            return [f"{shown(by)} is no step: {word} phase, {word} event or {word} game."]
        moved = ways[by][0 if forwards else 1]()
        if not moved and (forwards or timeline.event is not None or by == "game"):
            return [ENDS[forwards]]
        return self.told()

    def go(self, text: str) -> list[str]:
        """Go to a game, or to a move of it."""
        games = max(1, self._session.run.games)
        word = text.replace(",", "").replace("_", "")
        named = {"first": "1", "start": "1", "last": str(games), "end": str(games)}
        match = PLACE.fullmatch(named.get(word, word))
        if match is None:
            return [
                f"Go where? go 123 goes to a game, 1 to {games:,}; go 123.4 to its fourth move."
            ]
        game, ply = int(match[1]) - 1, match[2]
        try:
            if ply is None:
                self._timeline.go_to(game, at_end=word in ("last", "end"))
            else:
                self._timeline.go_to_ply(game, int(ply))
        except IndexError:
            if ply is not None and 0 <= game < self._session.run.games:
                return [f"Game {game + 1:,} has no move {int(ply)}."]
            return [f"There is no game {game + 1:,}: the run has {self._session.run.games:,}."]
        return self.told()

    def watch(self, text: str) -> list[str]:
        """Go on by a move and what it teaches, an event or a game; at the run's end play on."""
        session = self._session
        if text not in ("", "move", "event", "game"):
            return [f"{shown(text)} cannot be watched: watch move, watch event or watch game."]
        if session.waits and session.script and session.is_at_end:
            return ["Your game is not over: end it, or n begins another, before you watch."]
        if session.mode is not Mode.STEP:
            session.stand_up()
            session.mode = Mode.WATCH
        elif session.is_at_end:
            session.stand_up()
        lines = self._watched_event()
        while text != "event" and not self._is_enough(text):
            lines += self._watched_event()
        return lines

    def _watched_event(self) -> list[str]:
        self._session.watch_event()
        timeline = self._timeline
        event = timeline.event
        first = [f"Game {event.game + 1:,}."] if isinstance(event, Move) and event.ply == 1 else []
        return [*first, *self.told()]

    def _is_enough(self, text: str) -> bool:
        """Whether what was asked for has been watched."""
        timeline = self._timeline
        if timeline.at >= timeline.rows.stop:
            return True
        return text != "game" and isinstance(timeline.event_at(timeline.at), Move)

    def values(self, text: str = "") -> list[str]:
        """The candidates of the move that is looked at, and the dice."""
        scope = microscope_of(self._timeline)
        lines = [] if scope is None else choice_lines(scope.choice())
        return lines or ["There is no choice here."]

    def exact(self, text: str = "") -> list[str]:
        """What each move is worth on the board of now under perfect play."""
        board = self._session.board
        if board.is_over:
            return ["The game is over here."]
        return [f"What each move is worth to {board.to_move}:", *grid(board, exact_labels(board))]

    def equation(self, text: str = "") -> list[str]:
        """The update of now: rule, numbers, code, and what would be right."""
        scope = microscope_of(self._timeline)
        if scope is None or scope.update.learned is None:
            return [NO_VALUE]
        rule, view = scope.update.spec.rule, scope.equation()
        lines = [f"Rule, {rule.source}: {rule_words(rule.equation.symbols)}."]
        if is_known(view):
            lines.append(equation(view))
        if view.code:
            lines.append(f"Code: {view.code}  ({view.place}).")
        truth = exact_value(scope)
        return [*lines, f"Exact value: {figure(truth)}."] if truth is not None else lines

    def stats(self, text: str = "") -> list[str]:
        """How good the players are."""
        return figures(self._session)

    def fork(self, text: str) -> list[str]:
        """Play the move that is looked at differently, in a line of its own."""
        if text not in [*"123456789"]:
            return ["Fork needs a cell from 1 to 9, to be marked instead."]
        try:
            self._session.fork(int(text) - 1)
        except IllegalMoveError as error:
            return [sentence(str(error))]
        return ["A line of its own; line goes back to the old one.", *self.where()]

    def line(self, text: str = "") -> list[str]:
        """Go to the line from which this one was forked, and so round."""
        if not self._session.other_line():
            return ["There is no other line; fork makes one, while stepping."]
        return ["The other line.", *self.where()]

    def where(self) -> list[str]:
        """The place, the players and the board."""
        session, timeline = self._session, self._timeline
        run, rows = session.run, timeline.rows
        event = f", event {timeline.row - rows.start + 1} of {len(rows)}" if len(rows) else ""
        games = max(run.games, timeline.recording.last)
        return [
            f"Game {timeline.game + 1:,} of {games:,}{event}.",
            f"X is {run.x}. O is {run.o}. Seed {run.seed}.",
            *self.told(),
            board_words(session.board),
            *board_lines(session.board),
        ]
