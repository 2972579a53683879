"""The matchbox in sentences."""

from __future__ import annotations


def test_the_box_of_this_board_and_of_a_named_one(lab):
    dialogue = lab("menace", "menace", seed=7)
    assert dialogue.answer("box") == [
        "X draws from this box next: 12 beads of 3 colours.",
        "The board is empty.",
        "Cells 1 3 7 9: 4 beads, 33%; 4 when new.",
        "Cells 2 4 6 8: 4 beads, 33%; 4 when new.",
        "Cell 5: 4 beads, 33%; 4 when new.",
    ]
    dialogue.answer("watch game")
    told = dialogue.answer("box")
    assert told[0] == "O lost: the bead that was played leaves, 1 to 0."
    assert told[-1] == "10 more: m goes on."
    named = dialogue.answer("box xo.......")
    assert named[:2] == [
        "X draws from this box on this board: 21 beads of 7 colours.",
        "X has 1, O has 2.",
    ]
    assert all(line.isascii() for line in [*told, *named, *dialogue.answer("more")])


def test_a_board_that_is_none_and_players_without_boxes(lab):
    dialogue = lab("menace", "td")
    assert dialogue.answer("box 5") == [
        "'5' is no board: nine characters of X, O and . from the top left."
    ]
    assert "Nobody draws" in dialogue.answer("box X........")[0]
    assert "matchboxes" in lab("td", "td").answer("box")[0]
