"""A quiz in plain mode: a question is answered by a line, and the other words still do theirs."""

import re


def right_answer(question):
    return str(question.number) if question.is_number else question.choices[min(question.right)]


def test_a_quiz_is_asked_and_answered_line_by_line(lab):
    dialogue = lab("td", "td", train=80)
    told = dialogue.answer("quiz")
    assert told[0].startswith("Question 1 of 10. ")
    assert told[-1] == "Answer up or down or the same."
    quiz = dialogue.controller.current_quiz
    told = dialogue.answer(right_answer(quiz.question))
    assert told[0].startswith("Right. ")
    assert told[1].startswith("Question 2 of 10. ")
    assert dialogue.answer("help")[0] != told[0]
    told = dialogue.answer(f"{quiz.question.number}")
    assert told[0].endswith("2 in a row.")
    while not quiz.is_over:
        told = dialogue.answer(right_answer(quiz.question))
    assert re.fullmatch(r"The quiz is over: 10\.0 of 10; guessing earns .+ streak: 10\.", told[-1])
    assert dialogue.controller.current_quiz is None


def test_a_quiz_can_be_ended_and_only_one_that_goes_on(lab):
    dialogue = lab("q", "q", train=80)
    assert dialogue.answer("quiz off") == ["No quiz goes on."]
    dialogue.answer("quiz")
    assert dialogue.answer("quiz off") == ["The quiz is off."]
    assert dialogue.controller.current_quiz is None


def test_where_no_game_was_played_one_is(lab):
    dialogue = lab("td", "td")
    assert dialogue.answer("quiz")[0].startswith("Question 1 of ")
