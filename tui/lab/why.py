"""Why a value is what it is: its shares of results and of the first guess, or its beads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask.why import (
    WEIGHTLESS,
    BackupLink,
    NotLinearError,
    Shares,
    shares_of,
)
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.theme.numerals import decimals, percents, signed
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.beads import BeadSum
    from afterstate_lab.learners.tape.run import Progress, Run, Stop

OLDER: Final = "older games"
BAR: Final = 40
"""Columns of the longest bar."""
WEIGHTY: Final = 3
"""Games that are named, the weightiest first."""


@dataclass(frozen=True)
class Why:
    """The backups that made a value, newest first, and its shares."""

    links: tuple[BackupLink, ...]
    shares: Shares | None = None
    instead: str = ""
    """What is so instead, where it is no sum with fixed weights."""
    beads: BeadSum | None = None
    """What each result added or took, where it is a number of beads."""


def why(run: Run, links: tuple[BackupLink, ...], *, progress: Progress, stop: Stop) -> Why:
    """The shares of the value that the newest of these backups wrote."""
    newest = links[0]
    entry, value = newest.backup.entry, newest.backup.new
    try:
        return Why(links, shares_of(run, entry, newest.place, value, progress=progress, stop=stop))
    except NotLinearError as error:
        return Why(links, None, str(error))


def parts(found: Why) -> tuple[tuple[str, str, float], ...]:
    """The parts of a value: what they are, their role, and their weight."""
    shares = found.shares
    if shares is None:
        return ()
    player = found.links[0].backup.player
    other = "O" if player == "X" else "X"
    told = (
        ("wins", "better", shares.results[player]),
        ("draws", "text", shares.results["draw"]),
        ("losses", "worse", shares.results[other]),
        ("first guess", "dim", shares.first),
        (OLDER, "dim", shares.earlier),
        ("discounted", "dim", shares.discounted),
    )
    untold = {"discounted": not shares.discounted}
    untold |= {"first guess": has_older(shares), OLDER: not has_older(shares)}
    return tuple(part for part in told if not untold.get(part[0]))


def percents_of(told: Sequence[tuple[str, str, float]]) -> list[float]:
    """The weights in per cent, to a tenth: their sum is that of the value."""
    return percents([weight for *_, weight in told], 1)


def since_words(shares: Shares) -> str:
    """The first game that was looked at."""
    return f"game {shares.since + 1:,}"


def has_older(shares: Shares) -> bool:
    """Whether games that were not looked at weigh anything."""
    return shares.since > 0 and shares.earlier > WEIGHTLESS


def share_lines(found: Why) -> tuple[Words, ...]:
    """A bar for each part, and the games that weigh most; or what is so instead."""
    if found.beads is not None:
        return bead_lines(found.beads, found.links[0].backup.player)
    if found.shares is None:
        return (((found.instead, "text"),),)
    told = parts(found)
    lines: list[Words] = [
        (
            (f"{name:<12}", "text"),
            (f"{percent:>5.1f}% ", "strong"),
            (("▇" if role != "dim" else "░") * round(BAR * weight), role),
            (f" before {since_words(found.shares)}" if name == OLDER else "", "dim"),
        )
        for (name, role, weight), percent in zip(told, percents_of(told), strict=True)
    ]
    return (*lines, weighty(found))


def weighty(found: Why) -> tuple[tuple[str, str], ...]:
    """The games whose results weigh most."""
    assert found.shares is not None
    games = sorted(found.shares.games.items(), key=lambda item: -item[1])[:WEIGHTY]
    words: list[tuple[str, str]] = []
    for game, weight in games:
        words += [(f"game {game + 1:,}", "key"), (f" {weight:.1%}  ", "text")]
    return (("most: ", "dim"), *words) if words else (("no result is in it yet", "dim"),)


def share_sentences(found: Why) -> list[str]:
    """The same in sentences."""
    if found.beads is not None:
        return bead_sentences(found.beads, found.links[0].backup.player)
    if found.shares is None:
        return [sentence(found.instead)]
    told = [
        f"{percent:.1f}% {name}" + (f" before {since_words(found.shares)}" if name == OLDER else "")
        for (name, *_), percent in zip(parts(found), percents_of(parts(found)), strict=True)
    ]
    value = decimals(found.shares.value, 4)
    games = "".join(text for text, _ in weighty(found)).strip()
    return [f"{value} is made of {', '.join(told)}.", sentence(games)]


def bead_parts(found: BeadSum, player: str) -> list[tuple[str, str, float]]:
    """The terms of the sum: what it is, its role, the beads."""
    other = "O" if player == "X" else "X"
    refill = found.refill
    began = "a new box" if refill is None else f"the refill in game {refill.game + 1:,}"
    told = [(began, "dim", found.start)]
    for word, role, result in (
        ("won", "better", player),
        ("drawn", "text", "draw"),
        ("lost", "worse", other),
    ):
        many = found.games[result]
        if many:
            games = f"{many:,} game{'s' * (many != 1)}"
            told.append((f"{games} {word}", role, found.moved[result]))
    return told


def bead_lines(found: BeadSum, player: str) -> tuple[Words, ...]:
    """A bar for each term, and how often the box was filled anew."""
    told = bead_parts(found, player)
    most = max(1.0, *(abs(beads) for _, _, beads in told))
    lines: list[Words] = [
        (
            (f"{name:<24}", "text"),
            (f"{signed(beads, 0) if at else f'{beads:,.0f}':>9} ", "strong"),
            ("▇" * round(BAR * abs(beads) / most), role),
        )
        for at, (name, role, beads) in enumerate(told)
    ]
    return (*lines, ((bead_note(found), "dim"), ("", "dim")))


def bead_note(found: BeadSum) -> str:
    """What is to be said of what is no longer in the sum."""
    if not found.refills:
        return "beads are a sum, no mean: what came first counts like what came last"
    times = "once" if found.refills == 1 else f"{found.refills:,} times"
    return f"filled anew {times}: what was in the box before is gone"


def bead_sentences(found: BeadSum, player: str) -> list[str]:
    """The same in sentences."""
    told = [
        f"{signed(beads, 0) if at else f'{beads:,.0f}'} from {name}"
        for at, (name, _, beads) in enumerate(bead_parts(found, player))
    ]
    beads = f"{found.beads:,.0f} bead{'s' * (found.beads != 1)}"
    return [f"{beads}: {', '.join(told)}.", sentence(bead_note(found))]
