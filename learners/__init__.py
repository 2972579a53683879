"""Update rules, opponents, the engine that runs them, and runs that can be replayed anywhere."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

__all__ = ["VERSION", "lean_dataclass"]

VERSION: Final = "0.2.0"
"""The version of the program; the packaging reads it from here."""

if TYPE_CHECKING:
    from dataclasses import dataclass as lean_dataclass
else:

    def lean_dataclass(*, frozen: bool, kw_only: bool = False) -> Any:
        """Make a class a dataclass with `__init__` alone; that nothing changes it, mypy checks.

        All other methods of a dataclass are compiled at each start: those of the classes that the
        first paint needs took 15 ms, and nothing compares or prints them.
        """
        return dataclass(kw_only=kw_only, eq=False, repr=False)
