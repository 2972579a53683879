"""Commands of a person who plays."""

from __future__ import annotations

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.lab.commands import PLAY, WATCH, Back, command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Help, Mode
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Work, command_key
from afterstate_lab.tui.verbs.step import once_left
from afterstate_lab.tui.verbs.watch import changed


@command("1 2 3 4 5 6 7 8 9", "move", PLAY, shown="1–9", same="5")
def cell(lab: LabController, chosen: int | None = None) -> Outcome:
    """Mark a cell."""
    if chosen is not None:
        return lab.mark(chosen)
    return "Press a digit from 1 to 9 to mark a cell, or click it."


@command("down", "choose", PLAY, back=Back("cursor_up", "up", "Choose the previous free cell."))
def cursor_down(lab: LabController, by: int = 1) -> None:
    """Choose the next free cell."""
    session = lab.session
    cells, at = session.board.legal_cells, session.cursor
    ahead = [cell for cell in cells if at is not None and by * (cell - at) > 0]
    if cells:
        session.cursor = (ahead or cells)[::by][0]


@command("enter", modes=PLAY, same="review")
def mark(lab: LabController) -> Outcome:
    """Mark the chosen cell; after a game, review it."""
    session = lab.session
    if not session.game_goes_on:
        return review(lab)
    if session.cursor is None:
        raise UsageError(f"{command_key('cursor_down')} chooses a cell, and a digit marks one.")
    return lab.mark(session.cursor)


@command("left u", "undo", PLAY, words="undo, u")
def take_back(lab: LabController) -> None:
    """Take back your last move."""
    if not lab.session.take_back():
        raise UsageError("Nothing to undo: you have not moved yet.")


@command("n", "new", PLAY, words="new, n", within=PLAY | WATCH)
def new_game(lab: LabController) -> Outcome:
    """Begin a new game."""
    if lab.session.game_goes_on and not lab.session.script:
        return "You have not moved yet in this game."
    return once_left(lab.session, "new", lab.session.new_game)


@command("x", "swap", PLAY, words="swap, s")
def swap(lab: LabController) -> Outcome:
    """Swap sides, in a new game."""
    return once_left(lab.session, "swap", lab.session.swap_sides)


@command("h", "hints", PLAY, words="hints")
def hints(lab: LabController, text: str = "") -> Outcome:
    """Change the hints: off, hint, the learner's values, exact values.

    hints: the next of them.  hints off, hints exact: that one.
    """
    levels = [help.value for help in Help]
    if text and text not in levels:
        raise UsageError(f"{shown(text)} is not a hint: {', '.join(levels)}.")
    if text:
        lab.session.help = Help(text)
    return changed(lab.session, int(not text))


@command("L", "learn", PLAY, words="learning")
def learning(lab: LabController) -> Outcome:
    """Let the learner learn from your games, or not.

    Each press switches it, starting with the next game.
    """
    session = lab.session
    session.learner_learns = not session.learner_learns
    # With another learner, the moves of a game that goes on might not be legal any more.
    if session.game_goes_on and not session.script:
        session.new_game()
    does = "learns from your games" if session.learner_learns else "is frozen"
    when = ", starting with the next game" if session.script else ""
    return f"The learner {does}{when}."


@command("p", "play", words="play, p")
def play(lab: LabController) -> Outcome:
    """Play against a learner: go back to your game, or begin one."""
    lab.pause()
    session = lab.session
    if not session.waits:
        return new_game(lab)
    if session.mode is Mode.PLAY:
        return None
    session.mode = Mode.PLAY
    session.replay()
    return "Back to your game."


@command(words="review")
def review(lab: LabController) -> Outcome:
    """Review your last game, move by move, and what it taught.

    review: how good each move was, what it learned from you, what it does next.
    """
    session = lab.session
    run, game = session.run, session.timeline.game
    seats = run.seating_of(game) if game < run.games else run.seating
    if session.mode is Mode.PLAY and session.game_goes_on:
        raise UsageError("The game is not over: a review looks back at a whole game.")
    if game >= run.games or not seats.has_human or seats.x is seats.o:
        raise UsageError(f"You can review only your own games: {command_key('play')} starts one.")
    if not session.timeline.summaries[game].last.ply:
        raise UsageError("Nobody moved in this game, so there is nothing to review.")
    return Work(
        lambda stop: run.make_ready(game),
        says="the review",
        then=lambda _: Open("review", (run, game)),
        run=run,
    )
