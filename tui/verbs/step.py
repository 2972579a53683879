"""Commands that go along the tape."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.blocks.block import following
from afterstate_lab.tui.lab.commands import PLAIN, PLAY, STEP, TRAIN, WATCH, Back, command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import AGREED, Open, Outcome, command_key, question, search

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.session import Session


@command(
    "right",
    "phase",
    STEP,
    words="next, n, next phase",
    wrong="{text} is not a step: phase, event, change, game or mark.",
    back=Back("phase_back", "left", "Go to the previous phase.", "back, b, back phase"),
)
def phase(lab: LabController, by: int = 1) -> Outcome:
    """Go to the next phase of the update.

    next: the next phase, as does an empty line.  back: the previous one.
    next event, back event: an event.  next game, back game: a game.
    next change, back change: the next or the last backup that changes a value.
    """
    session = lab.session
    if by < 0:
        return moved_back(session, session.timeline.step_phase_back())
    return None if session.timeline.step_phase() else play_on(session, to="phase")


@command(
    "right_square_bracket full_stop",
    "event",
    STEP | WATCH,
    words="next event",
    within=STEP,
    back=Back("event_back", "left_square_bracket comma", "Go to the previous event.", "back event"),
)
def event(lab: LabController, by: int = 1) -> Outcome:
    """Go to the next event."""
    session = lab.session
    if by < 0:
        return moved_back(session, session.timeline.step_back())
    if session.mode is Mode.WATCH:
        return watch_until(session, lambda session: True)
    return None if session.timeline.step() else play_on(session)


@command(
    "space",
    "change",
    STEP,
    words="next change",
    back=Back(
        "change_back", "backspace", "Go to the last backup that changed a value.", "back change"
    ),
)
def next_change(lab: LabController, by: int = 1) -> Outcome:
    """Go to the next backup that changes a value. Past the end, the players keep playing."""
    session, forwards = lab.session, by > 0
    timeline, run = session.timeline, session.run
    near = session.near_change(forwards=forwards)
    if near is not None:
        timeline.seek(near + 1)
        return None
    if forwards and timeline.recording.last >= run.games:
        return play_on(session, to="change")

    def found(place: TapePosition | None) -> Outcome:
        if place is not None:
            timeline.go_to_place(place)
            return None
        if forwards:
            session.go_to_end()
            return play_on(session, to="change")
        raise UsageError("No backup before this one changes a value.")

    look = session.to_condition("change", forwards=forwards)
    return search(run, "to a backup that changes a value", look, found)


@command(
    "right_curly_bracket right_parenthesis",
    "game",
    STEP | WATCH,
    words="next game",
    within=STEP,
    back=Back(
        "game_back", "left_curly_bracket left_parenthesis", "Go to the previous game.", "back game"
    ),
)
def game(lab: LabController, by: int = 1) -> Outcome:
    """Go to the next game. At the end of the run, play or watch another."""
    session = lab.session
    if by < 0:
        return moved_back(session, session.timeline.previous_game())
    is_there = session.timeline.next_game()
    if not is_there and session.mode is Mode.WATCH:
        session.timeline.seek(session.timeline.recording.size)
        return watch_until(session, lambda session: True)
    session.is_running = False
    return None if is_there else play_on(session)


@command(
    "end",
    modes=STEP | WATCH,
    words="go last, go end",
    within=STEP,
    back=Back("home", "home", "Go to the first event of the run.", "go first, go start"),
)
def end(lab: LabController, by: int = 1) -> Outcome:
    """Go to the last event of the run."""
    session = lab.session
    if session.run.games:
        session.timeline.go_to(session.run.games - 1 if by > 0 else 0, at_end=by > 0)
    return None


@command("g", "go", STEP | WATCH, words="go, g", within=STEP)
def go_to(lab: LabController) -> Outcome:
    """Go to any game, or to game.ply.event.phase.

    go 123: to game 123.  go 123.4: to its fourth move.
    go 123.4.2: to the second event of that move.  go 123.4.1.2: its second phase.
    go first, go last: to the ends of the run.  go ADDRESS: to another run.
    """
    session = lab.session
    session.is_running = False
    if not (session.run.games or session.timeline.recording.size):
        raise UsageError(f"No game yet: {command_key('step')} plays one.")
    games = max(1, session.run.games)
    return lab.or_address(
        question(
            "go to",
            f"a game from 1 to {games:,}, or game.ply.event.phase",
            session.go_to_place,
            usage=f"Go where? go 123 goes to a game, 1 to {games:,}; go 123.4 to its fourth move.",
        )
    )


@command(
    "down tab",
    "pick",
    STEP,
    words="select",
    back=Back("select_back", "up shift+tab", "Choose the previous number (Sh-Tab).", "select back"),
)
def select(lab: LabController, text: str = "", by: int = 1) -> Outcome:
    """Choose the next number of the update (Tab).

    select: the next number.  select back: the previous one.  select off: none.
    writer and why then ask about the selected value, here and elsewhere.
    """
    if text == "off":
        lab.session.selection = None
        return "Nothing is selected."
    if text:
        raise UsageError(f"{shown(text)} cannot be selected: select, select back or select off.")
    session = lab.session
    picture = session.picture
    if picture is None or not picture.quantities:
        session.selection = None
        raise UsageError("There is no number to select here.")
    session.selection = following(picture.selected, picture.quantities, by)
    return None


@command("enter", "card", STEP | WATCH | TRAIN, words="card", within=STEP)
def card(lab: LabController) -> Outcome:
    """Open the card of this value: its numbers, history and what begins there.

    card: what is expected of this board, or the selected value.
    open 2: do the second action on the card.
    """
    if (asked := lab.question) is not None:
        return asked
    entry = lab.session.entry
    if entry is None or lab.session.run.layout.table_of(entry).place_of(entry) is None:
        way = ("select", "chooses") if lab.mode is Mode.STEP else ("step", "goes to")
        raise UsageError(f"Only a value has a card: {command_key(way[0])} {way[1]} one.")
    return Open("value", entry)


@command("y", "predict", STEP, words="predict")
def predict(lab: LabController, text: str = "") -> Outcome:
    """Predict each backup before you see it, or stop doing so.

    At a target, predict .42: the value to be written.
    predict +, predict -, predict =: more, less, or the same. It is scored.
    """
    asked, predictions = lab.session.prediction, lab.session.predictions
    if text:
        if asked is None:
            raise UsageError("Step to a target first: there you can predict the next backup.")
        outcome: Outcome = asked.do(text)
        return outcome
    predictions.wanted = not predictions.wanted
    if not predictions.wanted:
        return "No more predictions."
    onwards = f"You now predict every backup; {command_key('phase')} goes to the next."
    return lab.question or onwards


@command("f", "fork", STEP, words="fork")
def fork(lab: LabController) -> Outcome:
    """Play this move differently, in a new branch.

    fork 5: mark cell 5 instead. What you do there leaves the old branch as it is.
    line: to the branch that was forked, and back.
    """
    session = lab.session

    def answer(text: str) -> Outcome:
        if text.strip() not in list("123456789"):
            raise UsageError(f"{shown(text)} is not a cell. Try 1 to 9.")
        try:
            session.fork(int(text) - 1)
        except IllegalMoveError as error:
            raise UsageError(str(error)) from None
        back = command_key("other_line")
        return f"You are in a new branch; {back} returns to the old branch."

    move = session.move_looked_at
    instead = "" if move is None else f" of {move.player}→{move.cell + 1}"
    return question(
        "fork",
        f"the cell to mark instead{instead}, 1 to 9",
        answer,
        usage="Fork needs a cell from 1 to 9, to be marked instead.",
    )


@command("F", modes=STEP | PLAY, words="line", within=PLAIN)
def other_line(lab: LabController) -> Outcome:
    """Go to the branch that was forked, and back."""
    session = lab.session
    if not session.branches:
        fork = command_key("fork")
        raise UsageError(f"There is no other line; {fork} makes one, while stepping.")
    session.branches.insert(0, session.branch())
    vars(session).update(session.branches.pop())
    return None


# along the tape


def played_sentence(game: int) -> str:
    """Return the message about a game played; its number counts from 1."""
    return f"The history ended here, so game {game:,} was played."


def once_left(session: Session, word: str, do: Callable[[], Outcome]) -> Outcome:
    """Do what leaves your unfinished game, after you agree; `undo` brings the game back."""
    if not session.owes_a_move:
        return do()

    def answer(text: str) -> Outcome:
        if text.lower() not in AGREED:
            return "Your game continues."
        session.left_game = session.run, session.run.games, session.human, session.script
        return do()

    return question(word, "your game is not over: yes leaves it", answer, "yes")


def watch_until(session: Session, is_enough: Callable[[Session], bool]) -> Outcome:
    """Watch at least one event; ask first if your game waits for a move."""

    def watch() -> Outcome:
        session.is_running = False
        if session.is_at_end and session.run.games:
            session.note = played_sentence(session.run.games + 1)
        if session.mode is not Mode.STEP or session.is_at_end:
            session.leave_seat()
        if session.mode is not Mode.STEP:
            session.mode = Mode.WATCH
        session.go_on()
        while not is_enough(session):
            session.go_on()
        return None

    return once_left(session, "watch", watch) if session.is_at_end else watch()


def moved_back(session: Session, has_moved: bool) -> Outcome:
    """Pause, and report when you are at the start of the run."""
    session.is_running = False
    if not has_moved:
        raise UsageError("This is the start of the run.")
    return None


NOBODY_LEARNS: Final = "Neither player learns: their games changed no value."


def play_on(session: Session, *, to: str = "event") -> Outcome:
    """At the end of the history, play the next game, and go to its first event, phase or change."""
    if session.owes_a_move:
        raise UsageError(f"The next move is yours: {command_key('play')} goes back there.")
    session.leave_seat()
    if to == "change":
        if not session.play_until_change(at_last=False):
            return NOBODY_LEARNS
    else:
        session.play_game()
        session.timeline.step() if to == "event" else session.timeline.step_phase()
    return played_sentence(session.timeline.game + 1)


def first_change(session: Session) -> Outcome:
    """Play until a backup changes a value, and go to the last such backup of its game."""
    session.leave_seat()
    if not session.play_until_change():
        return NOBODY_LEARNS
    key, does = command_key("phase_back"), "takes it back"
    if not session.details:
        session.timeline.step_phase_back()
        key, does = command_key("phase"), "writes it"
    played = f"Game {session.timeline.game + 1:,} was just played"
    return f"{played}. Its last backup changes one value; {key} {does}."
