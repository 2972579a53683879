"""What the blogs teach: win, block, centre, corner, side."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def move(board):
    me, you = ("X", "O") if board.count("X") == board.count("O") else ("O", "X")
    for mark in (me, you):
        for line in LINES:
            marks = [board[cell] for cell in line]
            if marks.count(mark) == 2 and "." in marks:
                return line[marks.index(".")] + 1
    return next(cell + 1 for cell in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[cell] == ".")
