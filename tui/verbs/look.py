"""Commands that show something."""

from __future__ import annotations

from afterstate_lab.tui.lab.commands import Back, command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.outcomes import Open, Outcome

SCROLLED = 5
"""Lines of the log that a key scrolls."""


@command("v", "table", words="table")
def table(lab: LabController) -> Outcome:
    """Show every value that was learned, its exact value and visits.

    table: the player's whole table, the most visited first.
    table O: the other player's table.  table by error: largest error first.
    table visits>10 error>.1 ply=3 X.O...... never: only such values.
    A board is nine characters, with ? for any; class takes its mirror images too.
    """
    return Open("table")


@command("M", "map", words="map")
def map(lab: LabController) -> Outcome:
    """Show a whole mind: what a player expects of all 765 positions.

    map: how many boards of each ply are near a win, a draw or a loss.
    map X...O....: begins at that board. e: the exact values; space: the film.
    """
    return Open("map")


@command(words="more, m")
def more(lab: LabController) -> None:
    """Show the next lines of a list."""


@command("E", "experiments", words="experiments")
def experiments(lab: LabController) -> Outcome:
    """Run the book's exercises, with exact verdicts."""
    return Open("experiments")


@command(words="turn", shown=":turn alpha")
def turn(lab: LabController) -> Outcome:
    """Turn alpha, or another option, and see what is learned.

    turn alpha: train 20 seeds again at every turn.  turn epsilon .2: begin there.
    """
    lab.pause()
    return Open("turn")


@command(words="expect", shown=":expect")
def expect(lab: LabController) -> Outcome:
    """Show what to expect: is this run normal, or is something wrong?

    expect: this run among many seeds with the same players and games.
    """
    lab.pause()
    return Open("expect")


@command("pagedown", back=Back("scroll_up", "pageup", "Scroll the log back."))
def scroll_down(lab: LabController, by: int = 1) -> None:
    """Scroll the log on."""
    lab.log_offset = max(0, lab.log_offset - by * SCROLLED)


@command("d")
def theme(lab: LabController) -> Outcome:
    """Change between dark and light."""
    lab.is_light = not lab.is_light
    return ""


@command(words="where, ?")
def where(lab: LabController) -> None:
    """Show the whole page.

    board, log, stats, curve, choice, update: only that part of it.
    """


@command(words="again, a")
def again(lab: LabController) -> None:
    """Repeat the last answer."""


@command("i", "explain", words="what")
def explain(lab: LabController) -> Outcome:
    """Explain a word, a sign or a number.

    what is rms, what is alpha: a sentence, the formula, and what it is now.
    """
    return Open("explain")


@command("question_mark f1", "help", words="help, h", name="help")
def show_help(lab: LabController) -> Outcome:
    """Show this help.

    help WORD: how a word is used.
    """
    return Open("help")


@command("q H", "home", words="home")
def go_home(lab: LabController) -> Outcome:
    """Go home (or H); from there, leave the lab."""
    if lab.is_started:
        lab.session.is_running = False
    return Open("home")


@command(words="quit, q", label="quit", name="quit", shown="Ctrl-C")
def leave(lab: LabController) -> Outcome:
    """Leave the lab at once; everything is saved."""
    lab.is_over = True
    return ""
