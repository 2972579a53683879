"""A place in a run: an event, by its game and its row within the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from learners.tape.recording import Recording


class Place(NamedTuple):
    """An event of a run. Places are ordered as the events are."""

    game: int
    row: int
    """The event's number within its game, from 0; -1 stands before the first."""


def place_of(recording: Recording, row: int) -> Place:
    """The place of a row of a recording."""
    game = int(recording.games[row])
    return Place(game, row - recording.rows_of(game).start)


def row_at(recording: Recording, place: Place) -> int:
    """The row of a place; the row before the game's first where the place is before it.

    Raises:
        IndexError: the recording does not hold that place.
    """
    rows = recording.rows_of(place.game)
    if not -1 <= place.row < len(rows):
        raise IndexError(f"game {place.game} has no event {place.row} here")
    return rows.start + place.row
