"""One plain sentence for each rule and phase, with numbers that can be checked by hand."""

from __future__ import annotations

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, WRITE, Timeline
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.microscope.reading import current_update

X_WINS = {1: 0, 2: 3, 3: 1, 4: 4, 5: 2}
"""X 1, 2, 3 against O 4, 5: X wins at its third move."""


def told(rule: str, phase: int, number: int = 0, player: str = "X") -> str:
    """The words of a player's backup in the first game of two untrained learners."""
    run = Run.of(parse_player(rule), parse_player(rule), 0)
    timeline = Timeline(run)
    timeline.show(run.play(X_WINS))
    found = [
        row
        for row, event in enumerate(timeline.events_of_game())
        if isinstance(event, Backup) and event.player == player
    ]
    timeline.seek(found[number])
    while timeline.row != found[number] or timeline.phase != phase:
        assert timeline.step_phase()
    update = current_update(timeline)
    assert update is not None
    words = Microscope(timeline, update).equation().words
    assert isinstance(words, str)
    return words


@pytest.mark.parametrize(
    ("rule", "number", "target", "write"),
    [
        (
            "td", 2,
            "The game is over and worth 1.00: more than the .500 expected.",
            "Raise V(S₂) by .10 of the gap: .5000 → .5500, nearer v*.",
        ),
        (
            "chain", 1,
            "S₂, just updated, is worth .550: more than the .500 expected.",
            "Raise V(S₁) by .10 of the gap: .5000 → .5050, farther from v*.",
        ),
        (
            "mc", 2,
            "X won, which is worth 1.00: more than the .500 expected.",
            "Raise V(S₀) by .10 of the gap: .5000 → .5500, farther from v*.",
        ),
        (
            "nstep", 0,
            "S₂, 2 moves on, is worth .500: just as expected.",
            "V(S₀) stays .5000.",
        ),
        (
            "tdlambda", -2,
            "δ = .5000 reaches S₁, left a step ago, by its trace .800.",
            "Raise V(S₁) by α δ z: .5000 → .5400, farther from v*.",
        ),
        (
            "negamax", 0,
            "O can reply 2 for .500, leaving .500: just as expected.",
            "V(S₁) stays .5000.",
        ),
        (
            "q", 0,
            "The best next move, 2, is worth .500: just as expected.",
            "Q(S,1) stays .5000.",
        ),
        (
            "q", -1,
            "X won, which is worth 1.00: more than the .500 expected.",
            "Raise Q(S,3) by .10 of the gap: .5000 → .5500, nearer v*.",
        ),
        (
            "sarsa", 0,
            "The next move made, 2, is worth .500: just as expected.",
            "Q(S,1) stays .5000.",
        ),
        (
            "expected-sarsa", 0,
            "X can expect .500 of its next turn: just as expected.",
            "Q(S,1) stays .5000.",
        ),
        (
            "menace", 0,
            "A win adds 3 beads of colour 1.",
            "Put in 3 beads of colour 1: 4 → 7.",
        ),
        (
            "menace-code", 0,
            "A win adds 4 beads of colour 1.",
            "Put in 4 beads of colour 1: 2 → 6.",
        ),
    ],
)  # fmt: skip
def test_a_win_is_told(rule, number, target, write):
    assert told(rule, TARGET, number) == target
    assert told(rule, WRITE, number) == write


def test_a_loss_is_told_to_the_other_side():
    assert told("td", TARGET, -1, "O") == (
        "The game is over and worth .000: less than the .500 expected."
    )
    assert told("td", WRITE, -1, "O") == "Lower V(S₂) by .10 of the gap: .5000 → .4500, nearer v*."
    assert told("menace", WRITE, 0, "O") == "Take out 1 bead of colour 4: 4 → 3."
    assert told("menace-code", TARGET, 0, "O") == (
        "A loss takes 5 beads of colour 4 (never below 1)."
    )


def test_the_coin_says_which_table_is_written():
    target = told("double-q", TARGET, -1)
    assert target == "X won, which is worth 1.00: more than the .500 expected."
    assert told("double-q", TARGET, 0).startswith("Coin: Q")
    assert told("double-q", WRITE, -1).startswith(("Raise Q₁(S,3)", "Raise Q₂(S,3)"))
