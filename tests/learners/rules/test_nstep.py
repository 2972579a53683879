"""n-step TD by hand: V(S_t) moves towards V(S_min(t+n,T)), online (S&B 7.1)."""

import pytest

START = "........."


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
