"""An independent solver: every question about a policy by plain recursion on strings.

A policy is a function from a board to the probabilities of its cells 1-9.
"""

from functools import cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
START = "........."


def mover(board):
    return "X" if board.count("X") == board.count("O") else "O"


def winner(board):
    return next((board[a] for a, b, c in LINES if board[a] == board[b] == board[c] != "."), None)


def is_over(board):
    return winner(board) is not None or "." not in board


def after(board, cell):
    return board[: cell - 1] + mover(board) + board[cell:]


def free(board):
    return [cell for cell in range(1, 10) if board[cell - 1] == "."]


@cache
def minimax(board):
    if is_over(board):
        return {"X": 1.0, None: 0.5, "O": 0.0}[winner(board)]
    values = [minimax(after(board, cell)) for cell in free(board)]
    return max(values) if mover(board) == "X" else min(values)


def boards():
    found, ply = {START}, {START}
    while ply:
        ply = {after(b, c) for b in ply for c in free(b)}
        ply = {board for board in ply if not is_over(board)}
        found |= ply
    return sorted(found)


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
        if is_over(board):
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
