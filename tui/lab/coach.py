"""The coach: what a move did, against this opponent and against a perfect one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.exact import minimax, optimal_edges, optimal_response_values
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.tape.events import Move
from afterstate_lab.tui.blocks.speech import listed
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.theme.numerals import decimals

RESULT = {1: "win", 0: "draw", -1: "loss"}


def worth(board: Board, player: str) -> int:
    """Return what a position is worth to a player when both play perfectly: 1, 0 or -1."""
    return minimax(board) * (1 if player == "X" else -1)


def holding_cells(board: Board) -> tuple[int, ...]:
    """Return the cells (0-8) that keep the value of the position for the mover."""
    s, optimal = space(), optimal_edges()
    return tuple(int(s.edge_cell[edge]) for edge in s.edges_of(board.id) if optimal[edge])


class Judged(NamedTuple):
    """A move against perfect play."""

    board: Board
    """Before the move."""
    cell: int
    after: Board
    was: int
    """The value before the move: 1 a win, 0 a draw, -1 a loss."""
    now: int
    """The value after the move."""
    holding: tuple[int, ...]
    """The cells (0-8) that keep the value."""

    @classmethod
    def of(cls, board: Board, cell: int) -> Judged:
        mover, after = board.to_move, board.play(cell)
        values = worth(board, mover), worth(after, mover)
        return cls(board, cell, after, *values, holding_cells(board))

    @property
    def errs(self) -> bool:
        """Whether the move lost value."""
        return self.now < self.was

    @property
    def short(self) -> str:
        """What the move did, in a few words."""
        cells = " ".join(str(cell + 1) for cell in self.holding)
        only = "only " if len(self.holding) == 1 else ""
        if self.errs and self.was == 0:
            return f"? lost the draw: {only}{cells} kept it"
        if self.errs:
            what = "lost the win" if self.now == 0 else "lost a won game"
            return f"? {what}: {only}{cells} won"
        if self.after.winner:
            return "wins"
        if self.was < 0:
            return "lost already: no cell helped"
        is_only = only and len(self.board.legal_cells) > 1
        return f"{'the only move that ' * bool(is_only)}keeps the {RESULT[self.was]}"

    @property
    def sentence(self) -> str:
        """What the move did, and what other moves would have done."""
        if self.was < 0:
            return "Already lost: every cell loses."
        cell, others = f"Cell {self.cell + 1}", set(self.board.legal_cells) - set(self.holding)
        if self.errs:
            ends = ("loses the win", "loses a won game")
            lost = "loses" if self.was == 0 else ends[-self.now]
            kept = "kept the draw" if self.was == 0 else "kept the win"
            return f"{cell} {lost}: only {named(self.holding, 'or')} {kept}."
        keeps = "wins" if self.after.winner else f"keeps the {RESULT[self.now]}"
        if not others:
            return f"{cell} {keeps}, as every cell does."
        lose = "would lose" if self.was == 0 else "would lose the win"
        return f"{cell} {keeps}; {named(sorted(others))} {lose}."


def named(cells: Sequence[int], joint: str = "and") -> str:
    """Return cells (0-8) in words: `cell 5`, `cells 1 and 3`."""
    return f"cell{'s' * (len(cells) != 1)} {listed(cells, joint)}"


def against_this(session: Session, board: Board, player: Side) -> str:
    """Return how likely you can still win against a learner's greedy play.

    A player that draws beads or does not learn is taken as it plays.
    """
    side, timeline = player.other, session.timeline
    state = EvaluatedState(session.run.layout, timeline.v, timeline.game)
    drawn = state.drawn(side) if session.learner_learns else None
    policy = (drawn or state.greedy(side)).policy
    values = optimal_response_values(policy, player, win=1.0, draw=0.0, loss=0.0)
    is_greedy = drawn is None and state.layout.table(side).spec.rule.learns
    who, chance = f"{side.mark}'s greedy play" if is_greedy else side.mark, float(values[board.id])
    if chance == 0.0:
        return f"{who} cannot be beaten from here."
    if chance == 1.0:
        return f"You can force a win against {who}."
    return f"{who} may err: you can still win with probability {decimals(chance)}."


def coach_sentence(session: Session) -> str:
    moves = [event for event in session.timeline.events_so_far() if isinstance(event, Move)]
    own = [move for move in moves if move.player == session.human]
    if not own:
        return f"You play {session.human}: 1–9 mark a cell."
    end = session.board
    if end.winner == session.human:
        return "You win."
    said = Judged.of(Board.from_id(own[-1].board), own[-1].cell).sentence
    if end.winner:
        return f"You lose. {said}"
    if end.is_over:
        return f"A draw. {said}"
    said = f"By perfect play {said[0].lower()}{said[1:]}"
    return f"{said} {against_this(session, end, Side.parse(own[-1].player))}"
