"""A moment of a run: what is on screen then, and the answers to questions about it.

Everything that needs the engine is imported with this file, so that the commands stay light.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Board, Side
from afterstate_lab.game.exact import likeliest_refutation
from afterstate_lab.learners.ask.be import Predictions
from afterstate_lab.learners.ask.conditions import Change, Wrote, find, parse
from afterstate_lab.learners.ask.why import Why, explained, last_write
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, true_values
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import FIGURES
from afterstate_lab.learners.tape.recording import Backup, GameOver, Move, TapePosition
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.lab.microscope import Microscope, wrote_condition
from afterstate_lab.tui.lab.microscope.reading import board_of
from afterstate_lab.tui.lab.modes import Mode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.game.exact import Policy, Refutation
    from afterstate_lab.learners.judge.evaluation import Evaluations
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.learners.tape.timeline import Timeline
    from afterstate_lab.learners.training import Snapshot, Training
    from afterstate_lab.tui.blocks.block import Quantity

REWARDS: Final = ("win", "draw", "loss")
Search = Callable[..., Any]
"""Looks through a run; takes `progress` and `stop`."""


class Moment:
    """A run at a moment."""

    run: Run
    timeline: Timeline
    mode: Mode
    training: Training | None
    snapshot: Snapshot | None
    predictions: Predictions
    selection: Quantity | None
    """The number selected under the microscope."""
    script: dict[int, int]
    """The person's moves in the unfinished game, by ply."""
    waits: bool
    """Whether your game waits for a move, wherever you are."""
    breakpoint: str
    """The breakpoint as typed."""
    shown_game: Run | None
    """The latest branch with a shown game; the next one replaces it."""
    _judged: tuple[object, Evaluations] | None = None
    """The latest verdicts, with their moment."""

    @property
    def board(self) -> Board:
        """The board at the current moment."""
        move = self.last_move
        return Board() if move is None else Board.from_id(move.afterstate)

    @property
    def last_move(self) -> Move | None:
        """The last move on the board at the current moment."""
        timeline = self.timeline
        made = (timeline.event_at(row) for row in reversed(timeline.rows) if row < timeline.at)
        return next((event for event in made if isinstance(event, Move)), None)

    @property
    def backup_to_predict(self) -> Backup | None:
        """The next backup, if it can be predicted."""
        timeline = self.timeline
        event = timeline.event
        return event if isinstance(event, Backup) and timeline.phase == TARGET else None

    @property
    def microscope(self) -> Microscope | None:
        """The microscope on the current event; None before the first."""
        return Microscope.at(self.timeline, self.selection, asks=self.predictions.wanted)

    @property
    def entry(self) -> int | None:
        """The selected memory entry, or else the entry of S_t."""
        scope = self.microscope
        if scope is None:
            return None
        if scope.selected is not None and scope.selected.entry >= 0:
            return scope.selected.entry
        learned = scope.update.learned
        entry = scope.update.entry if learned is None else learned.entry
        return entry if entry >= 0 else None

    @property
    def is_unwritten(self) -> bool:
        """Whether the new value of the current backup is not shown yet."""
        timeline = self.timeline
        is_ahead = isinstance(timeline.event, Backup) and timeline.phase < WRITE
        return self.mode is Mode.STEP and is_ahead

    @property
    def is_asked(self) -> bool:
        """Whether to predict the current backup before it is shown."""
        return self.predictions.wanted and self.is_unwritten

    @property
    def is_at_end(self) -> bool:
        """Whether the latest event of the run is on screen."""
        timeline = self.timeline
        newest = timeline.recording.last >= self.run.games
        return newest and timeline.at == timeline.recording.size

    @property
    def known(self) -> tuple[NDArray[np.float64], int]:
        """Memory, and its game: of the training run, or at the current moment."""
        if self.is_training and self.snapshot is not None:
            return self.snapshot.memory, self.snapshot.games
        return self.timeline.v, self.timeline.game

    @property
    def evaluation(self) -> Evaluations:
        """The exact verdicts on both players at the current moment."""
        if self.mode is Mode.TRAIN and self.is_training and self.snapshot is not None:
            return self.snapshot.evaluation
        timeline = self.timeline
        place = timeline, timeline.game, timeline.at
        if self._judged is None or self._judged[0] != place:
            self._judged = place, evaluate_memory(self.run.layout, timeline.v)
        return self._judged[1]

    @property
    def is_over(self) -> bool:
        """Whether the current game is over at this moment."""
        return isinstance(self.timeline.event, GameOver)

    @property
    def is_training(self) -> bool:
        """Whether a training run is running or paused."""
        return self.training is not None

    @property
    def is_game_watched(self) -> bool:
        """Whether the last event of a game is on screen."""
        return self.timeline.at >= self.timeline.rows.stop

    @property
    def is_move_watched(self) -> bool:
        """Whether a move and its backups were all shown."""
        return self.is_game_watched or isinstance(self.timeline.event_at(self.timeline.at), Move)

    def own_changes(self, first: int = 0, last: float = inf) -> list[int]:
        """Return the rows in a range whose backups change a value; if a player is a rule of the
        user's own, of that one.
        """
        timeline, players = self.timeline, (("X", self.run.x), ("O", self.run.o))
        rows = [row for row in Change().stops(timeline.recording).tolist() if first <= row <= last]
        own = [mark for mark, spec in players if not spec.rule.is_trusted]
        mine = [row for row in rows if own and getattr(timeline.event_at(row), "player", "") in own]
        return mine or rows

    @property
    def move_looked_at(self) -> Move | None:
        """The current move; of a backup, the move that it learns from."""
        events = reversed(self.timeline.events_so_far())
        return next((event for event in events if isinstance(event, Move)), None)

    @property
    def owes_a_move(self) -> bool:
        """Whether the person has begun a game and not ended it."""
        return self.waits and bool(self.script)

    @property
    def valued_entry(self) -> int | None:
        """The entry, if it is a value of a board."""
        entry, layout = self.entry, self.run.layout
        is_value = entry is not None and board_of(layout.table_of(entry), entry) is not None
        return entry if is_value else None

    def has_moves(self, game: int) -> bool:
        """Return whether anybody moved in a recorded game."""
        tape = self.timeline.recording
        return any(isinstance(tape.event(row), Move) for row in tape.rows_of(game))

    # searches

    def to_condition(self, text: str, *, forwards: bool) -> Search:
        """Find the nearest place where a condition holds."""
        return partial(find, self.run, parse(text), self.timeline.place, forwards=forwards)

    def near_change(self, *, forwards: bool) -> int | None:
        """Return the row of the nearest backup in the recording that changes a value.

        A backup that is not shown yet counts as the next.
        """
        timeline, row = self.timeline, self.timeline.row
        rows = Change().stops(timeline.recording)
        is_shown = timeline.phases_done == 0
        near = rows[rows >= row + is_shown] if forwards else rows[rows < row][::-1]
        return int(near[0]) if len(near) else None

    def to_change(self, *, forwards: bool) -> Search:
        """Find the nearest backup outside the recording that changes a value."""
        recording = self.timeline.recording
        start = TapePosition(recording.last if forwards else recording.first, -1)
        return partial(find, self.run, parse("change"), start, forwards=forwards)

    def backups_between(self, first: int, last: int) -> int:
        """Return the number of backups between two rows of the recording."""
        rows = range(first + 1, last)
        return sum(isinstance(self.timeline.event_at(row), Backup) for row in rows)

    def to_last_write(self, entry: int) -> Search:
        """Find the last backup of an entry before this moment."""
        return partial(last_write, self.run, entry, self.timeline.place)

    def why(self, entry: int) -> Search:
        """Find the backups that made a value, newest first; None if none changed it."""
        run, timeline = self.run, self.timeline
        place, is_shown = timeline.place, timeline.at > timeline.row

        def look(*, progress: Callable[[float], None], stop: Callable[[], bool]) -> Why | None:
            until = TapePosition(place.game, place.row + is_shown)
            writer = last_write(run, entry, until, progress=progress, stop=stop)
            if writer is None:
                return None
            return explained(run, writer, progress=progress, stop=stop)

        return look

    # the breakpoint

    @property
    def proposed_break(self) -> str:
        """The breakpoint, or the backups of the selected entry."""
        scope = self.microscope
        selected = None if scope is None else scope.selected
        if scope is None or selected is None or selected.entry < 0:
            return self.breakpoint
        return wrote_condition(scope.update, selected.entry) or self.breakpoint

    def set_break(self, text: str) -> None:
        """Set the breakpoint, if its condition is one of this run."""
        parse(text).check(self.run.layout)
        self.breakpoint = text

    # the game that beats a player

    @property
    def coming_game(self) -> int:
        """The current game; if it is over and not a shown game, the next."""
        is_to_come = self.is_over and self.run is not self.shown_game
        return min(self.run.games, self.timeline.game + is_to_come)

    def refutation(self, side: Side) -> tuple[Policy, Refutation] | None:
        """Return how a side plays before the current game, and the game that beats it, if any."""
        game = self.coming_game
        state = EvaluatedState(self.run.layout, self.run.memory_at(game), game)
        policy = state.greedy(side)
        found = likeliest_refutation(policy, side)
        return None if found is None else (policy, found)

    # the live numbers of a script

    def number(self, name: str, found: re.Match[str]) -> float | str:
        """Return a live number.

        Args:
            name: its name.
            found: the parts of the name.
        """
        event = self.timeline.event
        if found["moment"]:
            return self._of_moment(name)
        if found["entry"]:
            return self._of_entry(found)
        if found["word"]:
            return self._of_player(found["word"], Side.parse(found["side"]))
        if not isinstance(event, Backup):
            raise UsageError(f"{name} is a number of a backup, and no backup is shown here")
        return event.new - event.old if name == "change" else float(getattr(event, name))

    def _of_moment(self, name: str) -> float | str:
        timeline, event, move = self.timeline, self.timeline.event, self.move_looked_at
        counts = {"games": self.run.games, "game": timeline.game + 1, "ply": self.board.ply}
        if name in counts:
            return counts[name]
        if name == "written":
            backups = (event for event in timeline.events_so_far() if isinstance(event, Backup))
            return sum(one.new != one.old for one in backups)
        if name == "result":
            if not isinstance(event, GameOver):
                raise UsageError("result is known where a game is over, and it is not here")
            return event.result
        if move is None:
            raise UsageError(f"{name} is known where a move was made, and none was here")
        return move.player if name == "player" else move.cell + 1

    def _of_entry(self, found: re.Match[str]) -> float:
        player, board = found["of"], found["board"]
        layout, v = self.run.layout, self.timeline.v
        if found["entry"] == "v*":
            values = true_values(layout, Side.parse(player), self.timeline.game)
            return float(values[Board.parse(board).id])
        entries = Wrote.read(player, board, found["cell"]).entries(layout)
        if len(entries) != 1:
            said = f"{player} keeps a value for each move here: V {player} {board}@5 is one"
            raise UsageError(said)
        return float(v[entries[0] + (len(v) // 2 if found["entry"] == "visits" else 0)])

    def _of_player(self, word: str, side: Side) -> float | str:
        spec = self.run.x if side is Side.X else self.run.o
        if word in REWARDS and spec.learns:
            return float(spec.rule.rewards(spec.settings)[REWARDS.index(word)])
        if word in spec.settings:
            option = next(option for option in spec.rule.options if option.name == word)
            return option.format(spec.settings[word])
        figure = next((figure for figure in FIGURES if figure.name == word), None)
        if figure is None or not spec.learns:
            raise UsageError(f"{spec} has no {shown(word)}")
        state = EvaluatedState(self.run.layout, self.timeline.v, self.timeline.game)
        value = figure.measure(state, side)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return float(figure.kind.number(value))
