"""What the rules on afterstates learn from three games, worked by hand.

All values start at 0.5 and alpha is 1/2. A row gives, for S_0, S_1, … of a player, in the order in
which they are written, the new value, or `SKIPPED` where an exploratory move is not learned from.
"""

import pytest

SKIPPED = "exploratory"
Row = list[tuple[int, float | str]]


def forth(*values: float | str) -> Row:
    """Written first to last."""
    return list(enumerate(values))


def back(*values: float | str) -> Row:
    """Written last to first."""
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


def halved(spec: str) -> str:
    return f"{spec}{',' if ':' in spec else ':'}alpha=0.5"


def written(game, player: str, boards: tuple[str, ...]) -> Row:
    """What a player learned from the game played last, its boards by their number."""
    return [(boards.index(board), told) for board, told in game.learned(player)]


X_LOST = (".........", "X........", "XX.O.....")
O_LOST = (".........", "X..O.....", "XX.OO....")


@pytest.mark.parametrize(("spec", "of_x", "of_o"), LOST)
def test_a_game_won_and_lost(lab, spec: str, of_x: Row, of_o: Row):
    game = lab(halved(spec), halved(spec)).play(lab.LOSS)
    assert (written(game, "X", X_LOST), written(game, "O", O_LOST)) == (of_x, of_o)


@pytest.mark.parametrize(("spec", "of_x", "of_o"), LOST_AGAIN)
def test_the_same_game_again(lab, spec: str, of_x: Row, of_o: Row | None):
    game = lab(halved(spec), halved(spec)).play(lab.LOSS).play(lab.LOSS)
    assert written(game, "X", X_LOST) == of_x
    assert of_o is None or written(game, "O", O_LOST) == of_o


@pytest.mark.parametrize(("spec", "values"), DRAWN)
def test_a_draw(lab, spec: str, values: Row):
    game = lab(halved(spec), halved(spec)).play(lab.DRAWN)
    assert written(game, "X", lab.X_DRAWN)[-5:] == values
    assert written(game, "O", lab.O_DRAWN)[-5:] == values


@pytest.mark.parametrize(("spec", "values"), TEMPTED)
def test_an_exploratory_move(lab, spec: str, values: Row):
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
def test_when_each_backup_is_made(lab, spec: str, of_x: list[int], of_o: list[int]):
    """At the player's own moves, and when the opponent ends the game; or at the end."""
    game = lab(spec, spec).play(lab.LOSS)
    assert [event.ply for event in game.backups("X")] == of_x
    assert [event.ply for event in game.backups("O")] == of_o


@pytest.mark.parametrize("name", ["td", "q"])
def test_a_backup_tells_old_target_step_trace_and_new(lab, name: str):
    last = lab(f"{name}:alpha=0.25", "human").play(lab.LOSS).backups("X")[-1]
    assert (last.old, last.target, last.step, last.trace, last.new) == (0.5, 1.0, 0.25, 1.0, 0.625)
    assert (last.rule, last.error) == (name, 0.5)
