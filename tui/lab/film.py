"""The commands of the film, and its panes: scrubber, milestones, sentences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask import marks as m
from afterstate_lab.learners.ask.marks import Film
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.blocks.lists import Log
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.text import Track
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Message, Outcome, question, search
from afterstate_lab.tui.theme.numerals import decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.marks import Mark, Marks
    from afterstate_lab.tui.lab.session import Session

SECONDS: Final = "20"
LONGEST: Final = 3600.0
FIRST: Final = "●", "", "Game {game} is the first that {kind}."
TOLD: Final = {
    "draw": ("●", "draw", "Game {game} is the first draw."),
    m.ERROR: ("◆", "largest |δ|", "Game {game} has the largest |δ|: {value}."),
    m.BOTH: ("★", "neither can be beaten",
             "After game {game} neither can be beaten: proved, for the first time."),
    m.OPENING: ("▲", "first other opening:",
                "After game {game} X prefers another opening for the first time."),
    m.SETTLED: ("▲", "last other opening:",
                "After game {game} X keeps opening with {value}: {which}."),
    **{kind: ("★", kind, f"After game {{game}} {side.mark} cannot be beaten, for the first time.")
       for side, kind in m.HOLDS.items()},
}  # fmt: skip
"""Each kind of milestone: sign, short text and sentence; a first verdict may change later."""


def film_of(session: Session) -> Film | None:
    film = session.film
    return film if film is not None and film.run is session.run else None


def played_film(session: Session) -> Film | None:
    film = film_of(session)
    return film if film is not None and film.is_playing else None


def with_marks(session: Session, then: Callable[[Film], Outcome]) -> Outcome:
    """Find the milestones of the run's latest games, then continue."""
    if session.is_training:
        raise UsageError("Still training. Press Esc to stop, then play the film.")
    run, film = session.run, film_of(session)
    if run.games < 2:
        raise UsageError("A film needs games: train first.")
    known = film.marks if film is not None and film.marks.games <= run.games else None

    def found(marks: Marks | None) -> Outcome:
        if marks is None:
            raise UsageError("Given up.")
        session.film = Film(run, marks)
        return then(session.film)

    if film is not None and film.marks.games == run.games:
        return then(film)
    return search(run, "what happened when", partial(m.find_marks, run, known), found)


def film(session: Session) -> Outcome:
    """Ask for the film's length in seconds, and play it."""

    def play(text: str) -> Outcome:
        found = film_of(session)
        try:
            seconds = float(text)
        except ValueError:
            raise UsageError(f"{shown(text)} is not a number of seconds. Try 20.") from None
        if found is None or not 1.0 <= seconds <= LONGEST:
            raise UsageError("from 1 second to an hour (3600)")
        show(session)
        found.play(seconds)
        return None

    def ask(film: Film) -> Outcome:
        prompt = f"seconds for all {film.run.games:,} games"
        return question("film", prompt, play, SECONDS)

    return with_marks(session, ask)


def show(session: Session) -> None:
    """Pause, and switch to Watch unless stepping."""
    if session.mode is not Mode.STEP:
        if not session.owes_a_move:
            session.leave_seat()
        session.mode = Mode.WATCH
    session.is_running = False


def marks(session: Session) -> Outcome:
    """List the milestones of the run, in their order."""
    return with_marks(
        session, lambda film: " ".join(mark_sentence(film, one) for one in film.marks.in_order)
    )


def to_mark(session: Session, *, forwards: bool) -> Outcome:
    """Go to the nearest milestone after or before the current moment."""

    def go(film: Film) -> Outcome:
        here, found = session.timeline.place, film.marks.in_order
        if forwards:
            beyond = next((one for one in found if one.place > here), None)
        else:
            beyond = next((one for one in reversed(found) if one.place < here), None)
        if beyond is None:
            said = "after" if forwards else "before"
            raise UsageError(f"There is no milestone {said} this moment.")
        return at_mark(session, film, beyond)

    return with_marks(session, go)


def at_mark(session: Session, film: Film, mark: Mark) -> Message:
    film.is_playing = False
    show(session)
    session.timeline.go_to_place(mark.place)
    return Message(mark_sentence(film, mark))


def go_to_part(session: Session, part: float) -> None:
    """Go to the end of the game at this part of the film, 0 to 1."""
    if (film := film_of(session)) is not None:
        film.is_playing = False
        show(session)
        session.timeline.go_to(film.game_of(part), at_end=True)


def tick(session: Session, now: float) -> None:
    """Show the picture of this time."""
    if (film := played_film(session)) is not None:
        session.timeline.go_to(film.game_at(now), at_end=True)


def mark_sentence(film: Film, mark: Mark) -> str:
    turns = film.marks.turns
    which = "the only turn" if turns == 1 else f"the last of {turns:,} turns"
    *_, says = TOLD.get(mark.kind, FIRST)
    return says.format(
        game=f"{mark.game + 1:,}", kind=mark.kind, value=value_text(mark), which=which
    )


def mark_told(mark: Mark) -> tuple[str, str]:
    """Return the sign of a milestone, and it in a few words."""
    sign, words, _ = TOLD.get(mark.kind, FIRST)
    return sign, f"{words or mark.kind} {value_text(mark)}".rstrip()


def value_text(mark: Mark) -> str:
    """Return the error or the cells of a milestone, if any."""
    if mark.kind == m.ERROR:
        return decimals(mark.value)
    return " ".join(str(cell + 1) for cell in mark.value or ())


def film_view(session: Session) -> Track | None:
    """Return the scrubber; None while the film is closed or the run is still running."""
    film = film_of(session)
    if film is None or session.is_training:
        return None
    game, found = session.timeline.game, film.marks.in_order
    here = [one for one in found if one.place == session.timeline.place]
    what = f": {mark_told(here[0])[1]}" if here else f" of {film.run.games:,}"
    return Track(
        at=film.part_of(game),
        marks=tuple((film.part_of(one.game), mark_told(one)[0]) for one in found),
        said=f"game {game + 1:,}{what}",
        longest=f"game {film.run.games:,} of {film.run.games:,}",
    )


def film_log(session: Session, film: Film) -> Log:
    """Return the milestones; the last one passed is lit."""
    found = film.marks.in_order
    passed = [number for number, one in enumerate(found) if one.place.game <= session.timeline.game]
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
