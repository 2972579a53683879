"""Beads as a sum: what a colour began with, and what each result moved, compared with the tape."""

from __future__ import annotations

import numpy as np
import pytest

from afterstate_lab.learners.ask.beads import bead_sum
from afterstate_lab.learners.ask.why import last_write
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, GameOver
from afterstate_lab.learners.tape.recording import TapePosition, position_of
from afterstate_lab.learners.tape.run import Run

GAMES = 150


def trained(spec: str) -> Run:
    run = Run.of(parse_player(spec), parse_player(spec), 5)
    run.train(GAMES)
    return run


def box_of(run: Run, entry: int) -> list[int]:
    """The colours of the box of a colour, as indices into memory."""
    table = run.layout.table_of(entry)
    boards = table.entries.boards
    return (np.flatnonzero(boards == boards[entry - table.base]) + table.base).tolist()


def refilled(run: Run) -> dict[int, list[TapePosition]]:
    """By entry, the refills: a backup of a colour without beads in a box that has none left."""
    found: dict[int, list[TapePosition]] = {}
    recording = run.record(0, GAMES)
    v = recording.before.copy()
    filling: tuple[int, int] | None = None
    for row, event in enumerate(recording.events()):
        if not isinstance(event, Backup):
            filling = None
            continue
        is_empty = not any(v[one] for one in box_of(run, event.entry))
        is_first = not any(
            isinstance(one, Backup) and (one.board, one.player) == (event.board, event.player)
            for one in recording.events(recording.rows_of(event.game).start, row)
        )
        if (is_empty and not is_first) or filling == (event.game, event.board):
            filling = event.game, event.board
            found.setdefault(event.entry, []).append(position_of(recording, row))
        v[event.entry] = event.new
    return found


def test_a_colour_by_hand():
    """4 beads, a win of 3, a loss of 1: 4 + 3 − 1 = 6 after the second game that wrote it."""
    run = trained("menace")
    entry = run.layout.x.base
    writes = [
        e for e in run.record(0, GAMES).events() if isinstance(e, Backup) and e.entry == entry
    ]
    place = last_write(run, entry, TapePosition(writes[1].game + 1, -1))
    found = bead_sum(run, entry, place)
    ends = {e.game: e.result for e in run.record(0, GAMES).events() if isinstance(e, GameOver)}
    moved = {"X": 3, "draw": 1, "O": -1}
    assert found.start == 4
    assert found.beads == 4 + sum(moved[ends[write.game]] for write in writes[:2])
    assert sum(found.games.values()) == 2


@pytest.mark.quick("menace-article")
@pytest.mark.parametrize("spec", ["menace", "menace-article", "menace:beads=1,empty=refill"])
def test_every_colour_is_the_sum_that_is_told(spec):
    run = trained(spec)
    refills = refilled(run)
    for entry in np.flatnonzero(run.layout.x.visits(run.memory)[0] > 3)[:12] + run.layout.x.base:
        place = last_write(run, int(entry), TapePosition(GAMES, -1))
        found = bead_sum(run, int(entry), place)
        assert found.beads == run.memory[entry]
        told = refills.get(int(entry), [])
        assert found.refills == len(told)
        assert found.refill == (told[-1] if told else None)
