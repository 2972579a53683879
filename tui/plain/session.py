"""The lab's session, used a line at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.judge.curve import History
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.run import Seat, Seating
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.session import Session

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run


class PlainSession(Session):
    """A session that two people can also play."""

    details = True
    plays_both = False
    """Whether people sit on both sides."""

    def __init__(self, run: Run) -> None:
        self._open(Settings(run.x, run.o, run.seed), run, History())

    def _open(self, settings: Settings, run: Run, history: History) -> None:
        super()._open(settings, run, history)
        seats = run.seating
        self.plays_both = seats.x is seats.o is Seat.HUMAN
        if seats.has_human:
            self.human = "X" if seats.x is Seat.HUMAN else "O"

    @property
    def humans(self) -> str:
        """The sides that people play: X, O or XO."""
        return "XO" if self.plays_both else self.human

    @property
    def seated_settings(self) -> Settings:
        """The current players, people included."""
        run, person = self.run, PlayerSpec.parse("human")
        sides = (("X", run.x), ("O", run.o))
        x, o = (person if run.seating.has_human and side in self.humans else spec
                for side, spec in sides)  # fmt: skip
        return Settings(x, o, run.seed)

    def take_seat(self, side: str | None = None) -> None:
        """Seat a person; or two, if two were seated."""
        if self.plays_both:
            self.run.seat(Seating(Seat.HUMAN, Seat.HUMAN))
            self.mode = Mode.PLAY
        else:
            super().take_seat(side)

    def swap_sides(self) -> None:
        """Swap the person's side, in a new game; a player that learns nothing moves.

        Raises:
            UsageError: the other player cannot play that side, or two people play.
        """
        if self.plays_both:
            raise UsageError("You play both sides already.")
        other = self.run.o if self.human == "X" else self.run.x
        if other.rule.learns:
            super().swap_sides()
            return
        person = PlayerSpec.parse("human")
        x, o = (other, person) if self.human == "X" else (person, other)
        self.start(Settings(x, o, self.run.seed))
