"""Worked games: one plain sentence for each rule and phase, and Figure 1.1 of S&B, played."""

import pytest
from drawing import lines_of, scope_at

from afterstate_lab.game import space
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, Event, Move, NoBackup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, WRITE, Timeline

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
    return scope_at(timeline).equation().words


@pytest.mark.parametrize(
    ("rule", "number", "target", "write"),
    [
        ("td", 2, "The game is over and worth 1.00: more than the .500 expected.",
         "Raise V(S₂) by .10 of the gap: .5000 → .5500, nearer v_π."),
        ("chain", 1, "S₂, just updated, is worth .550: more than the .500 expected.",
         "Raise V(S₁) by .10 of the gap: .5000 → .5050, nearer v_π."),
        ("mc", 2, "X won, which is worth 1.00: more than the .500 expected.",
         "Raise V(S₀) by .10 of the gap: .5000 → .5500, nearer v_π."),
        ("nstep", 0, "S₂, 2 moves on, is worth .500: just as expected.",
         "V(S₀) stays .5000."),
        ("tdlambda", -2, "δ = .5000 reaches S₁, left a step ago, by its trace .800.",
         "Raise V(S₁) by α δ z: .5000 → .5400, nearer v_π."),
        ("negamax", 0, "O can reply 2 for .500, leaving .500: just as expected.",
         "V(S₁) stays .5000."),
        ("q", 0, "The best next move, 2, is worth .500: just as expected.",
         "Q(S,1) stays .5000."),
        ("q", -1, "X won, which is worth 1.00: more than the .500 expected.",
         "Raise Q(S,3) by .10 of the gap: .5000 → .5500, nearer v_π."),
        ("sarsa", 0, "The next move made, 2, is worth .500: just as expected.",
         "Q(S,1) stays .5000."),
        ("expected-sarsa", 0, "X can expect .500 of its next turn: just as expected.",
         "Q(S,1) stays .5000."),
        ("menace", 0, "A win adds 3 beads of colour 1.",
         "Put in 3 beads of colour 1: 4 → 7."),
        ("menace-code", 0, "A win adds 4 beads of colour 1.",
         "Put in 4 beads of colour 1: 2 → 6."),
    ],
)  # fmt: skip
def test_a_win_is_told(rule, number, target, write):
    assert told(rule, TARGET, number) == target
    assert told(rule, WRITE, number) == write


def test_a_loss_is_told_to_the_other_side():
    assert told("td", TARGET, -1, "O") == (
        "The game is over and worth .000: less than the .500 expected."
    )
    assert told("td", WRITE, -1, "O") == "Lower V(S₂) by .10 of the gap: .5000 → .4500, nearer v_π."
    assert told("menace", WRITE, 0, "O") == "Take out 1 bead of colour 4: 4 → 3."
    assert told("menace-code", TARGET, 0, "O") == (
        "A loss takes 5 beads of colour 4 (never below 1)."
    )


A_TO_G = {1: 0, 2: 4, 3: 8, 4: 6, 5: 2, 6: 1, 7: 7, 8: 5}
"""X plays 1, 9, 3, 8; O answers 5, 7, 2, 6. O then has the boards a, c, e, g after its moves."""


@pytest.fixture
def figure() -> Timeline:
    """Figure 1.1: the opponent opens, and the second own move is exploratory, since O has learned
    to like another one better."""
    run = Run.of(parse_player("human"), parse_player("td:epsilon=0"), 0)
    board, table = 0, run.layout.o
    for ply in (1, 2, 3):
        board = int(space().successor[board, A_TO_G[ply]])
    better = int(table.entries.of_edge[space().edge_of[board, 1]])
    run.memory[table.base + better] = 0.9
    timeline = Timeline(run)
    timeline.show(run.play(A_TO_G))
    return timeline


def rows_of(timeline: Timeline, kind: type[Event]) -> list[int]:
    events = [(row, timeline.event_at(row)) for row in timeline.rows]
    return [row for row, event in events
            if isinstance(event, kind) and getattr(event, "player", "") == "O"]  # fmt: skip


def test_backups_go_from_c_to_a_and_from_g_to_e_but_none_from_e_to_c(figure):
    figure.seek(1)
    moves = [figure.event_at(row) for row in rows_of(figure, Move)]
    assert [move.exploratory for move in moves] == [False, True, False, False]
    figure.seek(rows_of(figure, Backup)[-1] + 1)
    lanes = scope_at(figure).diagram()._lanes
    assert [(arc.source, arc.to) for lane in lanes for arc in lane] == [(1, 0), (3, 2), (4, 3)]


def test_the_exploratory_move_and_the_best_sibling_are_told_and_why_there_is_no_backup(figure):
    figure.seek(rows_of(figure, NoBackup)[0] + 1)
    scope = scope_at(figure)
    told, best = (line.split() for line in lines_of(scope.diagram(), 50, 8)[5:7])
    assert (told[1:3], best) == (["explored", "7"], ["★", "2", ".900"])
    assert scope.equation().words == "O explored 7, which says nothing of V(S₁): it stays."
    assert scope.update.index == 1
