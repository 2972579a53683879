"""The coach: what the last move did, against this opponent and against a perfect one."""

from __future__ import annotations

from collections.abc import Sequence

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.exact import minimax, optimal_edges, optimal_response_values
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, Pair
from afterstate_lab.learners.tape.events import Move
from afterstate_lab.tui.blocks.speech import listed
from afterstate_lab.tui.lab.commands import key_of
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.theme.numerals import decimals

STANDING = {1: "won", 0: "a draw", -1: "lost"}
RESULT = {1: "win", 0: "draw", -1: "loss"}


def worth(board: Board, player: str) -> int:
    """What a position is worth to a player when both play perfectly: 1, 0 or -1."""
    return minimax(board) * (1 if player == "X" else -1)


def holding_cells(board: Board) -> tuple[int, ...]:
    """The cells (0-8) that keep what the position is worth to the player to move."""
    s, optimal = space(), optimal_edges()
    return tuple(int(s.edge_cell[edge]) for edge in s.edges_of(board.id) if optimal[edge])


def move_results(board: Board) -> dict[int, str]:
    """What each free cell (0-8) leads to for the mover under perfect play: win, draw or loss."""
    mover = board.to_move
    return {cell: RESULT[worth(board.play(cell), mover)] for cell in board.legal_cells}


def named(cells: Sequence[int], joint: str = "and") -> str:
    """Cells (0-8) as a sentence names them: `cell 5`, `cells 1 and 3`."""
    return f"cell{'s' * (len(cells) != 1)} {listed(cells, joint)}"


def against_perfect(board: Board, cell: int) -> str:
    """What marking a cell did, against a perfect opponent."""
    mover = board.to_move
    before, after = worth(board, mover), worth(board.play(cell), mover)
    hold = holding_cells(board)
    others = [c for c in board.legal_cells if c not in hold]
    here = f"Cell {cell + 1}"
    if before < 0:
        return "Already lost: every cell loses."
    if after < before:
        lost = (
            "loses" if before == 0 else "lets the win go" if after == 0 else "throws the win away"
        )
        keeps = "held the draw" if before == 0 else "kept the win"
        return f"{here} {lost}: only {named(hold, 'or')} {keeps}."
    keeps = "wins" if board.play(cell).winner else f"keeps the {RESULT[after]}"
    if not others:
        return f"{here} {keeps}, as every cell does."
    lose = "would lose" if before == 0 else "would let it go"
    return f"{here} {keeps}; {named(others)} {lose}."


def move_sentence(board: Board, cell: int) -> str:
    """What marking a cell did against perfect play, and what the other side can reply."""
    mover, after = board.to_move, board.play(cell)
    if after.winner:
        return f"{cell + 1} wins."
    was, now = worth(board, mover), worth(after, mover)
    if was == now:
        change = f"The position was {STANDING[was]} and still is"
    else:
        better = f"{listed(holding_cells(board), 'or')} kept the {RESULT[was]}"
        change = f"The position was {STANDING[was]} and is now {STANDING[now]} ({better})"
    return f"{change}{'' if after.is_over else '; ' + replies(after, now)}."


def replies(board: Board, other: int) -> str:
    """Which replies of the mover hold, where the position is worth `other` to the other player."""
    mover, right = board.to_move, holding_cells(board)
    if other > 0:
        return "no reply holds"
    if other < 0:
        return f"{mover} wins with {listed(right, 'or')}"
    if len(right) == len(board.legal_cells):
        return "every reply holds"
    return f"{mover} holds with {'only ' if len(right) == 1 else ''}{listed(right, 'or')}"


def against_this(session: Session, board: Board, player: Side) -> str:
    """How likely a win can still be made against a learner's greedy play, or what else it does.

    One that draws beads by design, or does not learn, is taken as it plays.
    """
    side, timeline = player.other, session.timeline
    state = EvaluatedState(Pair(session.run.layout), timeline.v, timeline.game)
    drawn = state.drawn(side) if session.learner_learns else None
    policy = (drawn or state.greedy(side)).policy
    values = optimal_response_values(policy, player.player, win=1.0, draw=0.0, loss=0.0)
    is_greedy = drawn is None and state.table(side).spec.rule.learns
    who, chance = f"{side.mark}'s greedy play" if is_greedy else side.mark, float(values[board.id])
    if chance == 0.0:
        return f"{who} cannot be beaten from here."
    if chance == 1.0:
        return f"{who} errs later: you can still force a win."
    return f"{who} may err: you can still win with probability {decimals(chance)}."


def coach_sentence(session: Session) -> str:
    """What the person's last move did."""
    moves = [event for event in session.timeline.events_so_far() if isinstance(event, Move)]
    own = [move for move in moves if move.player == session.human]
    if not own:
        return f"You play {session.human}: 1–9 mark a cell."
    board = Board.from_id(own[-1].board)
    end = session.board
    if end.winner == session.human:
        return "You win."
    said = against_perfect(board, own[-1].cell)
    if end.winner:
        return f"You lose. {said}"
    if end.is_over:
        return f"A draw. {said}"
    said = f"By perfect play {said[0].lower()}{said[1:]}"
    return f"{said} {against_this(session, session.board, Side.parse(own[-1].player))}"


def board_message(session: Session) -> str:
    """The sentence below the board: a note, or what one can do."""
    if session.note:
        return session.note
    if session.mode is Mode.WATCH and not session.run.games:
        return f"{key_of('run')} runs, {key_of('train')} trains"
    return ""
