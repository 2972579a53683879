"""What a policy does, by plain recursion: from a board to the probabilities of its cells 1-9."""

import sys
from functools import cache
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tui" / "truth"))
import referee
from referee import EMPTY as START
from referee import minimax, mover, result


def winner(board):
    return {1: "X", -1: "O"}.get(result(board))


def after(board, cell):
    return referee.after(board, cell - 1)


def free(board):
    return [cell + 1 for cell in referee.cells(board)]


def boards():
    return [board for board in referee.boards() if result(board) is None]


def errors(policy, side):
    """Board and cell of every move that is worth less than the best."""
    return {
        (board, cell)
        for board in boards()
        if mover(board) == side
        for cell, chance in policy(board).items()
        if chance > 0 and minimax(after(board, cell)) != minimax(board)
    }


def refutation(policy, side):
    """How the best opponent fares: its chance to win, and the likeliest and shortest such game.

    Returns:
        The chance; the probability of the game; minus its length.
    """

    @cache
    def of(board):
        if result(board) is not None:
            lost = winner(board) not in (None, side)
            return float(lost), float(lost), 0
        if mover(board) == side:
            replies = {cell: of(after(board, cell)) for cell in policy(board)}
            chances = policy(board)
            worst = sum(chances[cell] * replies[cell][0] for cell in replies)
            games = [(chances[c] * replies[c][1], replies[c][2] - 1) for c in replies]
        else:
            replies = {cell: of(after(board, cell)) for cell in free(board)}
            worst = max(reply[0] for reply in replies.values())
            games = [(r[1], r[2] - 1) for r in replies.values() if r[0] >= worst - 1e-12]
        likely = max(game[0] for game in games)
        return worst, likely, max(n for p, n in games if p >= likely - 1e-12)

    return of(START)
