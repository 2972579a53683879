"""Stepping by ear: each place in sentences, with the numbers of the trace, forth and back."""

import re

import pytest
from reading import stepping

from afterstate_lab.game import Board
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.events import Backup, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.speech import board_words, figure, spoken
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.plain.dialogue import Dialogue
from afterstate_lab.tui.plain.says import place_lines

LEARNERS = [name for name, rule in rules().items() if rule.learns]
PAIRS = [
    *((name, name) for name in LEARNERS),
    ("double-q:gamma=.9", "random"),
    ("negamax:gamma=1", "perfect:epsilon=0.2"),
    ("tdlambda:exploration=learn", "menace:beads=1"),
    ("menace:beads=1,empty=refill", "td"),
    ("td:step=1/n", "q"),
]
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


@pytest.mark.quick("td-td", "menace-menace", "negamax-negamax", "tdlambda-tdlambda")
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_the_numbers_told_are_those_of_the_events(x: str, o: str):
    dialogue = stepping(x, o, 40)
    dialogue.answer("go 3")
    seen = set()
    for _ in range(90):
        told, event = dialogue.answer("next"), dialogue.session.timeline.event
        told = told[told[0].startswith("Stepping through") :]
        phase = dialogue.session.timeline.phase
        seen.add(type(event))
        if isinstance(event, Backup) and phase == WRITE:
            check_write(dialogue, event, told)
        elif isinstance(event, Backup) and phase == TARGET:
            assert told[0].startswith(f"Target, {event.player}: ")
            board = Board.from_id(event.board)
            where = f": {board_words(board)}".rstrip(".") if board.ply else " is empty"
            assert told[1].startswith(f"Its board{where}")
        elif isinstance(event, NoBackup):
            assert told[0].startswith(f"No backup, {event.player}: ")
        elif isinstance(event, GameOver):
            assert told[0].startswith("End: ")
        elif isinstance(event, Move) and told[0].startswith("Choice: "):
            assert str(event.cell + 1) in told[0]
            assert told[1] == board_words(Board.from_id(event.afterstate))
    assert {Move, Backup, GameOver} <= seen


def check_write(dialogue: Dialogue, event: Backup, told: list[str]) -> None:
    """The sentence is the lab's; the equation has the event's numbers, and comes out right."""
    scope = Microscope.at(dialogue.session.timeline)
    words = spoken(scope.words)
    assert told[0] == f"Write, {event.player}: {words}"
    estimates = scope.update.spec.rule.estimates
    places = 6 if estimates else 0
    said = told[1].partition(": ")[2]
    assert said.startswith(f"{figure(event.old, places)}, plus ") or not estimates
    assert said.endswith(f"gives {figure(event.new, places)}.")
    if not estimates:
        assert said.startswith(figure(event.old, 0))
        return
    value, new = worked_out(told[1])
    # Three numbers are told with six decimals, a trace and a step size with four.
    rounding = 2e-6 + 5e-5 * abs(event.error) * (event.trace != 1.0 or event.step != 0.1)
    assert abs(value - new) <= rounding


@pytest.mark.quick("menace-phase", "tdlambda-event")
@pytest.mark.parametrize("by", ["phase", "event", "game"])
@pytest.mark.parametrize("learner", ["menace", "tdlambda", "q"])
def test_stepping_back_tells_the_same_in_reverse_order(learner: str, by: str):
    dialogue = stepping(learner, learner, 60)
    dialogue.answer("go 31")

    def told(line: str) -> list[str]:
        return [said for said in dialogue.answer(line) if not said.startswith("Stepping through")]

    forth = [place_lines(dialogue.session.timeline)]
    steps = {"phase": 120, "event": 60, "game": 12}[by]
    forth += [told(f"next {by}") for _ in range(steps)]
    back = [told(f"back {by}") for _ in range(steps)]
    assert back == forth[-2::-1]
