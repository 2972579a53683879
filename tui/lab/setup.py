"""The settings of a new run as a user types them, checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from game import Side
from learners.engine.dice import LARGEST_SEED
from learners.errors import UsageError
from learners.rules.options import IntegerOption
from learners.rules.spec import PlayerSpec
from tui.lab.modes import Settings
from tui.lab.outcomes import Message, MessageKind, Outcome, Search

if TYPE_CHECKING:
    from learners.tape.run import Run

SEED = IntegerOption("seed", 0, "", 0, LARGEST_SEED)


def seed_of(text: str) -> int:
    """The seed that a user typed.

    Raises:
        UsageError: it is no whole number from 0 to the largest seed.
    """
    return SEED.parse(text.strip())


def asking(settings: Settings, run: Run, begin: Callable[[], Outcome]) -> Search | None:
    """The work of asking the agents among the players, which may take long; None without any.

    Args:
        settings: the players.
        run: the run that goes on meanwhile.
        begin: begins the new one.
    """
    if not any(spec.rule.is_saved for spec in (settings.x, settings.o)):
        return None
    from learners.players.agents import unread

    players = ((Side.X, settings.x), (Side.O, settings.o))
    asked = [(side, spec, rule) for side, spec in players if (rule := unread(spec, side))]
    if not asked:
        return None

    def work(progress: Callable[[float], None], stop: Callable[[], bool]) -> UsageError | None:
        def tell(done: int, boards: int) -> None:
            progress(min(1.0, done / boards))
            if stop():
                raise UsageError("Given up.")

        try:
            for side, spec, rule in asked:
                rule.answers(side, spec.settings, tell)
        except UsageError as error:
            return error
        return None

    def found(error: UsageError | None) -> Outcome:
        return begin() if error is None else Message(str(error), MessageKind.LOG)

    names = " and ".join(rule.name for _, _, rule in asked)
    return Search(f"asking {names}", work, found, run)


def checked_settings(x: PlayerSpec, o: PlayerSpec, seed: int) -> Settings:
    """The settings of a new run in which somebody learns.

    Raises:
        UsageError: two humans play, or a player cannot play its side.
    """
    if x.rule.human and o.rule.human:
        raise UsageError("two people need no learner; play --plain --x human --o human is for them")
    return Settings(x, o, seed)
