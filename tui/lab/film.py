"""The panes of the film: scrubber, milestones, sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask import marks as m
from afterstate_lab.learners.ask.marks import Film
from afterstate_lab.tui.blocks.lists import Log
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.text import Track
from afterstate_lab.tui.theme.numerals import decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.marks import Mark
    from afterstate_lab.learners.tape.timeline import Timeline

FIRST: Final = "●", "", "Game {game} is the first that {kind}."
TOLD: Final = {
    "draw": ("●", "draw", "Game {game} is the first draw."),
    m.ERROR: ("◆", "largest |δ|", "Game {game} has the largest TD error: {value}."),
    **{kind: ("★", kind, f"After game {{game}} {side.mark} cannot be beaten, for the first time.")
       for side, kind in m.HOLDS.items()},
}  # fmt: skip
"""Each kind of milestone: sign, short text and sentence; a first verdict may change later."""


def mark_sentence(mark: Mark) -> str:
    *_, says = TOLD.get(mark.kind, FIRST)
    return says.format(game=f"{mark.game + 1:,}", kind=mark.kind, value=error_text(mark))


def mark_told(mark: Mark) -> tuple[str, str]:
    """Return the sign of a milestone, and it in a few words."""
    sign, words, _ = TOLD.get(mark.kind, FIRST)
    return sign, f"{words or mark.kind} {error_text(mark)}".rstrip()


def error_text(mark: Mark) -> str:
    return "" if mark.error is None else decimals(mark.error)


def film_view(film: Film, timeline: Timeline) -> Track:
    """Return the scrubber."""
    game, found = timeline.game, film.marks.in_order
    here = [one for one in found if one.place == timeline.place]
    what = f": {mark_told(here[0])[1]}" if here else f" of {film.run.games:,}"
    return Track(
        at=film.part_of(game),
        marks=tuple((film.part_of(one.game), mark_told(one)[0]) for one in found),
        said=f"game {game + 1:,}{what}",
        longest=f"game {film.run.games:,} of {film.run.games:,}",
    )


def film_log(film: Film, timeline: Timeline) -> Log:
    """Return the milestones; the last one passed is lit."""
    found = film.marks.in_order
    passed = [number for number, one in enumerate(found) if one.place.game <= timeline.game]
    lines: list[Words] = [
        ((f"{one.game + 1:>9,} ", "dim"), (f"{sign} ", "key"), (words, "text"))
        for one, (sign, words) in zip(found, map(mark_told, found), strict=True)
    ]
    return Log(
        lines=tuple(lines),
        cursor=passed[-1] if passed else None,
        jump=1,
        title="the film",
        right="milestones: the first time",
    )
