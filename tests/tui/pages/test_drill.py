"""The drill on a page: a digit a question, the game that beats you, mistakes that are kept."""

import pytest
from reading import lines, press, safe

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import data_folder
from afterstate_lab.tui.pages.drill import FILE, DrillPage, mistakes_of, open_on
from afterstate_lab.tui.plain.dialogue import Reader

PROVED = "Unbeatable as O: proved."


def played_well(page: DrillPage) -> None:
    while page.question is not None:
        press(page.page, safe(page.question))


def test_safe_answers_to_the_end_are_a_proof():
    page = DrillPage(Side.O)
    played_well(page)
    assert len(page.drill.answers) <= 71
    assert PROVED in "\n".join(lines(page.page()))
    press(page.page, "o")
    assert page.side is Side.X and page.question == ()


def test_a_mistake_shows_its_game_and_is_asked_first_until_it_is_answered_well():
    page = DrillPage(Side.O)
    press(page.page, "2")
    assert page.game is not None and page.game[:2] == (0, 1)
    shown = "\n".join(lines(page.page()))
    assert "2 loses." in shown and "X wins: X 1, O 2, " in shown
    press(page.page, "next")
    assert (data_folder() / FILE).read_text() == "1\n"
    later = DrillPage(Side.O)
    assert later.question == (0,)
    played_well(later)
    assert not later.drill.is_beatable
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
    assert page.play(4) == "There is no question now. Press Enter for the next."
    page.next()
    with pytest.raises(UsageError, match="cell 2 is taken"):
        page.play(1)
    with pytest.raises(UsageError, match="'Z' is not a side: drill X or drill O"):
        open_on(None, None, "Z")


def test_a_file_of_mistakes_that_is_damaged_is_no_trouble():
    assert mistakes_of(b"159\n\xff\x00 11 0 1234567890 147258 7\n7\n") == [
        (0, 4, 8), (0, 3, 6, 1, 4, 7), (6,),
    ]  # fmt: skip
    (data_folder() / FILE).parent.mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_bytes(b"\xff\n1\n151\n")
    assert DrillPage(Side.X).question == ()


def test_in_plain_mode_a_digit_answers_and_an_empty_line_asks_again():
    reader = Reader(lambda _: None, DrillPage(Side.O).page)
    assert "X marked 1. Where do you play?" in reader.whole()
    assert "5 is safe." in (reader.do("5") or ())
    assert reader.do("5") is None and reader.do("z") is None
    assert any("Where do you play?" in line for line in reader.do("") or ())
    assert "2 is safe." not in (reader.do("other side") or ())
