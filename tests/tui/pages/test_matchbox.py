"""The boxes of a game: what was drawn, added and taken, as the tape has it, and nothing else."""

import numpy as np
import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.microscope.reading import Colour
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.pages.matchbox import (
    Box,
    box_sentence,
    boxes_of_game,
    boxes_shown,
    named_box,
)
from afterstate_lab.tui.pages.table import EntryTable


def session_of(x: str, o: str, seed: int = 7) -> Session:
    """A lab that watches two players."""
    return Session(Settings(parse_player(x), parse_player(o), seed))


def play(session: Session) -> list[Box]:
    """Let the two play a game; its boxes."""
    session.play_game()
    session.timeline.seek(session.timeline.recording.size)
    return boxes_of_game(session)


def told(box: Box) -> tuple[str, str, str, int | None]:
    """A box in short."""
    cell = None if box.played is None else box.played + 1
    return box.event, box.side.mark, str(box.board), cell


def changes_of(box: Box) -> list[tuple[Colour, Colour]]:
    pairs = zip(box.before, box.after, strict=True)
    return [(old, new) for old, new in pairs if old.beads != new.beads]


@pytest.mark.quick("menace:beads=1/1/1/1,empty=refill")
@pytest.mark.parametrize(
    "x", ["menace:beads=1/1/1/1,empty=refill", "menace-article", "menace-code"]
)
def test_boxes_are_those_of_memory_and_a_refill_is_told_of_an_empty_box_alone(x: str):
    session = session_of(x, "menace:beads=1/1/1/1,empty=refill", seed=1)
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
                assert all(box.played in new.cells for _, new in changes_of(box))
        latest = {colour.entry: colour.beads for box in boxes for colour in box.after}
        assert all(before[entry] == beads for entry, beads in latest.items())
        assert np.array_equal(session.timeline.v, before)
    assert {"draw", "result"} <= kinds
    assert "refill" in kinds or "refill" not in x


def test_an_empty_box_resigns():
    session = session_of("menace:beads=1/1/1/1", "perfect", seed=1)
    games = (play(session) for _ in range(100))
    boxes = next(boxes for boxes in games if boxes[-1].event == "empty")
    assert boxes[-1].total == 0
    assert box_sentence(boxes[-1]) == "X opens the box and finds no bead: it resigns."


def test_before_a_move_its_box_waits_and_while_one_steps_nothing_later_is_told():
    session = session_of("menace", "menace")
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
    session = session_of("human", "menace")
    assert told(boxes_shown(session)[0])[:2] == ("look", "O")
    session.move(4)
    (box,) = boxes_of_game(session)
    assert told(box)[:3] == ("draw", "O", "....X....")
    table = EntryTable(session_of("menace", "menace"))
    table.filter_by("XO.......@5")
    assert table.matchbox() == Open("matchbox", text="XO.......")
    assert told(named_box(table.session, "xo.......")) == ("look", "X", "XO.......", None)
