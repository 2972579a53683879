"""A person's games in an address: who sat where from which game on, and the moves given.

    SCRIPTS = PART *("," PART)
    PART    = GAME SEATS [MOVES]        ; from game GAME on these two sit there
            | GAME "=" 1*(PLY CELL)     ; single moves in game GAME: a fork
    SEATS   = 2("l" | "f" | "h")        ; X, then O: learns, frozen, human

MOVES are the person's moves in each game of that seating, in a fixed number of characters a game: 3
where X is human, 2 for O, 4 for both. The characters are the digits of a number in base 64. It
counts the sequences of different cells in the order of a dictionary: 0 is none, 1 is cell 1 alone.
One game more than the run has is a game that is not over yet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from learners.errors import UsageError, shown
from learners.tape.state import Seat, Seating

DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
LETTERS: Final = {Seat.LEARNS: "l", Seat.FROZEN: "f", Seat.HUMAN: "h"}
SEATS: Final = {letter: seat for seat, letter in LETTERS.items()}
PART: Final = re.compile(
    r"([1-9][0-9]{0,12})(?:([lfh])([lfh])([A-Za-z0-9_-]*)|=((?:[1-9][1-9]){1,9}))", re.ASCII
)
Changes = tuple[tuple[int, Seating], ...]
Scripts = Mapping[int, tuple[int, ...]]
NONE: Final = (-1,) * 10


class AddressError(UsageError):
    """An address, or a line of a lecture, cannot be read or cannot be opened."""


def human_plies(seating: Seating) -> tuple[int, ...]:
    """The plies at which a person moves."""
    return tuple(ply for ply in range(1, 10) if (seating.x if ply % 2 else seating.o) is Seat.HUMAN)


@cache
def sequences(most: int, free: int) -> int:
    """Number of sequences of at most `most` different cells of `free`."""
    return 1 + free * sequences(most - 1, free - 1) if most else 1


def width(plies: int) -> int:
    """Characters of a game in which a person moves at most so many times."""
    characters = 0
    while 64**characters < sequences(plies, 9):
        characters += 1
    return characters


def rank(cells: Sequence[int], most: int) -> int:
    """The place of a sequence of different cells among those of at most `most`."""
    found, free = 0, list(range(9))
    for k, cell in enumerate(cells):
        found += 1 + free.index(cell) * sequences(most - k - 1, 8 - k)
        free.remove(cell)
    return found


def unrank(number: int, most: int) -> list[int]:
    """The sequence at a place: the inverse of `rank`."""
    cells: list[int] = []
    free = list(range(9))
    while number:
        index, number = divmod(number - 1, sequences(most - len(cells) - 1, 8 - len(cells)))
        cells.append(free.pop(index))
    return cells


def moves_code(moves: Sequence[int], plies: Sequence[int]) -> str | None:
    """A person's moves as characters; None where others than the first of these plies are given."""
    cells = [moves[ply] for ply in plies if moves[ply] >= 0]
    if [ply for ply in range(1, 10) if moves[ply] >= 0] != list(plies[: len(cells)]):
        return None
    number, digits = rank(cells, len(plies)), ""
    for _ in range(width(len(plies))):
        number, digit = divmod(number, 64)
        digits = DIGITS[digit] + digits
    return digits


def moves_of_code(code: str, plies: Sequence[int]) -> tuple[int, ...]:
    """Decode `moves_code`.

    Raises:
        ValueError: it stands for no moves.
    """
    number = 0
    for digit in code:
        number = 64 * number + DIGITS.index(digit)
    if number >= sequences(len(plies), 9):
        raise ValueError(code)
    given = dict(zip(plies, unrank(number, len(plies)), strict=False))
    return tuple(given.get(ply, -1) for ply in range(10))


def canonical(changes: Changes) -> Changes:
    """The same seating changes, without those that change nothing."""
    kept: list[tuple[int, Seating]] = []
    for game, seating in changes:
        if not kept or kept[-1][1] != seating:
            kept.append((game, seating))
    return tuple(kept)


def scripts_text(changes: Changes, scripts: Scripts, games: int) -> str:
    """Seatings and scripts as text; empty where two learners play by themselves.

    Args:
        changes: the seating changes, of which none changes nothing.
        scripts: by game, the moves; that of game `games` is of a game that is not over.
        games: games that are over.
    """
    parts: list[tuple[int, int, str]] = []
    coded: set[int] = set()
    ends = [*(game for game, _ in changes[1:]), games + (games in scripts)]
    for (first, seating), end in zip(changes, ends, strict=True):
        plies = human_plies(seating)
        codes = ""
        if plies:
            for game in range(first, end):
                code = moves_code(scripts.get(game, NONE), plies)
                if code is not None:
                    coded.add(game)
                codes += code or DIGITS[0] * width(len(plies))
        if first or seating != Seating():
            parts.append((first, 0, LETTERS[seating.x] + LETTERS[seating.o] + codes))
    for game, moves in scripts.items():
        if game not in coded:
            pairs = "".join(f"{ply}{moves[ply] + 1}" for ply in range(1, 10) if moves[ply] >= 0)
            parts.append((game, 1, f"={pairs}"))
    return ",".join(f"{game + 1}{text}" for game, _, text in sorted(parts))


def read_scripts(text: str, games: int) -> tuple[Changes, dict[int, tuple[int, ...]]]:
    """Read `scripts_text`: seating changes and scripts.

    Raises:
        AddressError: it cannot be read, or is not that of so many games.
    """
    seatings: list[tuple[int, Seating, str]] = [(0, Seating(), "")]
    scripts: dict[int, tuple[int, ...]] = {}
    forks: dict[int, tuple[int, ...]] = {}
    for part in text.split(",") if text else ():
        found = PART.fullmatch(part)
        if found is None:
            raise AddressError(f"{shown(part)} in an address is no part of a person's games")
        game, x, o, codes, pairs = int(found[1]) - 1, *found.groups()[1:]
        if game > games:
            raise AddressError(f"an address of {games:,} games has moves in game {game + 1:,}")
        if pairs:
            if game in forks:
                raise AddressError(f"an address has the moves of game {game + 1:,} twice")
            forks[game] = moves_of_pairs(pairs, game)
            continue
        if seatings[-1][0] >= game > 0 or (game == 0 and len(seatings) > 1):
            raise AddressError(
                f"the seats in an address are not in order of games at game {game + 1:,}"
            )
        if game == 0:
            seatings.clear()
        seatings.append((game, Seating(SEATS[x], SEATS[o]), codes))
    ends = [*(game for game, *_ in seatings[1:]), games]
    for n, ((first, seating, codes), end) in enumerate(zip(seatings, ends, strict=True)):
        scripts |= read_moves(codes, seating, first, end, may_go_on=n == len(seatings) - 1)
    changes = canonical(tuple((game, seating) for game, seating, _ in seatings))
    scripts |= forks
    check_openings(changes, scripts, games)
    return changes, {game: moves for game, moves in sorted(scripts.items()) if moves != NONE}


def moves_of_pairs(pairs: str, game: int) -> tuple[int, ...]:
    """The moves of a fork: ply and cell, ply and cell.

    Raises:
        AddressError: a ply or a cell stands there twice.
    """
    given = {int(ply): int(cell) - 1 for ply, cell in zip(pairs[::2], pairs[1::2], strict=True)}
    if 2 * len(given) != len(pairs) or len(set(given.values())) != len(given):
        raise AddressError(f"an address marks a cell of game {game + 1:,} twice, or at one ply two")
    return tuple(given.get(ply, -1) for ply in range(10))


def read_moves(
    codes: str, seating: Seating, first: int, last: int, *, may_go_on: bool
) -> dict[int, tuple[int, ...]]:
    """The moves of a person in games first .. last - 1, and in the next if that goes on.

    Raises:
        AddressError: they are those of more or fewer games, or none at all.
    """
    plies = human_plies(seating)
    size = width(len(plies)) if plies else 1
    many, rest = divmod(len(codes), size)
    wanted = last - first if plies else 0
    if rest or (many != wanted and not (plies and may_go_on and many == wanted + 1)):
        raise AddressError(
            f"an address has {many:,} games of a person from game {first + 1:,} on, "
            f"and {wanted:,} were played"
        )
    found = {}
    for k in range(many):
        code = codes[k * size : (k + 1) * size]
        try:
            found[first + k] = moves_of_code(code, plies)
        except ValueError:
            raise AddressError(
                f"{shown(code)} in an address stands for no moves of game {first + k + 1:,}"
            ) from None
    return found


def check_openings(changes: Changes, scripts: Scripts, games: int) -> None:
    """Check that a person's first move is there for every game that a person opened.

    Raises:
        AddressError: one is missing.
    """
    for (first, seating), last in zip(
        changes, (*(game for game, _ in changes[1:]), games), strict=True
    ):
        if seating.x is Seat.HUMAN:
            for game in range(first, last):
                if scripts.get(game, NONE)[1] < 0:
                    raise AddressError(f"an address lacks the first move of game {game + 1:,}")
