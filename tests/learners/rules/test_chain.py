"""The reverse chain by hand: each board moves towards the updated value of the next, last first."""

import pytest

START = "........."


def test_all_plies_put_both_players_boards_in_one_chain(lab):
    spec = "chain:alpha=0.5,plies=all"
    game = lab(spec, spec).play(lab.LOSS)
    boards = ("XX.OO....", "XX.O.....", "X..O.....", "X........", START)
    # Half of what was left: 1/4, 1/8, 1/16, 1/32, 1/64 above 0.5 for X and below it for O.
    assert game.learned("X") == [(b, 0.5 + 0.5 ** (k + 2)) for k, b in enumerate(boards)]
    assert game.learned("O") == [(b, 0.5 - 0.5 ** (k + 2)) for k, b in enumerate(boards)]


@pytest.mark.parametrize(
    ("exploration", "values"),
    [
        # From O's last board back: 1/8, then 0.5 + 0.5 (1/8 - 0.5), 0.75 + 0.5 (5/16 - 0.75), ...
        ("learn", (0.125, 0.3125, 0.53125, 0.515625, 0.5078125)),
        # O's own exploratory move breaks the chain before it, at the board after X's 2.
        ("forget", (0.125, *["exploratory"] * 4)),
        # Then from the old 0.5 of that board: 0.75 + 0.5 (0.5 - 0.75), 0.5 + 0.5 (0.625 - 0.5), ...
        ("skip", (0.125, "exploratory", 0.625, 0.5625, 0.53125)),
    ],
)
def test_exploratory_move_in_a_chain_of_all_plies(lab, exploration: str, values: tuple):
    game = lab("human", f"chain:alpha=0.5,plies=all,exploration={exploration}")
    game.teach("O", lab.TEMPTED)
    boards = ("XX.OO....", "XX.O.....", "X..O.....", "X........", START)
    assert game.play(lab.LOSS).learned("O") == list(zip(boards, values, strict=True))


def test_only_the_players_own_exploratory_moves_break_its_chain(lab):
    forget = "chain:alpha=0.5,plies=all,exploration=forget"
    game = lab("human", forget)
    game.teach("O", {"X........": 0.25, "XX.O.....": 0.25})
    assert "exploratory" not in dict(game.play(lab.LOSS).learned("O")).values()


def test_coverage_counts_the_boards_that_the_chain_can_reach(lab):
    own = lab("chain", "chain").layout
    both = lab("chain:plies=all", "chain:plies=all").layout
    assert (own.x.entries.counted, own.o.entries.counted) == (2097, 2422)
    assert both.x.entries.counted == both.o.entries.counted == 2097 + 2422
