"""The session; the first command creates it.

The engine, numpy and the exact tables take 100 ms and 25 MB. A fresh lab shows nothing that needs
them.
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
        settings: the first players and seed.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.speed = SPEEDS[2]
        """Moves per second in Watch."""

    @classmethod
    def of(cls, session: Session) -> LazySession:
        """Return one that has its session."""
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
        return "session" in self.__dict__

    @property
    def mode(self) -> Mode:
        return self.session.mode if self.is_started else self.settings.mode
