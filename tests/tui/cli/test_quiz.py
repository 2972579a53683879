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
