"""Commands about saved runs, lessons and pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from afterstate_lab.learners.errors import UsageError, printable, shown
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.autosave import store
from afterstate_lab.tui.lab.commands import PLAIN, Back, Do, command
from afterstate_lab.tui.lab.controller import LabController, reading
from afterstate_lab.tui.lab.outcomes import Copy, Open, Outcome, Work, command_key, question
from afterstate_lab.tui.lab.scripts import NAMES

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.scripts.guide import Guide

NAME = "the name of a run"


def page(name: str, says: str, *how: Any, first: Do = lambda lab: None, **more: Any) -> None:
    """Make a command that only opens a page.

    Args:
        name: the page's, the command's, and its word by default.
        says: its help, as a docstring.
        how: the keys and the label of `command`.
        first: what is done with the lab before.
        more: other arguments of `command`.
    """

    def open_page(lab: LabController) -> Outcome:
        first(lab)
        return Open(name)

    open_page.__doc__ = says
    command(*how, **{"words": name, "name": name} | more)(open_page)


page(
    "runs",
    "Show the saved runs: open, rename, delete.",
    "R",
    "runs",
    first=lambda lab: lab.capture(at_once=True),
)


@command(words="open", name="open")
def open_run(lab: LabController) -> Outcome:
    """Continue a saved run, or open an address.

    open 2: the second in the list.  open NAME: the run with this name.
    open ADDRESS: a run and a moment; FILE after it, where a player needs one.
    """
    usage = "Open which? runs lists them; open 1, open NAME or open ADDRESS."
    return lab.or_address(question("open", NAME, lab.load, usage=usage))


@command("Y", words="address")
def address(lab: LabController) -> Outcome:
    """Copy the address of this moment: it opens this run there, anywhere.

    address: a line that opens this run at this moment, anywhere.
    open ADDRESS and go ADDRESS go there; so does afterstate ADDRESS.
    """
    return Copy(lab.session.address())


@command(words="save")
def save(lab: LabController, text: str = "") -> Outcome:
    """Give this run a name.

    save as NAME. The lab saves what you do automatically, after every line.
    """
    autosave, name = lab.autosave, text.removeprefix("as ").strip()
    if autosave is None:
        raise UsageError("Nothing is saved here.")
    if not autosave.finish(lab.session, anyway=True):
        raise UsageError(autosave.news() or autosave.unsaved)
    stored = lab.stored
    if stored is None:
        raise UsageError("Nothing has been played yet, so there is nothing to save.")
    saved = store().rename(stored.id, name).name if name else printable(stored.name)
    return f"Saved as {saved}."


@command(words="answer")
def answer(lab: LabController) -> Outcome:
    """Answer the question of a lesson, or predict the next backup.

    answer .75, answer X: what the lesson asked for.
    """
    if lab.question is None:
        raise UsageError("There is no question to answer here.")
    return lab.question


@command("T", words="tour")
def tour(lab: LabController, text: str = "") -> Outcome:
    """Begin the tour, or end the current lesson.

    tour next: its next step.  tour back: the previous one.  tour off: end it.
    """
    if text not in ("", "off"):
        raise UsageError(
            f"{shown(text)} is not part of the tour: tour, tour next, tour back, tour off."
        )
    if not text and lab.guide is None:
        return lab.begin_lesson("tour")
    in_lesson(lab)
    lab.guide = None
    return f"The lesson is over; {command_key('lessons')} lists them all."


def in_lesson(lab: LabController) -> Guide:
    """Return what leads through the lesson in progress."""
    if lab.guide is None:
        raise UsageError(f"No lesson is in progress: {command_key('tour')} begins the tour.")
    return lab.guide


@command(
    "greater_than_sign",
    words="tour next",
    back=Back("lesson_back", "less_than_sign", "Go to the previous step of a lesson.", "tour back"),
)
def lesson(lab: LabController, by: int = 1) -> Outcome:
    """Show the lessons; in one, go to the next step."""
    return Open("lessons") if lab.guide is None and by > 0 else in_lesson(lab).turn(by)


@command(words="lessons")
def lessons(lab: LabController, text: str = "") -> Outcome:
    """Show the lessons, or begin one.

    lessons 3, lessons menace: begin that lesson.
    tour next: its next step.  tour back: the previous one.  tour off: end it.
    """
    if not text:
        return Open("lessons")

    name = {str(number): name for number, name in enumerate(NAMES, 1)}.get(text, text)
    if name not in NAMES:
        known = f"{', '.join(NAMES)}, or 1 to {len(NAMES)}"
        raise UsageError(f"There is no lesson {shown(text)}: {known}.")
    return lab.begin_lesson(name)


@command(modes=PLAIN, words="be")
def be(lab: LabController) -> Outcome:
    """Be the learner: do its updates by hand for one game.

    be td, be q: choose by number and type the last value.
    """
    lab.pause()
    session = lab.session

    def begin(text: str) -> Outcome:
        from afterstate_lab.learners.ask.be import ByHand

        number = next(session.quizzes)
        work = Work(
            lambda stop: ByHand(parse_player(text), number),
            says="a game to play by hand",
            run=session.run,
            then=partial(Open, "be"),
        )
        return reading([text], lambda: work)

    return question(
        "be",
        "the learner to be, such as td, mc, q or menace",
        begin,
        "td",
        usage="be td plays a game in which you do the updates of td.",
    )


page(
    "drill",
    """Prove that you cannot be beaten, as X or as O.

    drill: as X.  drill O: as O.
    Answer with a cell wherever your answers leave the game open.
    """,
    shown=":drill",
    first=LabController.pause,
)


SCROLLED = 5
"""Lines of the log that a key scrolls."""


page(
    "table",
    """Show every value that was learned, its exact value and visits.

    table: the player's whole table.  table O: the other player's table.
    table visits>10 error>.1 ply=3 X.O...... never: only such values.
    A board is nine characters, with ? for any.
    """,
    "v",
    "table",
)


page(
    "map",
    """Show a whole mind: what a player expects of all 765 positions.

    map: how many boards of each ply are near a win, a draw or a loss.
    map X...O....: begins at that board. e: the exact values; space: the film.
    """,
    "M",
    "map",
)


@command(words="more, m")
def more(lab: LabController) -> None:
    """Show the next lines of a list."""


page("experiments", "Run the book's exercises, with exact verdicts.", "E", "experiments")


page(
    "turn",
    """Turn alpha, or another option, and see what is learned.

    turn alpha: train 20 seeds again at every turn.  turn epsilon .2: begin there.
    """,
    shown=":turn alpha",
    first=LabController.pause,
)


page(
    "expect",
    """Show what to expect: is this run normal, or is something wrong?

    expect: this run among many seeds with the same players and games.
    """,
    shown=":expect",
    first=LabController.pause,
)


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


page(
    "explain",
    """Explain a word, a sign or a number.

    what is rms, what is alpha: a sentence, the formula, and what it is now.
    """,
    "i",
    "explain",
    words="what",
)


page(
    "help",
    """Show this help.

    help WORD: how a word is used.
    """,
    "question_mark f1",
    "help",
    words="help, h",
)


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
