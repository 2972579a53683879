"""Addresses: a run, and a moment in it, as one line of text.

    afterstate:1/X/O/SEED/GAMES[~SCRIPTS][!ENGINE][@GAME[.PLY[.EVENT[.PHASE]]]][+x=SPEC | +o=SPEC]

X and O are player specs, percent-encoded where necessary. A player in a file is `sha256-` and the
64 hex digits of the file's SHA-256, then its ending and options. ENGINE is the first 8 hex digits
of the engine's hash, `+x` and `+o` a what-if: another player of game GAME. Reading an address opens
no file and runs no code (`learners.runs.replay` plays the run).

SCRIPTS give a person's sides and moves:

    SCRIPTS = PART *("," PART)
    PART    = GAME SEATS [MOVES]     ; from game GAME, these two play
            | GAME "=" 1*(PLY CELL)  ; single moves in game GAME: a fork
    SEATS   = 2("l" | "f" | "h")     ; X, then O: learns, frozen, human

MOVES are the person's moves in each game, in a fixed number of characters per game: 3 if X is
human, 2 for O, 4 for both. The characters are the digits of a number in base 64, which counts the
sequences of different cells in dictionary order: 0 is empty, 1 is cell 1. A game after the last is
unfinished.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Final
from urllib.parse import quote, unquote

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.rules.spec import LONGEST_SPEC, PlayerSpec
from afterstate_lab.learners.runs import SCHEME
from afterstate_lab.learners.tape.run import Changes, Script, Seat, Seating, script_of, spans

FORM: Final = "afterstate:1/X/O/SEED/GAMES, such as afterstate:1/td/td/7/20000@19999.3"
LONGEST: Final = 100_000
"""Maximum number of characters."""
WHOLE: Final = re.compile(
    r"afterstate:1/([^/]*)/([^/]*)/(0|[1-9][0-9]{0,18})/(0|[1-9][0-9]{0,10})"
    r"(?:~([^~!@+]+))?(?:!([0-9a-f]{8}))?"
    r"(?:@([1-9][0-9]{0,12}(?:\.[0-9](?:\.[1-9][0-9]{0,2}(?:\.[1-4])?)?)?)"
    r"(?:\+([xo])=([^~!@+]*))?)?",
    re.ASCII,
)
PLACE: Final = re.compile(r"[0-9]{1,13}(?:\.[0-9]{1,3}){0,3}", re.ASCII)
HASHED: Final = re.compile(r"sha256-([0-9a-f]{64})(\.[a-z]{1,8})(.*)", re.ASCII | re.DOTALL)
"""A player from a file: its SHA-256, its ending, and the rest of the spec."""
SEATS: Final = {seat.value[0]: seat for seat in Seat}
PART: Final = re.compile(
    r"([1-9][0-9]{0,12})(?:([lfh])([lfh])([A-Za-z0-9_-]*)|=((?:[1-9][1-9]){1,9}))", re.ASCII
)
Scripts = Mapping[int, Script]
"""Scripts by game, from 0; an unfinished game comes after the last."""
NONE: Final = (-1,) * 10


class AddressError(UsageError):
    """An address, or a line of a walkthrough, cannot be read or opened."""


@dataclass(frozen=True)
class AddressPlace:
    """A moment in a run, all numbers from 1."""

    game: int
    ply: int | None = None
    """The ply of the event; None for the game's first event. Ply 0 without an event is before the
    game."""
    event: int | None = None
    """The event of that ply; None for the first, the move."""
    phase: int | None = None
    """The latest phase of the event; None if the event is complete."""

    @classmethod
    def read(cls, text: str) -> AddressPlace | None:
        """Read a `GAME[.PLY[.EVENT[.PHASE]]]`; return None for other texts."""
        if PLACE.fullmatch(text) is None:
            return None
        return cls(*(int(number) for number in text.split(".")))

    def __str__(self) -> str:
        numbers = (self.game, self.ply, self.event, self.phase)
        return ".".join(str(number) for number in numbers if number is not None)


@dataclass(frozen=True)
class Address:
    """A run and a moment in it."""

    x: str
    """X's spec; a file appears as its SHA-256."""
    o: str
    seed: int = 0
    games: int = 0
    """Number of finished games."""
    changes: Changes = ((0, Seating()),)
    scripts: Scripts = field(default_factory=dict)
    engine: str = ""
    """The first 8 hex digits of the engine's hash, if given."""
    place: AddressPlace | None = None
    """None is the end of the run."""
    what_if: tuple[str, str] | None = None
    """A side, `x` or `o`, and the spec of the player to use instead."""

    @classmethod
    def parse(cls, text: str) -> Address:
        text = text.strip()
        if len(text) > LONGEST:
            raise AddressError(f"an address is at most {LONGEST:,} characters long")
        if not text.startswith(SCHEME):
            raise AddressError(f"{shown(text)} is not an address: use {FORM}")
        version = text.removeprefix(SCHEME).partition("/")[0]
        if re.fullmatch("[2-9]|[1-9][0-9]{1,8}", version):
            raise AddressError(
                f"the address is of version {version}, and this afterstate reads version 1: "
                "a newer one opens it"
            )
        found = WHOLE.fullmatch(text)
        if found is None:
            raise AddressError(f"{shown(text)} is not a whole address: use {FORM}")
        x, o, seed, count, scripts, engine, place, side, spec = found.groups()
        games = at_most(10**10, count)
        changes, moves = read_scripts(scripts or "", games)
        players = read_spec(x, "X"), read_spec(o, "O"), at_most(LARGEST_SEED, seed)
        moment = None if place is None else AddressPlace.read(place)
        what_if = (side, read_spec(spec, side.upper())) if side else None
        address = cls(*players, games, changes, moves, engine or "", moment, what_if)
        last = games + (changes[-1][1].has_human or games in moves)
        if moment is not None and moment.game > max(last, 1):
            raise AddressError(f"no game {moment.game:,}: the run of the address has {games:,}")
        if what_if is not None and what_if[1] == "human":
            raise AddressError(
                "a what-if in an address needs a learner or an opponent, not a person"
            )
        if what_if is not None and moment is not None and moment.game > games:
            raise AddressError(
                f"game {moment.game:,} is not over, and a what-if needs a whole game"
            )
        return address

    def __str__(self) -> str:
        scripts = scripts_text(self.changes, self.scripts, self.games)
        parts = [
            f"{SCHEME}1/{quoted(self.x)}/{quoted(self.o)}/{self.seed}/{self.games}",
            f"~{scripts}" if scripts else "",
            f"!{self.engine}" if self.engine else "",
            "" if self.place is None else f"@{self.place}",
            f"+{self.what_if[0]}={quoted(self.what_if[1])}" if self.what_if else "",
        ]
        return "".join(parts)

    @property
    def shortest(self) -> Address:
        """The same moment, in the shortest run that has it."""
        games = self.games if self.place is None else min(self.place.game, self.games)
        if games == self.games:
            return self
        changes = tuple(change for change in self.changes if change[0] < games)
        scripts = {game: script for game, script in self.scripts.items() if game < games}
        return replace(self, games=games, changes=changes, scripts=scripts)

    @property
    def run(self) -> Address:
        """The same run, without the moment: equal for all addresses of one run."""
        return replace(self, place=None, what_if=None, engine="")


def quoted(spec: str) -> str:
    return quote(spec, safe=":,=", errors="surrogateescape").replace("~", "%7E")


def at_most(most: int, text: str) -> int:
    """Return a number of an address."""
    if int(text) > most:
        raise AddressError(f"{text} in an address is too large: use at most {most}")
    return int(text)


def read_spec(text: str, side: str) -> str:
    """Return a spec of an address as written; files only by their SHA-256."""
    spec = unquote(text, errors="surrogateescape").strip()
    if len(spec) > LONGEST_SPEC or not spec.isprintable():
        raise AddressError(f"{side} of the address, {shown(spec)}, is not a player spec")
    if HASHED.fullmatch(spec):
        return spec
    name = spec.partition(":")[0]
    if "." in name or "/" in name:
        raise AddressError(
            f"{side} of the address, {shown(spec)}, is a path: an address names a player's file "
            "by its SHA-256, as sha256-….npz"
        )
    try:
        return str(PlayerSpec.parse(spec))
    except UsageError as error:
        raise AddressError(f"{side} of the address: {error}") from None


def human_plies(seating: Seating) -> tuple[int, ...]:
    """Return the plies at which a person moves."""
    return tuple(ply for ply in range(1, 10) if (seating.x if ply % 2 else seating.o) is Seat.HUMAN)


@cache
def sequences(most: int, free: int) -> int:
    """Number of sequences of at most `most` different cells of `free`."""
    return 1 + free * sequences(most - 1, free - 1) if most else 1


@cache
def width(plies: int) -> int:
    """Characters of a game in which a person moves at most so many times."""
    return next(many for many in range(6) if 64**many >= sequences(plies, 9))


def moves_code(moves: Sequence[int], plies: Sequence[int]) -> str | None:
    """A person's moves as characters; None where others than the first of these plies are given.

    Their number is the place of the moves among all sequences of at most so many different cells.
    """
    cells = [moves[ply] for ply in plies if moves[ply] >= 0]
    if [ply for ply in range(1, 10) if moves[ply] >= 0] != list(plies[: len(cells)]):
        return None
    number, free = 0, list(range(9))
    for k, cell in enumerate(cells):
        number += 1 + free.index(cell) * sequences(len(plies) - k - 1, 8 - k)
        free.remove(cell)
    return urlsafe_b64encode(number.to_bytes(6)).decode()[8 - width(len(plies)) :]


def moves_of_code(code: str, plies: Sequence[int]) -> Script:
    """Decode `moves_code`."""
    number = int.from_bytes(urlsafe_b64decode(code.rjust(8, "A")))
    if number >= sequences(len(plies), 9):
        raise ValueError(code)
    cells: dict[int, int] = {}
    free = list(range(9))
    for k, ply in enumerate(plies):
        if number:
            index, number = divmod(number - 1, sequences(len(plies) - k - 1, 8 - k))
            cells[ply] = free.pop(index)
    return script_of(cells)


def canonical(changes: Changes) -> Changes:
    """Return the same seating changes, without those that change nothing."""
    return tuple(next(alike) for _, alike in groupby(changes, key=itemgetter(1)))


def scripts_text(changes: Changes, scripts: Scripts, games: int) -> str:
    """Seatings and scripts as text; empty if two learners play.

    Args:
        changes: the seating changes, of which none changes nothing.
        scripts: by game, the moves; that of game `games` is of a game that is not over.
        games: games that are over.
    """
    parts: list[tuple[int, int, str]] = []
    coded: set[int] = set()
    for first, end, seating in spans(changes, games + (games in scripts)):
        plies = human_plies(seating)
        codes = ""
        for game in range(first, end) if plies else ():
            code = moves_code(scripts.get(game, NONE), plies)
            if code is not None:
                coded.add(game)
            codes += code or "A" * width(len(plies))
        if first or seating != Seating():
            parts.append((first, 0, seating.x.value[0] + seating.o.value[0] + codes))
    for game, moves in scripts.items():
        if game not in coded:
            pairs = "".join(f"{ply}{moves[ply] + 1}" for ply in range(1, 10) if moves[ply] >= 0)
            parts.append((game, 1, f"={pairs}"))
    return ",".join(f"{game + 1}{text}" for game, _, text in sorted(parts))


def read_scripts(text: str, games: int) -> tuple[Changes, Scripts]:
    changes: list[tuple[int, Seating]] = [(0, Seating())]
    coded: dict[int, str] = {}
    forks: dict[int, Script] = {}
    for part in text.split(",") if text else ():
        found = PART.fullmatch(part)
        if found is None:
            raise AddressError(f"{shown(part)} in an address is not a part of a person's games")
        game, x, o, codes, pairs = int(found[1]) - 1, *found.groups()[1:]
        if game > games:
            raise AddressError(f"an address of {games:,} games has moves in game {game + 1:,}")
        if pairs:
            if game in forks:
                raise AddressError(f"an address has the moves of game {game + 1:,} twice")
            given = {int(ply): int(cell) - 1 for ply, cell in zip(*[iter(pairs)] * 2, strict=True)}
            if 2 * len(given) != len(pairs) or len(set(given.values())) != len(given):
                raise AddressError(
                    f"an address plays a cell twice in game {game + 1:,}, or two at one ply"
                )
            forks[game] = script_of(given)
        elif coded and game <= changes[-1][0]:
            raise AddressError(
                f"the sides in an address are not in order of games at game {game + 1:,}"
            )
        else:
            if game == 0:
                changes.clear()
            changes.append((game, Seating(SEATS[x], SEATS[o])))
            coded[game] = codes
    scripts: dict[int, Script] = {}
    for first, end, seating in spans(changes, games):
        is_last = first == changes[-1][0]
        scripts |= read_moves(coded.get(first, ""), seating, first, end, has_open=is_last)
    scripts |= forks
    check_openings(changes, scripts, games)
    moved = {game: moves for game, moves in sorted(scripts.items()) if moves != NONE}
    return canonical(changes), moved


def read_moves(
    codes: str, seating: Seating, first: int, last: int, *, has_open: bool
) -> dict[int, Script]:
    """The moves of a person in games first .. last - 1, and in the one after if it may be open."""
    plies = human_plies(seating)
    size = width(len(plies)) or 1
    many, rest = divmod(len(codes), size)
    wanted = last - first if plies else 0
    if rest or many not in (wanted, wanted + bool(plies and has_open)):
        raise AddressError(
            f"an address has {many:,} games of a person from game {first + 1:,} on, "
            f"and {wanted:,} were played"
        )
    found = {}
    for game, start in enumerate(range(0, len(codes), size), first):
        code = codes[start : start + size]
        try:
            found[game] = moves_of_code(code, plies)
        except ValueError:
            raise AddressError(
                f"{shown(code)} in an address is not a list of moves of game {game + 1:,}"
            ) from None
    return found


def check_openings(changes: Changes, scripts: Scripts, games: int) -> None:
    """Check that a person's first move is there for every game that a person opened.

    Without it, a replay of the game would wait for the move.
    """
    for first, last, seating in spans(changes, games):
        for game in range(first, last) if seating.x is Seat.HUMAN else ():
            if scripts.get(game, NONE)[1] < 0:
                raise AddressError(f"an address lacks the first move of game {game + 1:,}")
