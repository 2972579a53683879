"""Addresses: a run and a place in it, in one line of text.

    afterstate:1/X/O/SEED/GAMES[~SCRIPTS][!ENGINE][@GAME[.PLY[.EVENT[.PHASE]]]][+x=SPEC | +o=SPEC]

X and O are player specs in which what has a meaning here is percent-encoded. A player in a file is
`sha256-` and the 64 hex digits of the file's SHA-256, then its ending and options. SCRIPTS are a
person's games (`learners.addresses.scripts`), ENGINE the first 8 hex digits of the engine's hash,
`+x` and `+o` a what-if: who plays game GAME instead. Reading an address opens no file and runs no
code of others (`learners.addresses.opening` plays the run).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import quote, unquote

from learners.addresses import SCHEME
from learners.addresses.scripts import (
    AddressError,
    Changes,
    Scripts,
    read_scripts,
    scripts_text,
)
from learners.engine.dice import LARGEST_SEED
from learners.errors import UsageError, shown
from learners.rules.spec import LONGEST_SPEC, PlayerSpec
from learners.tape.state import Seating

VERSION: Final = "1"
FORM: Final = "afterstate:1/X/O/SEED/GAMES, such as afterstate:1/td/td/7/20000@19999.3"
LONGEST: Final = 100_000
"""Characters."""
LARGEST_GAMES: Final = 10**12
SAFE: Final = ":,="
"""Signs of a spec that are written as they are, beside letters, digits and `-._`."""
NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
PLACE: Final = re.compile(r"[0-9]{1,13}(?:\.[0-9]{1,3}){0,3}", re.ASCII)
ENGINE: Final = re.compile(r"[0-9a-f]{8}", re.ASCII)
TAIL: Final = re.compile(
    r"([^~!@+]*)(?:~([^~!@+]*))?(?:!([^~!@+]*))?(?:@([^~!@+]*))?(?:\+([xo])=([^~!@+]*))?"
)
HASHED: Final = re.compile(r"sha256-([0-9a-f]{64})(\.[a-z]{1,8})(.*)", re.ASCII | re.DOTALL)
"""A player that lives in a file: its SHA-256, its ending, and what follows in the spec."""


@dataclass(frozen=True)
class AddressPlace:
    """A place in a run, all numbers from 1."""

    game: int
    ply: int | None = None
    """The ply after which the event comes; None for the game's first event. Ply 0 without an event
    is the place before the game."""
    event: int | None = None
    """Which of the events of that ply; None for the first, the move."""
    phase: int | None = None
    """The phase of the event that was looked at last; None where the event is complete."""

    @classmethod
    def read(cls, text: str) -> AddressPlace | None:
        """Read a place, `GAME[.PLY[.EVENT[.PHASE]]]`, that no game need have; None for none."""
        if PLACE.fullmatch(text) is None:
            return None
        return cls(*(int(number) for number in text.split(".")))

    @classmethod
    def parse(cls, text: str) -> AddressPlace:
        """Read the place of an address: one that a game can have, written in the one way.

        Raises:
            AddressError: it is none.
        """
        place = cls.read(text)
        if place is None or not place.is_possible or str(place) != text:
            raise AddressError(
                f"{shown(text)} in an address is no place: that is GAME, GAME.PLY or "
                "GAME.PLY.EVENT, such as 19999.3"
            )
        return place

    @property
    def is_possible(self) -> bool:
        """Whether a game can have it."""
        phases = self.phase is None or 1 <= self.phase <= 4
        return self.game > 0 and (self.ply or 0) <= 9 and self.event != 0 and phases

    def __str__(self) -> str:
        numbers = (self.game, self.ply, self.event, self.phase)
        return ".".join(str(number) for number in numbers if number is not None)


@dataclass(frozen=True)
class Address:
    """A run and a place in it."""

    x: str
    """X's spec; a file stands in it by its SHA-256."""
    o: str
    seed: int = 0
    games: int = 0
    """Games that are over."""
    changes: Changes = ((0, Seating()),)
    """(game, seating): who sits where from that game on."""
    scripts: Scripts = field(default_factory=dict)
    """By game, the moves given; that of game `games` is of a game that is not over."""
    engine: str = ""
    """The first 8 hex digits of the engine's hash, where they are given."""
    place: AddressPlace | None = None
    """None is the end of the run."""
    what_if: tuple[str, str] | None = None
    """A side, `x` or `o`, and the spec of who plays the game of the place there instead."""

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read an address.

        Raises:
            AddressError: it cannot be read; the sentence says where.
        """
        text = text.strip()
        if len(text) > LONGEST:
            raise AddressError(f"an address is at most {LONGEST:,} characters long")
        scheme, colon, rest = text.partition(":")
        if scheme + colon != SCHEME:
            raise AddressError(f"{shown(text)} is no address: that is {FORM}")
        version, _, rest = rest.partition("/")
        if version != VERSION:
            if NUMBER.fullmatch(version) and int(version) > int(VERSION):
                raise AddressError(
                    f"the address is of version {version}, and this afterstate reads version "
                    f"{VERSION}: a newer one opens it"
                )
            raise AddressError(f"{shown(version)} in an address is no version: it is {FORM}")
        x, o, seed, tail = (*rest.split("/", 3), "", "", "", "")[:4]
        found = TAIL.fullmatch(tail)
        if rest.count("/") != 3 or found is None:
            raise AddressError(f"{shown(text)} is no whole address: that is {FORM}")
        count, scripts, engine, place, side, spec = found.groups()
        games = whole(count, "number of games", LARGEST_GAMES)
        if engine is not None and not ENGINE.fullmatch(engine):
            raise AddressError(f"{shown(engine)} in an address is no engine: 8 hex digits are")
        if side and place is None:
            raise AddressError("a what-if in an address needs a place: @GAME before +x or +o")
        if scripts == "":
            raise AddressError(f"there are no games after the ~ in the address {shown(text)}")
        changes, moves = read_scripts(scripts or "", games)
        address = cls(
            read_spec(x, "X"),
            read_spec(o, "O"),
            whole(seed, "seed", LARGEST_SEED),
            games,
            changes,
            moves,
            engine or "",
            None if place is None else AddressPlace.parse(place),
            (side, read_spec(spec, side.upper())) if side else None,
        )
        last = games + (changes[-1][1].has_human or games in moves)
        if address.place is not None and address.place.game > max(last, 1):
            raise AddressError(
                f"there is no game {address.place.game:,}: the run of the address has {games:,}"
            )
        return address

    def __str__(self) -> str:
        scripts = scripts_text(self.changes, self.scripts, self.games)
        parts = [
            f"{SCHEME}{VERSION}/{quoted(self.x)}/{quoted(self.o)}/{self.seed}/{self.games}",
            f"~{scripts}" if scripts else "",
            f"!{self.engine}" if self.engine else "",
            "" if self.place is None else f"@{self.place}",
            f"+{self.what_if[0]}={quoted(self.what_if[1])}" if self.what_if else "",
        ]
        return "".join(parts)

    def at(self, place: AddressPlace | None) -> Address:
        """The same run, at another place."""
        return replace(self, place=place, what_if=None)

    @property
    def run(self) -> Address:
        """The same run, without the place: equal for all addresses of one run."""
        return replace(self, place=None, what_if=None, engine="")


def quoted(spec: str) -> str:
    """A spec as it stands in an address."""
    return quote(spec, safe=SAFE).replace("~", "%7E")


def whole(text: str, what: str, most: int) -> int:
    """A whole number of an address.

    Raises:
        AddressError: it is none, or too large.
    """
    if not NUMBER.fullmatch(text) or int(text) > most:
        raise AddressError(
            f"{shown(text)} in an address is no {what}: a whole number is, at most {most}"
        )
    return int(text)


def read_spec(text: str, side: str) -> str:
    """A spec that stands in an address, as it is written; files only by their SHA-256.

    Raises:
        AddressError: there is no such player, or it is named by a path.
    """
    spec = unquote(text, errors="surrogateescape").strip()
    if len(spec) > LONGEST_SPEC or not spec.isprintable():
        raise AddressError(f"{side} of the address, {shown(spec)}, is no player spec")
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
