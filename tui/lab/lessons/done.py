"""How a step of a lesson is known to be done.

mode step              that mode is on
at backup              such an event is looked at: move, backup, no backup, game over
written                a backup is looked at, with its new value written
exploratory            an exploratory move is looked at
asked NAME             a command of the table was asked for; asked NAME in play
selected               a number is selected under the microscope
predicted              a value was foretold since the step began
games 1000             so many games more were played, and no training goes on
help exact             so much help is given while a person plays
won                    a person has won a game since the step began
answered               the question of the step was answered rightly
never                  the last step: only > and T go on
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from learners.errors import UsageError, shown
from tui.lab.commands import COMMANDS
from tui.lab.modes import Help, Mode

if TYPE_CHECKING:
    from tui.lab.session import Session

EVENTS: Final = {
    "move": "Move", "backup": "Backup", "no backup": "NoBackup", "game over": "GameOver",
}  # fmt: skip
PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(mode) ({'|'.join(mode.value for mode in Mode)})",
        rf"(at) ({'|'.join(EVENTS)})",
        r"(written|exploratory|selected|predicted|won|answered|never)",
        rf"(asked) ([a-z_]+)(?: in ({'|'.join(mode.value for mode in Mode)}))?",
        r"(games) ([1-9][0-9]{0,6})",
        rf"(help) ({'|'.join(level.value for level in Help)})",
    )
)
WORDS: Final = (
    "mode, at, written, exploratory, asked, selected, predicted, games, help, won, answered and"
    " never begin one"
)


@dataclass(frozen=True, slots=True)
class Since:
    """What has happened since a step began."""

    asked: frozenset[tuple[str, Mode]] = frozenset()
    """The commands asked for, and the modes in which they were."""
    games: int = 0
    """Games played before."""
    predictions: int = 0
    """Predictions made before."""
    is_answered: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """A condition of the table above."""

    kind: str
    what: str = ""
    mode: Mode | None = None

    @classmethod
    def parse(cls, text: str) -> Done:
        """Read a condition.

        Raises:
            UsageError: it is none, or can never be met.
        """
        found = next((m for pattern in PATTERNS if (m := pattern.fullmatch(text))), None)
        if found is None:
            raise UsageError(f"{shown(text)} is no condition: {WORDS}")
        kind, what, mode = (*found.groups(), "", "")[:3]
        if kind != "asked":
            return cls(kind, what)
        command = next((command for command in COMMANDS if command.name == what), None)
        if command is None:
            raise UsageError(f"there is no command {shown(what)} to be asked for")
        if mode and command.modes and Mode(mode) not in command.modes:
            raise UsageError(f"{what} cannot be asked for in {mode}")
        return cls(kind, what, Mode(mode) if mode else None)

    def is_met(self, session: Session, since: Since) -> bool:
        """Whether it holds now."""
        event, kind = session.timeline.event, type(session.timeline.event).__name__
        match self.kind:
            case "mode":
                return session.mode is Mode(self.what)
            case "at":
                return kind == EVENTS[self.what]
            case "written":
                from learners.tape.timeline import WRITE

                return kind == "Backup" and session.timeline.phase == WRITE
            case "exploratory":
                return bool(getattr(event, "exploratory", False))
            case "asked":
                modes = {mode for name, mode in since.asked if name == self.what}
                return bool(modes) if self.mode is None else self.mode in modes
            case "selected":
                return session.selection is not None
            case "predicted":
                return session.predictions.asked > since.predictions
            case "games":
                more = session.run.games - since.games
                return more >= int(self.what) and not session.is_training
            case "help":
                return session.help is Help(self.what)
            case "won":
                is_new = session.run.games > since.games and session.mode is Mode.PLAY
                return is_new and session.is_over and getattr(event, "result", "") == session.human
            case "answered":
                return since.is_answered
        return False
