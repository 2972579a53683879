"""Training by ear: a few short lines, and what changed, exactly."""

import re

import pytest

from afterstate_lab.tui.plain.dialogue import SAY_SECONDS, now_and_then


@pytest.mark.slow
def test_until_unbeatable_ends_when_neither_can_be_beaten(sit):
    dialogue = sit(o="negamax")
    told = dialogue.answer("train until unbeatable")
    assert any(re.match("Unbeatable after [0-9,]+ games: proved", line) for line in told)
    assert "X cannot be beaten." in dialogue.answer("stats")
    assert "O cannot be beaten." in dialogue.answer("stats")


def test_a_line_is_said_every_few_seconds_at_most():
    told: list[str] = []
    now = [0.0]
    say = now_and_then(told.append, clock=lambda: now[0])
    for tenth in range(int(3 * SAY_SECONDS * 10) + 1):
        now[0] = tenth / 10
        say(f"at {now[0]}")
    assert told == [f"at {SAY_SECONDS * many}" for many in (1, 2, 3)]
