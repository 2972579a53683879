"""Commands that ask something of the whole run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.commands import STEP, TRAIN, WATCH, Back, command
from afterstate_lab.tui.lab.controller import LabController, reading
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import NO_VALUE, Open, Outcome, command_key, question, search
from afterstate_lab.tui.theme.numerals import bare

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.marks import Film
    from afterstate_lab.learners.ask.why import Why
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.session import Session

EXAMPLES = (
    "error > .3, change, wrote X ....X...., flip, exploratory, first visit, X loses, game 9;"
    " and, or"
)


@command(
    "c",
    "break",
    STEP,
    words="continue, c",
    back=Back("back_to_break", "C", "Run back to the breakpoint.", "reverse, C"),
)
def to_break(lab: LabController, text: str = "", by: int = 1) -> Outcome:
    """Run on to the breakpoint."""
    session = lab.session
    said = set_break(session, text) if text else breaks(lab)
    condition = session.breakpoint
    if not condition:
        return said

    def found(place: TapePosition | None) -> Outcome:
        if place is None:
            raise UsageError(f"Nowhere {'after' if by > 0 else 'before'} this moment: {condition}.")
        session.timeline.go_to_place(place)
        return f"Stopped: {condition}."

    look = session.to_condition(condition, forwards=by > 0)
    return search(session.run, f"to {condition}", look, found)


@command("b", modes=STEP, words="break")
def breaks(lab: LabController) -> Outcome:
    """Set a breakpoint: the condition at which c and C stop.

    break error > .4: a TD error above .4.  break flip: a greedy move changes.
    break wrote X ....X....: that value of X is written.
    break change: a backup changes a value.  break draw, break game 9.
    break exploratory, break first visit, break X loses.
    Join them with and, or. break: show it.  break off: drop it.
    """
    session = lab.session
    now = session.breakpoint
    usage = "There is no breakpoint: break error > .4 sets one; help break tells more."
    return question(
        "break at",
        EXAMPLES,
        lambda text: set_break(session, text),
        now,
        usage=break_sentence(now) if now else usage,
    )


def break_sentence(condition: str) -> str:
    """Describe the breakpoint."""
    onwards, back = command_key("to_break"), command_key("back_to_break")
    return f"Break at {condition}: {onwards} runs on to it, {back} back."


def set_break(session: Session, text: str) -> Outcome:
    """Set the breakpoint; an empty text or `off` removes it."""
    if text.strip() in ("", "off"):
        session.breakpoint = ""
        return "No breakpoint is set."
    session.set_break(text)
    return break_sentence(text)


@command("B", "last", STEP, words="writer")
def last_writer(lab: LabController) -> Outcome:
    """Go to the last backup of this value."""
    session = lab.session
    entry = session.entry
    if entry is None:
        raise UsageError(NO_VALUE)

    def found(writer: TapePosition | None) -> Outcome:
        if writer is None:
            raise UsageError("No earlier backup: this value is the first guess.")
        lab.step_to(writer, entry)
        return f"Last updated in game {writer.game + 1:,}."

    return search(session.run, "the last backup", session.to_last_write(entry), found)


@command(
    "r",
    "why",
    STEP,
    words="why, y",
    wrong="{text} is not asked for here: why lists backups, then 2 and open explain the second.",
)
def provenance(lab: LabController) -> Outcome:
    """Show the backups that made this value, newest first.

    why: what this value is made of, and its backups, a line each.
    2, then open: the value that the second backup read.
    """
    session = lab.session
    entry = session.entry
    if entry is None:
        raise UsageError(NO_VALUE)

    def found(made: Why | None) -> Outcome:
        if made is None:
            raise UsageError("No backup has changed this value yet: it is the first guess.")
        return Open("value", made)

    return search(session.run, "where this value comes from", session.why(entry), found)


@command("W", "what if", STEP, words="whatif")
def what_if(lab: LabController) -> Outcome:
    """Play this game again, with the same random numbers and another player.

    whatif q, whatif td:alpha=.5: another player instead of the one of this update.
    The log shows the events of both games.
    """
    session = lab.session
    picture = session.picture
    if picture is None or session.timeline.game >= session.run.games:
        raise UsageError("What if needs a finished game.")
    player, was = picture.update.player, str(picture.update.table.spec)
    return question(
        "what if",
        f"another player for {player} (now {was})",
        lambda text: reading([text], lambda: lab.replay_as(player, parse_player(text))),
        "td:exploration=learn" if was.startswith("td") else "td",
        usage="whatif q or whatif td:alpha=.5 plays this game again with another learner.",
    )


@command("m", "film", WATCH | TRAIN, same="film")
def film(lab: LabController) -> Outcome:
    """Play the whole run in 20 seconds; any key stops it."""
    session = lab.session

    def play(film: Film) -> None:
        session.look_back()
        film.play()

    return session.with_marks(play)


@command(words="film")
def marks(lab: LabController) -> Outcome:
    """Show what happened first in this run, and in which game.

    film: first wins, unbeatable players, the largest error. go 123 goes there.
    A verdict can change back: the first time may not be the last.
    """
    session = lab.session
    return session.with_marks(
        lambda film: " ".join(session.mark_told(mark)[-1] for mark in film.marks.in_order)
    )


@command(
    "apostrophe",
    modes=WATCH | TRAIN | STEP,
    words="next mark",
    within=STEP,
    back=Back("mark_back", "semicolon", "Go to the previous milestone.", "back mark"),
)
def next_mark(lab: LabController, by: int = 1) -> Outcome:
    """Go to the next milestone of the film."""
    session = lab.session

    def go(film: Film) -> Outcome:
        here, found = session.timeline.place, film.marks.in_order[::by]
        beyond = [one for one in found if (one.place > here if by > 0 else one.place < here)]
        if not beyond:
            said = "after" if by > 0 else "before"
            raise UsageError(f"There is no milestone {said} this moment.")
        session.look_back()
        session.timeline.go_to_place(beyond[0].place)
        return session.mark_told(beyond[0])[-1]

    return session.with_marks(go)


@command("J", words="beat")
def refutation(lab: LabController, text: str = "") -> Outcome:
    """Step through the game that beats a player, if any does.

    beat X, beat O: the game that beats this one.  line: back to the run.
    """
    lab.pause()
    session, mark = lab.session, text.upper()
    if mark and mark not in Side.__members__:
        raise UsageError(f"{shown(text)} is not a player: beat, beat X or beat O.")
    is_playing = session.mode is Mode.PLAY and not mark
    sides = [Side.parse(session.human).other] if is_playing else [Side[mark]] if mark else [*Side]
    for side in sides:
        found = session.refutation(side)
        if found is not None:
            break
    else:
        who = " or ".join(side.mark for side in sides)
        raise UsageError(f"No opponent beats {who}: that is computed, not tried out.")
    script, (cells, probability) = found
    lab.capture(at_once=True)
    session.show_game(session.coming_game, script)
    if lab.autosave is not None:
        lab.autosave.adopt(session)
    who = f"{side.mark} {session.run.layout.table(side).spec}"
    moves = " ".join(str(cell + 1) for cell in cells)
    how = f"with probability {bare(f'{probability:.3g}')}"
    if probability == 1.0:
        how = "every time"
    back = command_key("other_line")
    return f"{who} loses this game {how}: {moves}. {back} goes back to the run."
