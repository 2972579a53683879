"""The drill on a page: a digit a question, the game that beats you, mistakes that are kept."""

from __future__ import annotations

import json

import pytest
from reading import do, lines, press, safe

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import data_folder
from afterstate_lab.tui.pages.drill import FILE, DrillPage, mistakes_of, open_on

PROVED = "Unbeatable as O: proved."


def played_well(page: DrillPage) -> None:
    while page.question is not None:
        press(page.page, safe(page.question))


def test_safe_answers_to_the_end_are_a_proof():
    page = DrillPage(Side.O)
    played_well(page)
    assert page.is_over and page.drill.asked <= 71
    assert PROVED in "\n".join(lines(page.page()))
    assert page.as_json() == {
        "side": "O", "asked": page.drill.asked, "open": 0, "beatable": False, "mistakes": [],
    }  # fmt: skip
    press(page.page, "o")
    assert page.side is Side.X and page.question == ()


def test_a_mistake_shows_its_game_and_is_asked_first_until_it_is_answered_well():
    page = DrillPage(Side.O)
    press(page.page, "5")
    question = page.question
    assert do(page.page, "mark", "9") is None and page.game is None
    page.begin(Side.O)
    press(page.page, "2")
    assert page.game is not None and page.game[:2] == (0, 1)
    shown = "\n".join(lines(page.page()))
    assert "2 loses." in shown and "X wins: X 1, O 2, " in shown
    assert do(page.page, "next") is None and question is not None
    assert (data_folder() / FILE).read_text() == "1\n"
    later = DrillPage(Side.O)
    assert later.question == (0,)
    played_well(later)
    assert later.is_over and not later.drill.is_beatable
    assert (data_folder() / FILE).read_text() == ""


def test_the_arrows_step_through_the_game_that_beats_you():
    page = DrillPage(Side.O)
    press(page.page, "2")
    assert page.game is not None
    assert page.at == 2
    press(page.page, *["right"] * 9)
    assert page.at == len(page.game)
    press(page.page, *["left"] * 9)
    assert page.at == 0
    assert page.play(4) == "Press Enter first."
    page.next()
    with pytest.raises(UsageError, match="cell 2 is taken"):
        page.play(1)
    for text in ("0", "10", "x", ""):
        with pytest.raises(UsageError, match="is not a free cell"):
            page.mark(text)


def test_a_file_of_mistakes_that_is_damaged_is_no_trouble():
    assert mistakes_of(b"159\n\xff\x00 11 0 1234567890 147258 7\n7\n") == [
        (0, 4, 8), (0, 3, 6, 1, 4, 7), (6,),
    ]  # fmt: skip
    (data_folder() / FILE).parent.mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_bytes(b"\xff\n1\n151\n")
    assert DrillPage(Side.X).question == ()


def test_a_side_is_x_or_o():
    with pytest.raises(UsageError, match="'Z' is not a side: drill X or drill O"):
        open_on(None, None, "Z")


def test_the_command_asks_and_answers_in_lines(afterstate):
    found = afterstate("drill", "o", stdin="5\n5\nz\nq\n")
    assert (found.status, found.err) == (0, "")
    assert "X marked 1. Where do you play?" in found.out and "5 is safe." in found.out
    assert "'z' is not a free cell, 1 to 9 (q quits)." in found.out
    closed = afterstate("drill", "O", "--json", stdin="5\n")
    told = json.loads(closed.out)
    assert (told["asked"], told["beatable"], told["mistakes"]) == (1, None, [])
    lost = json.loads(afterstate("drill", "O", "--json", stdin="2\n").out)
    assert lost["beatable"] is True
    assert lost["mistakes"][0]["board"] == "X........" and lost["mistakes"][0]["cell"] == 2
