"""The drill and the game by hand: what is asked, what an answer does, what it scores."""

import pytest
from reading import press, sit

from afterstate_lab.learners.ask.be import ByHand, term, written
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.blocks.lists import Question
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.pages.be import Quiz
from afterstate_lab.tui.theme.glyphs import UNICODE

TD = PlayerSpec.parse("td")


@pytest.fixture
def state():
    return Quiz(ByHand(TD, 1))


def question(state):
    return next(block for block in state.page().blocks if isinstance(block, Question))


def test_a_clicked_choice_is_the_answer(state):
    lines = ["".join(t for t, _ in line) for line in question(state).draw(51, 20, Pen(UNICODE))]
    asked = state.question
    wrong = (int(asked.right) + 1) % len(asked.choices)
    y = next(y for y, line in enumerate(lines) if f"{wrong + 1} {asked.choices[wrong]}" in line)
    x = lines[y].index(asked.choices[wrong])
    question(state).choose(question(state).row_at(x, y, 51, 20))
    assert state.answers.given == [wrong]


def footer(state):
    return {key.key.split()[0]: key.word for key in state.page().keys if key.word}


def test_a_number_is_written_as_on_all_screens_a_negative_term_in_parentheses():
    told = {
        0.59873: ".5987", 0.1: ".1", 0.1 + 0.2: ".3", -0.0167: "−.0167", -1.0: "−1", 0.0: "0",
        40.0: "40", 4312.0: "4312", 0.99997: "1", -0.00001: "0", 10.5: "10.5",
    }  # fmt: skip
    assert [written(number) for number in told] == list(told.values())
    assert (term(-0.5), term(0.25)) == ("(−.5)", ".25")


def test_an_answer_is_a_number_or_a_choice_by_its_number_or_its_text():
    questions = ByHand(TD, 1).questions
    number = next(question for question in questions if question.is_number)
    for text in ("", "nan", "inf", "1e999", "0x10", "⁵", "9" * 400, "\x00", "up"):
        assert number.read(text) is None
    entry = next(question for question in questions if question.kind == "entry")
    assert entry.read("2") == entry.read(entry.choices[1]) == 1.0
    assert entry.read("99") is None
    target = next(question for question in questions if question.kind == "target")
    text = target.choices[0]
    assert target.read(text) == target.read(f"0{text}0") == 0 and target.read(".7001") is None


@pytest.mark.parametrize("spec", ["td", "menace-code"])
def test_by_hand_a_right_answer_goes_on_at_once_and_a_wrong_one_stops_beside_the_right(spec):
    by_hand = ByHand(PlayerSpec.parse(spec), 1)
    state = Quiz(by_hand)
    for n in range(len(by_hand.questions) - 1):
        asked = state.question
        assert state.part == f"{n + 1} of {len(by_hand.questions)}" and not state.waits
        assert footer(state)["1"] == "answer"
        right, wrong = int(asked.right), (int(asked.right) + 1) % len(asked.choices)
        if n != 1:
            press(state.page, str(right + 1))
            continue
        press(state.page, str(wrong + 1))
        assert [choice.is_right for choice in question(state).choices].count(True) == 1
        assert footer(state)["enter"] == "next question"
        press(state.page, "enter")
    typing = press(state.page, "1")
    assert footer(state)["enter"] == "type it" and typing.given == "1"
    assert typing.asks == "a number such as .42"
    typing.do(f"{state.question.right:.3f}")
    told = by_hand.result()
    assert told["score"] == told["of"] - 1 and told["first_wrong"]["n"] == 2
    press(state.page, "enter")
    ends = dict(question(state).facts)
    assert question(state).prompt == f"You did {told['score']} of {told['of']} events right."
    assert ends["first wrong"].startswith("question 2, ply ")


def test_a_table_read_again_has_its_top_and_its_columns_by_both_names():
    dialogue = sit()
    dialogue.answer("table")
    assert "train first" in dialogue.answer("card")[0] and len(dialogue.sheets) == 2
    assert any(line.startswith("1. The board is empty") for line in dialogue.answer("other"))
    assert "O td, 1 of 1 found in 2,423." in dialogue.answer("filter .........")
    heads = [key.help for key in dialogue.page.keys if key.key.isdecimal()]
    assert "sort by mm" in heads and "sort by vπ" in heads
    by_head, by_name = (dialogue.answer(f"sort by {name}")[0] for name in ("mm", "v*"))
    assert "no column" not in by_head and "no column" not in by_name
