"""A game is reviewed in sentences."""

from __future__ import annotations


def test_the_review_tells_the_score_the_lesson_and_every_move(sit):
    dialogue = sit("human", "td")
    assert "not over" in dialogue.answer("review")[0]
    while not dialogue.session.is_over:
        cell = dialogue.session.board.legal_cells[0]
        dialogue.answer(str(cell + 1))
    told = dialogue.answer("review")
    assert told[0].startswith("Game 1: you ")
    assert "since game 1" in told[0]
    moves = [line for line in told if line[:2] == "1."]
    assert moves == ["1. You 1: keeps the draw; it expected .500."]
    assert all(line.isascii() for line in [*told, *dialogue.answer("more")])
