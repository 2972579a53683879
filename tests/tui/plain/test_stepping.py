"""Stepping by ear: each place in sentences, with the numbers of the trace, forth and back."""

import re

import pytest
from reading import stepping

from afterstate_lab.learners.tape.recording import Backup, GameOver, Move
from afterstate_lab.learners.tape.timeline import CHOICE, WRITE
from afterstate_lab.tui.blocks.speech import figure, spoken
from afterstate_lab.tui.lab.microscope.reading import update_at
from afterstate_lab.tui.lab.microscope.words import sentence
from afterstate_lab.tui.plain import Dialogue

PAIRS = [
    *((name, name) for name in ("td", "tdlambda", "negamax", "menace", "menace-code")),
    ("double-q:gamma=.9", "random"),
    ("negamax:gamma=1", "perfect:epsilon=0.2"),
    ("tdlambda:exploration=learn", "menace:beads=1"),
    ("menace:beads=1,empty=refill", "expected-sarsa"),
    ("td:step=1/n", "q"),
]
"""Learners whose sentences differ; the others are told in the same words."""
WORDS = {"plus": "+", "minus": "-", "times": "*", "gives": ""}


def worked_out(equation: str) -> tuple[float, float]:
    """What the right-hand side of a told equation comes to, and what it is told to give."""
    body, _, new = equation.removesuffix(".").partition(": ")[2].partition(", gives ")
    body = (
        body.replace("a half", ".5").replace(", never below 0", "").replace(", never below 1", "")
    )
    signs = re.sub("|".join(WORDS), lambda match: WORDS[match[0]], body.replace(",", ""))
    assert re.fullmatch(r"[-+*(). 0-9]+", signs), equation
    return float(eval(signs)), float(new.replace("minus ", "-"))


@pytest.mark.quick("menace-menace")
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_the_numbers_told_are_those_of_the_events(x: str, o: str):
    dialogue = stepping(x, o, 40)
    dialogue.answer("go 3")
    dialogue.answer("step")
    seen = set()
    for _ in range(60):
        dialogue.answer("next")
        timeline, (words, *_) = dialogue.session.timeline, dialogue.answer("where")[2:]
        event = timeline.event
        seen.add(type(event))
        assert words == spoken(sentence(update_at(timeline)))
        if isinstance(event, Backup) and timeline.phase == WRITE:
            check_write(dialogue, event, dialogue.answer("update"))
        elif isinstance(event, Move) and timeline.phase == CHOICE:
            assert str(event.cell + 1) in words
    assert {Move, Backup, GameOver} <= seen


def check_write(dialogue: Dialogue, event: Backup, told: list[str]) -> None:
    """The equation has the event's numbers, and comes out right."""
    estimates = update_at(dialogue.session.timeline).rule.estimates
    places = 6 if estimates else 0
    numbers = next(line for line in told if ", gives " in line)
    said = numbers.partition(": ")[2]
    assert said.startswith(f"{figure(event.old, places)}, plus ") or not estimates
    assert said.endswith(f"gives {figure(event.new, places)}.")
    if not estimates:
        assert said.startswith(figure(event.old, 0))
        return
    value, new = worked_out(numbers)
    # Three numbers are told with six decimals, a trace and a step size with four.
    rounding = 2e-6 + 5e-5 * abs(event.error) * (event.trace != 1.0 or event.step != 0.1)
    assert abs(value - new) <= rounding


@pytest.mark.quick("tdlambda-event")
@pytest.mark.parametrize(
    ("learner", "by"), [("menace", "phase"), ("tdlambda", "event"), ("td", "phase"), ("q", "game")]
)
def test_stepping_back_tells_the_same_in_reverse_order(learner: str, by: str):
    dialogue = stepping(learner, learner, 60)
    dialogue.answer("go 31")

    def told(line: str) -> list[str]:
        dialogue.answer(line)
        return dialogue.answer("where")

    forth = [dialogue.answer("where")]
    steps = {"phase": 50, "event": 20, "game": 12}[by]
    forth += [told(f"next {by}") for _ in range(steps)]
    back = [told(f"back {by}") for _ in range(steps)]
    assert back == forth[-2::-1]
