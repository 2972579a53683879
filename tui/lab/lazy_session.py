"""The session, which the first command creates.

The engine, numpy and the exact tables take 100 ms and 25 MB. Nothing that a fresh lab shows needs
them, so they come with the first key.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from afterstate_lab.tui.lab.modes import SPEEDS, Mode, Settings

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session


class LazySession:
    """A session that is created when it is first used.

    Args:
        settings: the players and the seed that it begins with.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.speed = SPEEDS[2]
        """Moves a second in Watch, to begin with."""

    @classmethod
    def of(cls, session: Session) -> LazySession:
        """One whose session is there already."""
        lazy = cls(session.settings)
        lazy.session = session
        return lazy

    @cached_property
    def session(self) -> Session:
        from afterstate_lab.tui.lab.session import Session

        session = Session(self.settings)
        session.speed = self.speed
        return session

    @property
    def is_started(self) -> bool:
        """Whether the session was created."""
        return "session" in self.__dict__

    @property
    def mode(self) -> Mode:
        """What the lab is doing."""
        return self.session.mode if self.is_started else self.settings.mode
