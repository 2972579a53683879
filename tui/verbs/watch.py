"""Commands that watch the two players, and let them train."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.lab.commands import ALL, PLAIN, STRIDES, TRAIN, WATCH, Back, arrows, command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import SPEEDS, Help, Mode, goal_of
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Train, command_key, question
from afterstate_lab.tui.verbs.look import go_home
from afterstate_lab.tui.verbs.step import first_change, moved_back, once_left, watch_until

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session


@command("space", "run", WATCH | TRAIN, same="watch game")
def run(lab: LabController) -> Outcome:
    """Run or pause."""
    session, training = lab.session, lab.session.training

    def toggle() -> None:
        if not session.is_running:
            session.leave_seat()
        session.is_running = not session.is_running

    if session.mode is Mode.WATCH:
        return once_left(session, "watch", toggle)
    if training is None:
        return train(lab)
    if training.is_paused:
        training.resume()
    else:
        training.pause()
    return None


@command(
    "plus equals_sign",
    "stride",
    back=Back(
        "slower",
        "minus",
        "Take shorter steps with ← and →. While you watch, go slower; while you play, show less.",
    ),
)
def faster(lab: LabController, by: int = 1) -> Outcome:
    """Take longer steps with ← and →. While you watch, go faster; while you play, show more."""
    return changed(lab.session, by)


HELPS: Final = {
    Help.OFF: "you play without hints",
    Help.HINT: "marks the cells that keep your result, if others do not",
    Help.VALUES: "what the learner expects of each cell",
    Help.EXACT: "what each cell is worth, exactly",
}
"""What the board shows to a person who plays."""


def changed(session: Session, by: int) -> Outcome:
    """Change the hints, the speed or the stride by so many steps."""
    if session.mode is Mode.PLAY:
        levels = list(Help)
        session.help = levels[(levels.index(session.help) + by) % len(levels)]
        return f"{session.help.value.capitalize()}: {HELPS[session.help]}."
    if session.mode is Mode.WATCH and session.is_running:
        at = SPEEDS.index(session.speed) + by
        session.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]
        return f"{session.speed:g} move{'s' * (session.speed != 1)} a second."
    strides = list(STRIDES[session.mode])
    at = strides.index(session.stride) + by
    session.strides[session.mode] = stride = strides[min(max(at, 0), len(strides) - 1)]
    back, on = arrows(session.mode)
    return f"{command_key(back)} and {command_key(on)} now go by one {stride}."


@command(
    "right",
    "move",
    WATCH,
    words="watch, w, watch move",
    within=PLAIN,
    back=Back("move_back", "left", "Go to the previous move."),
)
def watch_move(lab: LabController, text: str = "", by: int = 1) -> Outcome:
    """Watch the next move, and what is learned from it.

    watch: the next move.  watch event: the next event.  watch game: a whole game.
    At the end of the run the two learners play another game.
    """
    session = lab.session
    if by < 0:
        has_moved = session.timeline.step_back()
        while has_moved and not session.is_move_watched and session.timeline.step_back():
            pass
        return moved_back(session, has_moved)
    enough: dict[str, Callable[[Session], bool]] = {
        "": lambda session: session.is_move_watched,
        "event": lambda session: True,
        "game": lambda session: session.timeline.at >= session.timeline.rows.stop,
    }
    if text not in enough:
        raise UsageError(f"{shown(text)} cannot be watched: watch move, watch event or watch game.")
    return watch_until(session, enough[text])


@command("escape", modes=ALL, same="select off")
def give_up(lab: LabController) -> Outcome:
    """Stop training, a search or a selection; otherwise go home."""
    if lab.session.training is not None:
        lab.session.training.stop()
        return None
    if lab.session.selection is None:
        return go_home(lab)
    lab.session.selection = None
    return None


@command("w", "watch", same="watch")
def watch(lab: LabController) -> Outcome:
    """Watch the two players."""
    lab.leave_training()
    if not lab.session.owes_a_move:
        lab.session.leave_seat()
    lab.session.mode = Mode.WATCH
    return None


@command("s", "step", words="step")
def step(lab: LabController) -> Outcome:
    """Step through what is learned."""
    lab.pause()
    session = lab.session
    if session.mode is Mode.STEP:
        session.details = not session.details
        said = f"The choice, the rule and its code; {command_key('step')} hides them."
        return said if session.details else None
    has_tape = session.run.games or session.timeline.recording.size
    if session.waits and not has_tape:
        raise UsageError(
            f"Your game has no move yet. Make one, or {command_key('watch')} leaves it."
        )
    session.enter_step_mode()
    return None if has_tape else first_change(session)


@command("t", "train", words="train, t")
def train(lab: LabController) -> Outcome:
    """Let the two learners play each other at full speed.

    train 20000, train 100k, train 1m: that many games.
    train until unbeatable: until neither can be beaten.
    Ctrl-C stops it; what was learned is kept.
    """
    if lab.session.is_training:
        return None
    lab.session.is_running = False

    leaves = "; it leaves your game" * lab.session.owes_a_move

    def answer(text: str) -> Outcome:
        goal = goal_of(text)
        if goal is None:
            said = f"{shown(text)} is not a number of games"
            raise UsageError(f"{said}. Try 20000, 100k or unbeatable.")
        return Train(goal)

    return question(
        "train",
        f"how many games: 20000, 100k, 1m; or unbeatable{leaves}",
        answer,
        "unbeatable",
        usage="How long? train 20000 or train until unbeatable trains the two learners.",
        compiles=True,
    )


@command("o", "setup", words="players, setup")
def setup(lab: LabController) -> Outcome:
    """Choose players, options and seed.

    players x td:alpha=.2: another X.  players o random: another O.
    players td q: both.  players seed 7: the same players, other random numbers.
    players recipe two-agents: the players of a recipe.
    human is you. what td explains td.
    """
    lab.pause()
    return Open("setup", lab.session.settings)
