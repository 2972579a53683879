"""`afterstate quiz`: the same questions for a class, read line by line, scored."""

import json

RUN = "afterstate:1/q/td/7/200"


def test_its_own_key_answers_all_of_it(afterstate):
    words = ("quiz", RUN, "--n", "8", "--seed", "3", "--json")
    key = json.loads(afterstate(*words).out)
    assert (key["of"], key["score"], key["x"]) == (8, 0.0, "q")
    lines = [
        q["answer"][0] if isinstance(q["answer"], list) else f"{q['answer']!r}"
        for q in key["questions"]
    ]
    outcome = afterstate(*words, stdin="\n".join(lines))
    told = json.loads(outcome.out)
    assert (told["score"], told["best_streak"]) == (8.0, 8)
    assert [q["question"] for q in told["questions"]] == [q["question"] for q in key["questions"]]
    assert "Question 8 of 8." in outcome.err


def test_what_is_no_answer_is_told_and_asked_again(afterstate):
    outcome = afterstate("quiz", "--n", "1", stdin="perhaps\nup\n")
    assert "'perhaps' is not an answer here: up or down or the same (q ends)." in outcome.out
    assert "The quiz is over: " in outcome.out
    assert outcome.status == 0


def test_a_place_asks_about_its_game_alone(afterstate):
    told = json.loads(afterstate("quiz", f"{RUN}@17", "--n", "4", "--json").out)
    assert {question["game"] for question in told["questions"]} == {17}


def test_a_saved_policy_has_no_games(afterstate):
    outcome = afterstate("quiz", "policy.npz")
    assert outcome.status == 2
    assert "a quiz needs the games of a run: an ADDRESS, or --run NAME" in outcome.err


def test_a_run_in_which_nobody_learns_has_no_questions(afterstate):
    outcome = afterstate("quiz", "afterstate:1/random/random/7/5")
    assert outcome.status == 2
    assert "nothing to ask of this run" in outcome.err
