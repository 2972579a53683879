"""What the rules learn from three games, worked by hand.

All values start at 0.5 and alpha is 1/2. A row gives, for S_0, S_1, … of a player, in the order in
which they are written, the new value, or `SKIPPED` where an exploratory move is not learned from;
for a rule on moves, the new values of its moves in order.
"""

import pytest

SKIPPED = "exploratory"


def forth(*values):
    return list(enumerate(values))


def back(*values):
    return list(zip(reversed(range(len(values))), values, strict=True))


LOST = [
    # X wins and O loses. TD(0): 0.5 + 0.5 (1 - 0.5), 0.5 + 0.5 (0 - 0.5), and nothing before.
    ("td", forth(0.5, 0.5, 0.75), forth(0.5, 0.5, 0.25)),
    # Each towards the updated next: 0.75, 0.5 + 0.5 (0.75 - 0.5), 0.5 + 0.5 (0.625 - 0.5).
    ("chain", back(0.75, 0.625, 0.5625), back(0.25, 0.375, 0.4375)),
    # All towards the result.
    ("mc", back(0.75, 0.75, 0.75), back(0.25, 0.25, 0.25)),
    # S_0 learns from S_2 (0.5) when it is reached; S_1 and S_2 both from the end.
    ("nstep:n=2", forth(0.5, 0.75, 0.75), forth(0.5, 0.25, 0.25)),
    # No error until the end; then 0.5 at S_2, S_1, S_0 with z = 1, 1/2, 1/4.
    (
        "tdlambda:lambda=0.5",
        [(0, 0.5), *back(0.5, 0.5), *back(0.75, 0.625, 0.5625)],
        [(0, 0.5), *back(0.5, 0.5), *back(0.25, 0.375, 0.4375)],
    ),
]
LOST_AGAIN = [
    # It is carried one move further back: 0.5 + 0.5 (0.75 - 0.5), 0.75 + 0.5 (1 - 0.75). O's 5
    # leads to 0.25 and its siblings to 0.5: exploratory. 0.25 + 0.5 (0 - 0.25).
    ("td", forth(0.5, 0.625, 0.875), forth(0.5, SKIPPED, 0.125)),
    ("mc", back(0.875, 0.875, 0.875), back(0.125, 0.125, 0.125)),
    # S_0 learns from S_2 as it now is: 0.5 + 0.5 (0.75 - 0.5). O's 4 leads to 0.25: exploratory.
    ("nstep:n=2", forth(0.625, 0.875, 0.875), None),
]
HALVES = (0.25, 0.375, 0.4375, 0.46875, 0.484375)
"""Below 0.5 by 1/4, 1/8, 1/16, 1/32, 1/64."""
DRAWN = [
    # 0.5 + 0.5 (draw - 0.5): for X after its own last move, for O when X's ends the game.
    *((f"td:draw={draw}", forth(0.5, 0.5, 0.5, 0.5, 0.25 + 0.5 * draw)) for draw in (0.5, 0, 1)),
    ("chain:draw=0", back(*HALVES)),
    ("mc:draw=0.25", back(*[0.375] * 5)),
    # A draw that is worth 0 reaches the last n of S_0 .. S_4.
    ("nstep:n=1,draw=0", forth(0.5, 0.5, 0.5, 0.5, 0.25)),
    ("nstep:n=3,draw=0", forth(0.5, 0.5, 0.25, 0.25, 0.25)),
    ("nstep:n=9,draw=0", forth(*[0.25] * 5)),
    # The five that are written at the end: delta = 0 - 0.5, with z = 1, 1/2, ...
    ("tdlambda:lambda=0.5,draw=0", back(*HALVES)),
]
TEMPTED = [
    # O's S_1 is worth 0.75 and S_2 0.25, its siblings 0.5: O's 5 is exploratory.
    # 0.5 + 0.5 (0.75 - 0.5); nothing; 0.25 + 0.5 (0 - 0.25).
    ("td", forth(0.625, SKIPPED, 0.125)),
    # As above, and 0.75 + 0.5 (0.25 - 0.75).
    ("td:exploration=learn", forth(0.625, 0.5, 0.125)),
    # Towards the sibling's 0.5 instead: 0.75 + 0.5 (0.5 - 0.75).
    ("museum:next-move-counts:draw=0.5", forth(0.625, 0.625, 0.125)),
    # The loss counts as the 0.5 that nobody wrote: 0.25 + 0.5 (0.5 - 0.25).
    ("museum:value-of-the-end:draw=0.5", forth(0.625, SKIPPED, 0.375)),
    # 0.25 + 0.5 (0 - 0.25), 0.75 + 0.5 (0.125 - 0.75), 0.5 + 0.5 (0.4375 - 0.5).
    ("chain:exploration=learn", back(0.125, 0.4375, 0.46875)),
    # Only what followed the exploratory move is remembered.
    ("chain:exploration=forget", back(0.125, SKIPPED, SKIPPED)),
    # The chain goes on from the old value: 0.5 + 0.5 (0.75 - 0.5).
    ("chain:exploration=skip", back(0.125, SKIPPED, 0.625)),
    # 0.25 + 0.5 (0 - 0.25), 0.75 + 0.5 (0 - 0.75), 0.5 + 0.5 (0 - 0.5).
    ("mc:exploration=learn", back(0.125, 0.375, 0.25)),
    ("mc:exploration=forget", back(0.125, SKIPPED, SKIPPED)),
    # No horizon lies beyond an exploratory move: S_0 learns from S_1, the last before it.
    *((f"nstep:n={n}", forth(0.625, SKIPPED, 0.125)) for n in (2, 3, 9)),
    # 0.5 + 0.5 (0.25 - 0.5), 0.75 + 0.5 (0 - 0.75), 0.25 + 0.5 (0 - 0.25).
    ("nstep:n=2,exploration=learn", forth(0.375, 0.375, 0.125)),
    # The traces are cleared: at the end nothing reaches what was before.
    ("tdlambda:lambda=0.5", forth(0.625, SKIPPED, 0.125)),
    # delta = 0.25 - 0.75: 0.75 - 0.5 / 2, 0.625 - 0.5 / 4. delta = 0 - 0.25: z = 1, 1/2, 1/4.
    (
        "tdlambda:lambda=0.5,exploration=learn",
        [(0, 0.625), *back(0.5, 0.5), *back(0.125, 0.4375, 0.46875)],
    ),
]


X_WINS, DRAWN_GAME = "14253", "159287364"
X_PAIRS = [(".........", 1), ("X..O.....", 2), ("XX.OO....", 3)]
O_PAIRS = [("X........", 4), ("XX.O.....", 5)]
X_PAIRS_DRAWN = [
    (".........", 1), ("X...O....", 9), ("XO..O...X", 8), ("XO..O.OXX", 3), ("XOX.OOOXX", 4),
]  # fmt: skip
O_PAIRS_DRAWN = [("X........", 5), ("X...O...X", 2), ("XO..O..XX", 7), ("XOX.O.OXX", 6)]
MOVES = [
    # All values are 0.5 until the end, then r = 1 for X and 0 for O.
    *(
        (f"{name}:alpha=0.5", X_WINS, 1, [0.5, 0.5, 0.75], [0.5, 0.25])
        for name in ("q", "sarsa", "expected-sarsa", "double-q")
    ),
    # X's third board has a move worth 0.75 now: 0.5 + 0.5 (0.75 - 0.5); then 0.75 + 0.5 (1 - 0.75).
    # O's second still has moves worth 0.5, and that is its maximum; 0.25 + 0.5 (0 - 0.25).
    ("q:alpha=0.5", X_WINS, 2, [0.5, 0.625, 0.875], [0.5, 0.125]),
    # O makes one worth 0.25, though others are worth 0.5: 0.5 + 0.5 (0.25 - 0.5).
    ("sarsa:alpha=0.5", X_WINS, 2, [0.5, 0.625, 0.875], [0.375, 0.125]),
    # 0.5 + 0.5 (draw - 0.5): for X after its own last move, for O when X's ends the game.
    *(
        (f"q:alpha=0.5,draw={draw}", DRAWN_GAME, 1, [*[0.5] * 4, last], [*[0.5] * 3, last])
        for draw, last in ((0.5, 0.5), (0, 0.25), (1, 0.75))
    ),
    # 0.5 * 0.5; 0.5 * 1 (the third board's best is the win of the first game); 1, undiscounted.
    ("q:alpha=1,gamma=0.5", X_WINS, 2, [0.25, 0.5, 1.0], None),
    # The second game looks one move further: 0.5 * 0.25, ..., 0.5 * 0.75, and the draw as it is.
    (
        "sarsa:alpha=1,gamma=0.5,draw=0.75",
        DRAWN_GAME, 2, [0.125, 0.125, 0.125, 0.375, 0.75], None,
    ),
    # It expects the best there is: 0.5 * 0.5 where an untried move is worth more than the one
    # tried, 0.5 * 0.75 before the last, forced move, and the draw as it is.
    (
        "expected-sarsa:alpha=1,gamma=0.5,draw=0.75,epsilon=0",
        DRAWN_GAME, 2, [0.25, 0.25, 0.25, 0.375, 0.75], None,
    ),
    # Untouched values are 0.5: 0.5 * 0.5 at every turn, and the draw as it is.
    ("double-q:alpha=1,gamma=0.5,draw=0.75", DRAWN_GAME, 1, [*[0.25] * 4, 0.75], None),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "cells", "games", "of_x", "of_o"), MOVES)
def test_the_moves_of_a_game(move_lab, spec, cells, games, of_x, of_o):
    game = move_lab(spec, "human" if of_o is None else spec)
    for _ in range(games):
        game.play(cells)
    x, o = (X_PAIRS, O_PAIRS) if cells == X_WINS else (X_PAIRS_DRAWN, O_PAIRS_DRAWN)
    assert game.learned("X") == [(*pair, new) for pair, new in zip(x, of_x, strict=True)]
    if of_o is not None:
        assert game.learned("O") == [(*pair, new) for pair, new in zip(o, of_o, strict=True)]


@pytest.mark.parametrize(("name", "first"), [("q", 0.625), ("sarsa", 0.375)])
def test_an_exploratory_move_teaches_the_best_value_or_its_own(move_lab, name, first):
    """O plays 5 (0.25) where 9 is worth 0.75: 0.5 + 0.5 (0.75 - 0.5), or 0.5 + 0.5 (0.25 - 0.5)."""
    known = {("XX.O.....", 5): 0.25, ("XX.O.....", 9): 0.75}
    game = move_lab("human", f"{name}:alpha=0.5").know("O", known).play(X_WINS)
    assert [move.exploratory for move in game.moves("O")] == [False, True]
    assert [new for *_, new in game.learned("O")] == [first, 0.125]


def halved(spec):
    return f"{spec}{',' if ':' in spec else ':'}alpha=0.5"


def written(game, player, boards):
    """What a player learned from the game played last, its boards by their number."""
    return [(boards.index(board), told) for board, told in game.learned(player)]


X_LOST = (".........", "X........", "XX.O.....")
O_LOST = (".........", "X..O.....", "XX.OO....")


@pytest.mark.parametrize(("spec", "of_x", "of_o"), LOST)
def test_a_game_won_and_lost(lab, spec, of_x, of_o):
    game = lab(halved(spec), halved(spec)).play(lab.LOSS)
    assert (written(game, "X", X_LOST), written(game, "O", O_LOST)) == (of_x, of_o)


@pytest.mark.parametrize(("spec", "of_x", "of_o"), LOST_AGAIN)
def test_the_same_game_again(lab, spec, of_x, of_o):
    game = lab(halved(spec), halved(spec)).play(lab.LOSS).play(lab.LOSS)
    assert written(game, "X", X_LOST) == of_x
    assert of_o is None or written(game, "O", O_LOST) == of_o


@pytest.mark.parametrize(("spec", "values"), DRAWN)
def test_a_draw(lab, spec, values):
    game = lab(halved(spec), halved(spec)).play(lab.DRAWN)
    assert written(game, "X", lab.X_DRAWN)[-5:] == values
    assert written(game, "O", lab.O_DRAWN)[-5:] == values


@pytest.mark.parametrize(("spec", "values"), TEMPTED)
def test_an_exploratory_move(lab, spec, values):
    game = lab("human", halved(spec))
    game.teach("O", lab.TEMPTED)
    assert written(game.play(lab.LOSS), "O", O_LOST) == values
    kept = [told for k, told in values if k == 1 and told != SKIPPED]
    assert game.value("O", "X..O.....") == (kept or [0.75])[-1]


@pytest.mark.parametrize(
    ("spec", "of_x", "of_o"),
    [
        ("td", [1, 3, 5], [2, 4, 5]),
        ("chain", [5, 5, 5], [5, 5, 5]),
        ("mc", [5, 5, 5], [5, 5, 5]),
        ("nstep:n=2", [3, 5, 5], [4, 5, 5]),
        ("tdlambda", [1, 3, 3, 5, 5, 5], [2, 4, 4, 5, 5, 5]),
        ("q", [3, 5, 5], [4, 5]),
        ("sarsa", [3, 5, 5], [4, 5]),
    ],
)
def test_when_each_backup_is_made(lab, spec, of_x, of_o):
    """At the player's own moves, and when the opponent ends the game; or at the end."""
    game = lab(spec, spec).play(lab.LOSS)
    assert [event.ply for event in game.backups("X")] == of_x
    assert [event.ply for event in game.backups("O")] == of_o
