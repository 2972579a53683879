"""Figure 1.1 of S&B, played: the opponent opens, and the second own move is exploratory."""

from __future__ import annotations

import pytest

from afterstate_lab.game import space
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, Move, NoBackup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.blocks.diagram import Diagram
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.microscope.reading import current_update

A_TO_G = {1: 0, 2: 4, 3: 8, 4: 6, 5: 2, 6: 1, 7: 7, 8: 5}
"""X plays 1, 9, 3, 8; O answers 5, 7, 2, 6. O then has the boards a, c, e, g after its moves."""


@pytest.fixture
def timeline() -> Timeline:
    """The game, in which O has learned to like another second move better."""
    run = Run.of(parse_player("human"), parse_player("td:epsilon=0"), 0)
    table = run.layout.o
    s = space()
    board = 0
    for ply in (1, 2, 3):
        board = int(s.successor[board, A_TO_G[ply]])
    better = int(table.entries.of_edge[s.edge_of[board, 1]])
    run.memory[table.base + better] = 0.9
    timeline = Timeline(run)
    timeline.show(run.play(A_TO_G))
    return timeline


def diagram(timeline: Timeline, row: int) -> Diagram:
    timeline.seek(row + 1)
    update = current_update(timeline)
    assert update is not None
    return Microscope(timeline, update).diagram()


def rows_of(timeline: Timeline, kind: type) -> list[int]:
    return [
        row
        for row in timeline.rows
        if isinstance(event := timeline.event_at(row), kind) and getattr(event, "player", "") == "O"
    ]


def test_backups_go_from_c_to_a_and_from_g_to_e_but_none_from_e_to_c(timeline):
    timeline.seek(1)
    moves = [timeline.event_at(row) for row in rows_of(timeline, Move)]
    assert [move.exploratory for move in moves] == [False, True, False, False]
    view = diagram(timeline, rows_of(timeline, Backup)[-1])
    labels = [row.label for row in view.rows]
    assert labels == ["S₀", "S₁", "?", "S₂", "S₃", "S₄"]
    arrows = {(view.rows[arc.source].label, view.rows[arc.to].label) for arc in view.arcs}
    assert arrows == {("S₁", "S₀"), ("S₃", "S₂"), ("S₄", "S₃")}


def test_the_exploratory_move_and_the_best_sibling_are_told(timeline):
    view = diagram(timeline, rows_of(timeline, NoBackup)[0])
    state, remark = view.rows[1], view.rows[2]
    assert "".join(text for text, _ in state.words) == "★ best 2 = .900"
    assert remark.board == "explored 7"
    assert "".join(text for text, _ in remark.words) == "no backup"
    assert state.lit


def test_the_words_say_why_there_is_no_backup(timeline):
    timeline.seek(rows_of(timeline, NoBackup)[0] + 1)
    update = current_update(timeline)
    assert update is not None
    words = Microscope(timeline, update).equation().words
    assert words == "O explored 7, which says nothing of V(S₁): it stays."


def test_what_is_done_now_and_next_is_told(timeline):
    first, second, *_ = rows_of(timeline, Backup)
    told = ["".join(text for text, _ in row.words) for row in diagram(timeline, first).rows]
    assert told[0].endswith("now")
    told = ["".join(text for text, _ in row.words) for row in diagram(timeline, second).rows]
    assert told[0].endswith("done")
    assert told[3].endswith("now")
    assert told[4].endswith("next")
