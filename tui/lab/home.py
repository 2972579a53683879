"""Home: what the lab is, where the user was, and a door to each thing that can be done.

Light: it is the first thing painted, without the engine. What it shows beside the doors was
recorded (`first_run`), or is the board of the run that goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tui.blocks.cells import Cells, CellView
from tui.lab.autosave import games_of, is_worth_saving
from tui.lab.commands import Command
from tui.lab.first_run import FRAMES, Frame
from tui.lab.heat import HeatScale, ranks
from tui.lab.list_commands import HOME_COMMANDS
from tui.lab.modes import Mode, Settings
from tui.lab.outcomes import Outcome, Question
from tui.lab.resume_hint import games_text, players_of, resume_hint
from tui.views.home import Door, DoorsView
from tui.views.lab import ModeView
from tui.views.words import TextView

if TYPE_CHECKING:
    from learners.runs.listing import LoadedRun, RunInfo
    from tui.lab.controller import LabController
    from tui.lab.session import Session

DOORS: Final = {
    "go_on": ("go on", ""),
    "play": ("play it", "A game against it, with a coach."),
    "watch": ("watch it learn", "Move by move, with all that it writes down."),
    "step": ("one backup", "The one line that learns, in five steps."),
    "train": ("train it", "Nobody can beat it, in seconds: proved."),
    "tour": ("the tour", "All of it in fifteen minutes, hands on."),
    "lesson": ("lessons", "One subject each, step by step, in the lab."),
}
"""By command: the door's name, and what invites."""
ABOUT: Final = (
    "Two players know nothing but the rules. They play each other, and every game changes"
    " what they believe. Here every single change can be seen."
)
LEGEND: Final = "Each cell shows what X expects of opening there: 1 is a win, .5 a draw, 0 a loss."
LOOKING: Final = "looking for your last run…"
VERDICTS: Final = {
    "XO": "Both can be beaten.",
    "O": "O can be beaten.",
    "": "Nobody beats them: that is proved.",
}


class HomeController:
    """Where the user is at home, and what the doors do.

    Args:
        lab: the lab behind the doors.
    """

    def __init__(self, lab: LabController) -> None:
        self._lab = lab
        self._cursor: int | None = None
        self._frame = 0
        self._board: Cells | None = None
        """The board of the run that goes on."""
        self.note = ""
        """Why a door did not open, until the next key."""
        self.is_looking = self.may_find_run
        """Whether it is not known yet if there is a saved run."""
        if self._is_under_way:
            self._board = board_of(lab.session)

    @property
    def _is_under_way(self) -> bool:
        """Whether something was done in this lab, to go back to."""
        lazy = self._lab.lazy
        return lazy.is_started and is_worth_saving(lazy.session)

    @property
    def may_find_run(self) -> bool:
        """Whether the run that was saved last is looked for."""
        return not self._is_under_way and self._lab.current.autosave is not None

    def find(self) -> RunInfo | str | None:
        """The run that was saved last, or why that is not known; to be called in any thread."""
        return self._lab.saved.find_hint()

    def take_run(self, found: RunInfo | str | None) -> None:
        """Offer to go on with a run, or say why the saved ones cannot be read."""
        self.is_looking = False
        if self.note == LOOKING:
            self.note = ""
        if isinstance(found, str):
            self.note = found
        else:
            self._lab.saved.hint = found

    def find_board(self, found: RunInfo) -> Cells | None:
        """The board of a saved run, which takes long to read; to be called in any thread."""
        loaded = self._lab.saved.read(found.id)
        return None if isinstance(loaded, str) else saved_board(loaded)

    def take_board(self, board: Cells | None) -> None:
        """Show the board of the run that was found."""
        self._board = board

    @property
    def is_playing(self) -> bool:
        """Whether the recording behind the doors has more to show."""
        return self._board is None and self._frame < len(FRAMES) - 1

    def tick(self) -> None:
        """The next picture of the recording."""
        if self.is_playing:
            self._frame += 1

    def perform(self, name: str) -> Outcome:
        """Do what a command asks for."""
        self.note = ""
        if name in ("up", "down"):
            self._move(1 if name == "down" else -1)
            return None
        if name == "back":
            return None
        if name == "open":
            return self.perform(self._names[self._cursor or 0])
        return self._enter(name)

    def _move(self, by: int) -> None:
        count = len(self._names)
        start = -1 if by > 0 else 0
        self._cursor = ((start if self._cursor is None else self._cursor) + by) % count

    def _enter(self, name: str) -> Outcome:
        """Go through a door, or open a screen of the lab."""
        lab = self._lab
        if name == "go_on":
            hint = lab.saved.hint
            if not self.has_more:
                self.note = LOOKING if self.is_looking else "There is no run to go on with yet."
            return None if self._is_under_way or hint is None else lab.saved.open_run(hint)
        if name == "play" and lab.lazy.is_started and lab.session.waits:
            return lab.perform("return_to_game")
        outcome = lab.perform(name)
        if name == "watch":
            lab.session.is_running = True
        if name == "train" and isinstance(outcome, Question) and not games_of(lab.session):
            return outcome._replace(default="unbeatable")
        return outcome

    @property
    def _names(self) -> tuple[str, ...]:
        """The commands of the doors that are there."""
        return tuple(name for name in DOORS if name != "go_on" or self.has_more)

    @property
    def has_more(self) -> bool:
        """Whether there is a run to go on with."""
        return self._is_under_way or self._lab.saved.hint is not None

    def door(self, number: int) -> str:
        """The command of a door."""
        return self._names[number]

    @property
    def commands(self) -> tuple[Command, ...]:
        """What can be asked for now."""
        return HOME_COMMANDS

    def doors(self, remark: str = "") -> DoorsView:
        """The doors.

        Args:
            remark: said in the last row, where there is nothing more urgent.
        """
        keys = {command.name: command.shown for command in HOME_COMMANDS}
        doors = (Door(keys[name], *self._words(name)) for name in self._names)
        return DoorsView(
            doors=tuple(doors),
            cursor=self._cursor,
            about=ABOUT,
            remark=(
                ((self.note, "remark"),)
                if self.note
                else ((LOOKING if self.is_looking else remark, "dim"),)
            ),
        )

    def _words(self, name: str) -> tuple[str, str]:
        """The name of a door, and what invites."""
        title, says = DOORS[name]
        hint = self._lab.saved.hint
        if name == "play":
            return title, self._challenge()
        if name == "go_on" and self._is_under_way:
            return title, place_of(self._lab.session)
        if name == "go_on" and hint is not None:
            return f"go on with {hint.name}", resume_hint(hint)
        return title, says

    def _challenge(self) -> str:
        lazy = self._lab.lazy
        games = games_of(lazy.session) if lazy.is_started else 0
        if not games:
            return "A new learner, 0 games old: you will win."
        return f"After {games_text(games)}, can you still win?"

    @property
    def mode_line(self) -> ModeView:
        return ModeView("HOME")

    @property
    def board(self) -> Cells:
        """The board of the run that goes on, or the recording's."""
        return self._board or film_board(FRAMES[self._frame])

    @property
    def legend(self) -> TextView:
        """What the board shows."""
        hint = self._lab.saved.hint
        if self._is_under_way:
            run = self._lab.session.run
            return TextView((f"{run.x} v {run.o}",), title="where you were")
        if self._board is not None and hint is not None:
            return TextView((players_of(hint),), title="where you were")
        verdict = VERDICTS[FRAMES[self._frame].beatable]
        return TextView((LEGEND, (), ((verdict, "strong"),)), title="a recorded training")


def place_of(session: Session) -> str:
    """Where the user is in this lab."""
    if session.is_training:
        return f"A training goes on: {games_text(games_of(session))} so far."
    if session.waits:
        return f"Game {session.timeline.game + 1:,}, your move."
    return f"Game {session.timeline.game + 1:,} of {session.run.games:,}."


def board_of(session: Session) -> Cells:
    """The board where the user is."""
    from tui.lab.board import board_view

    return board_view(session)


def saved_board(loaded: LoadedRun) -> Cells:
    """The board of the game that waits in a saved run; without one, what X expects of opening."""
    from tui.lab.session import Session

    run = loaded.run
    session = Session(Settings(run.x, run.o, run.seed))
    if loaded.pending is not None:
        session.resume(loaded)
    else:
        session.run, session.mode = run, Mode.TRAIN
    return board_of(session)


def film_board(frame: Frame) -> Cells:
    """The board of a moment of the recording."""
    values = [value / 1000 for value in frame.values]
    scale, best = HeatScale(values, (1.0, 0.5, 0.0)), max(values)
    order = ranks(dict(enumerate(values)))
    cells = tuple(
        CellView(
            label=str(cell + 1),
            value=value,
            heat=scale.heat(value),
            best=value == best > scale.low,
            rank=order[cell] if best > scale.low else None,
        )
        for cell, value in enumerate(values)
    )
    return Cells(cells=cells, right=games_text(frame.games), scale=scale.view())
