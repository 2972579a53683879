"""n-step TD by hand: V(S_t) moves towards V(S_min(t+n,T)), online (S&B 7.1)."""

import pytest

START = "........."


def test_two_steps_ahead(lab):
    game = lab("nstep:n=2,alpha=0.5", "nstep:n=2,alpha=0.5").play(lab.LOSS)
    # S_0 learns from S_2 (0.5) when X plays 2; S_1 and S_2 both from the end: 0.5 + 0.5 (1 - 0.5).
    assert game.learned("X") == [(START, 0.5), ("X........", 0.75), ("XX.O.....", 0.75)]
    assert [event.ply for event in game.backups("X")] == [3, 5, 5]
    assert game.learned("O") == [(START, 0.5), ("X..O.....", 0.25), ("XX.OO....", 0.25)]
    assert [event.ply for event in game.backups("O")] == [4, 5, 5]
    # Again: S_0 learns from S_2 as it now is, 0.5 + 0.5 (0.75 - 0.5).
    assert game.play(lab.LOSS).learned("X")[0] == (START, 0.625)


@pytest.mark.parametrize(
    ("n", "values"),
    [
        # After the draw, worth 0: 0.5 + 0.5 (0 - 0.5) for the last n of S_0 .. S_4.
        (1, [0.5, 0.5, 0.5, 0.5, 0.25]),
        (3, [0.5, 0.5, 0.25, 0.25, 0.25]),
        (9, [0.25, 0.25, 0.25, 0.25, 0.25]),
    ],
)
def test_a_draw_reaches_n_steps_back(lab, n: int, values: list[float]):
    spec = f"nstep:n={n},alpha=0.5,draw=0"
    game = lab(spec, spec).play(lab.DRAWN)
    assert game.learned("X") == list(zip(lab.X_DRAWN, values, strict=True))
    assert game.learned("O") == list(zip(lab.O_DRAWN, values, strict=True))


@pytest.mark.parametrize("n", [2, 3, 9])
def test_no_horizon_lies_beyond_an_exploratory_move(lab, n: int):
    game = lab("human", f"nstep:n={n},alpha=0.5")
    game.teach("O", lab.TEMPTED)
    # S_0 learns from S_1, the last before the move: 0.5 + 0.5 (0.75 - 0.5). S_1 has nothing to
    # learn from. S_2 learns from the end: 0.25 + 0.5 (0 - 0.25).
    assert game.play(lab.LOSS).learned("O") == [
        (START, 0.625),
        ("X..O.....", "exploratory"),
        ("XX.OO....", 0.125),
    ]


def test_exploratory_move_learned_from(lab):
    game = lab("human", "nstep:n=2,alpha=0.5,exploration=learn")
    game.teach("O", lab.TEMPTED)
    # 0.5 + 0.5 (0.25 - 0.5), 0.75 + 0.5 (0 - 0.75), 0.25 + 0.5 (0 - 0.25).
    assert game.play(lab.LOSS).learned("O") == [
        (START, 0.375),
        ("X..O.....", 0.375),
        ("XX.OO....", 0.125),
    ]


def test_nothing_is_left_to_learn_after_an_exploratory_last_move(lab):
    game = lab("nstep:n=2,alpha=0.5,initial=2", "human")
    game.teach("X", {"XX.O.....": 3.0})
    # To win is worth 1 and its siblings 2. S_0 has learned from S_2, 2 + 0.5 (3 - 2); so does S_1.
    assert game.play(lab.LOSS).learned("X") == [
        (START, 2.5),
        ("X........", 2.5),
        ("XX.O.....", "exploratory"),
    ]


@pytest.mark.parametrize("exploration", ["skip", "learn"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_afterstate_learns_once_from_the_horizon_of_its_definition(
    lab, n: int, exploration: str
):
    spec = f"nstep:n={n},alpha=0.25,epsilon=0.5,exploration={exploration}"
    game = lab(spec, spec, seed=n)
    for number in range(150):
        before = game.v.copy()
        game.record(number, number + 1)
        for player in "XO":
            values, path = game.table(player).values(before)[0], game.path(player)
            end = len(path) - 1
            explored = [k for k, move in enumerate(game.moves(player), 1) if move.exploratory]
            expected = []
            for t in range(end):
                cuts = [k - 1 for k in explored if k > t and exploration == "skip"]
                horizon = min(t + n, end, *cuts, 9)
                if horizon > t:
                    expected.append((path[t], values[path[horizon]]))
            assert [(event.board, event.target) for event in game.backups(player)] == expected
