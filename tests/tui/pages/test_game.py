"""A game looked at: its review, its boxes, and the same game with another player."""

import numpy as np
import pytest
from reading import session_of

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.grading.grade import grade
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, GameOver
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.cells import Cells
from afterstate_lab.tui.cli.grade import summary_of
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.lab.session import Session, WhatIfSummary
from afterstate_lab.tui.pages.matchbox import (
    Box,
    box_sentence,
    boxes_of_game,
    boxes_shown,
    named_box,
)
from afterstate_lab.tui.pages.review import score
from afterstate_lab.tui.pages.table import EntryTable
from afterstate_lab.tui.pages.what_if import BothGames, pair_line


def test_the_score_counts_the_games_with_the_person_and_no_others():
    run = Run.of(parse_player("td"), parse_player("td"), 3)
    run.train(40)
    ends: list[tuple[Seating, str]] = []
    for side in (Seating(Seat.HUMAN, Seat.LEARNS), Seating(Seat.LEARNS, Seat.HUMAN)):
        run.seat(side)
        ends += [(side, won_by(run)) for _ in range(4)]
        run.seat(Seating())
        run.train(20)
    found = score(run, run.games - 21)
    persons = ["X" if side.x is Seat.HUMAN else "O" for side, _ in ends]
    results = [result for _, result in ends]
    won = sum(one == person for one, person in zip(results, persons, strict=True))
    drawn = results.count("draw")
    assert found == (won, drawn, 8 - won - drawn, 40)
    assert sum(score(run, 40)[:3]) == 1


def won_by(run: Run) -> str:
    """Play a game in which the person always takes the first free cell; who won it."""
    script: dict[int, int] = {}
    while True:
        recording = run.play(script)
        end = recording.event(recording.size - 1) if recording.size else None
        if isinstance(end, GameOver):
            return end.result
        moves = [one for one in recording.events() if hasattr(one, "afterstate")]
        board = Board.from_id(moves[-1].afterstate) if moves else Board()
        script[board.ply + 1] = board.legal_cells[0]


def play(session: Session) -> list[Box]:
    session.play_game()
    session.timeline.seek(session.timeline.recording.size)
    return boxes_of_game(session)


def told(box: Box) -> tuple[str, str, str, int | None]:
    """A box in short."""
    cell = None if box.played is None else box.played + 1
    return box.event, box.side.mark, str(box.board), cell


@pytest.mark.quick("menace:beads=1/1/1/1,empty=refill")
@pytest.mark.parametrize(
    "x", ["menace:beads=1/1/1/1,empty=refill", "menace-article", "menace-code"]
)
def test_boxes_are_those_of_memory_and_a_refill_is_told_of_an_empty_box_alone(x: str):
    session = session_of(x, "menace:beads=1/1/1/1,empty=refill", 0, 1)
    kinds = set()
    for _ in range(60):
        boxes = play(session)
        before = session.timeline.v.copy()
        for box in boxes:
            kinds.add(box.event)
            if box.event == "refill":
                assert not any(colour.beads for colour in box.before)
                assert tuple(colour.beads for colour in box.after) == box.new
            if box.event == "result":
                pairs = zip(box.before, box.after, strict=True)
                assert all(box.played in new.cells for old, new in pairs if old.beads != new.beads)
        latest = {colour.entry: colour.beads for box in boxes for colour in box.after}
        assert all(before[entry] == beads for entry, beads in latest.items())
        assert np.array_equal(session.timeline.v, before)
    assert {"draw", "result"} <= kinds
    assert "refill" in kinds or "refill" not in x


def test_an_empty_box_resigns():
    session = session_of("menace:beads=1/1/1/1", "perfect", 0, 1)
    games = (play(session) for _ in range(100))
    boxes = next(boxes for boxes in games if boxes[-1].event == "empty")
    assert boxes[-1].total == 0
    assert box_sentence(boxes[-1]) == "X opens the box and finds no bead: it resigns."


def test_before_a_move_its_box_waits_and_while_one_steps_nothing_later_is_told():
    session = session_of("menace", "menace", 0)
    assert [told(box) for box in boxes_of_game(session)] == [("next", "X", ".........", None)]
    session.play_game()
    session.mode = Mode.STEP
    session.timeline.seek(0)
    session.timeline.step_phase()
    assert [box.event for box in boxes_of_game(session)] == ["next"]
    while len(boxes_of_game(session)) < 9:
        assert not any(box.event == "result" for box in boxes_of_game(session))
        session.timeline.step_phase()


def test_against_a_person_the_other_side_s_box_is_shown_and_of_a_table_its_entry_s():
    session = session_of("human", "menace", 0)
    assert told(boxes_shown(session)[0])[:2] == ("look", "O")
    session.move(4)
    (box,) = boxes_of_game(session)
    assert told(box)[:3] == ("draw", "O", "....X....")
    table = EntryTable(session_of("menace", "menace", 0))
    table.filter_by("XO.......@5")
    assert table.matchbox() == Open("matchbox", text="XO.......")
    assert told(named_box(table.session, "xo.......")) == ("look", "X", "XO.......", None)


def graded(name: str) -> BothGames:
    found = grade(parse_player(name), parse_player("td"), games=60, seeds=1, is_brief=True)
    return BothGames(summary_of(found))


def shown(games: BothGames, which: int) -> tuple[Equation, Cells]:
    return games._game(which).parts


def test_it_begins_on_the_first_difference_and_a_phase_back_both_know_only_the_target():
    lockstep = graded("museum:draw-as-loss")
    (one, _), (other, _) = shown(lockstep, 0), shown(lockstep, 1)
    assert lockstep.phase == WRITE
    assert [term.number.strip() for term in one.terms][:3] == [".500000", "←", ".500000"]
    assert [term.number.strip() for term in other.terms][:3] == [".450000", "←", ".500000"]
    assert other.title == (("museum:draw-as-loss", "title"), ("  ≠ another target", "key"))
    at = lockstep.at
    lockstep.step(-1)
    assert (lockstep.at, lockstep.phase) == (at, TARGET)
    for which in (0, 1):
        assert shown(lockstep, which)[0].terms[0].number.startswith("?")
        assert lockstep.timelines[which].phase == TARGET


@pytest.mark.parametrize("other", ["td", "td:alpha=0.5", "q", "random", "mc"])
def test_every_phase_of_every_event_is_shown_whoever_plays(other: str):
    run, spec = Run(parse_player("td"), parse_player("td"), 5), parse_player(other)
    run.train(60)
    result = replay_game(run, 40, x=spec)
    lockstep = BothGames(WhatIfSummary(run, result, "X", spec))
    lockstep.go_to(0, first_phase=True)
    seen = {lockstep.at}
    for _ in range(200):
        for which in (0, 1):
            shown(lockstep, which)
        before = lockstep.at, lockstep.phase
        lockstep.step(1)
        if (lockstep.at, lockstep.phase) == before:
            break
        seen.add(lockstep.at)
    assert seen == set(range(len(lockstep.pairs)))
    assert all(map(pair_line, lockstep.pairs))
    assert bool(lockstep.differences) == (other != "td")
    for which, recording in enumerate((result.original, result.other)):
        events = [(pair.one, pair.other)[which] for pair in lockstep.pairs]
        there = [event for event in events if event is not None]
        assert sorted(map(repr, there)) == sorted(map(repr, recording.events()))
    assert any(isinstance(pair.one, Backup) for pair in lockstep.pairs)
