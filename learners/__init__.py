"""Update rules, opponents, the engine that runs them, and runs that can be replayed anywhere."""

from dataclasses import dataclass, field
from typing import Any, Final, dataclass_transform

__all__ = ["VERSION", "lean_dataclass"]

VERSION: Final = "0.2.0"
"""The version of the program; the packaging reads it from here."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def lean_dataclass(cls: Any = None, *, frozen: bool = True, kw_only: bool = False) -> Any:
    """Make a class a dataclass with `__init__` alone; mypy checks that nothing changes it.

    Every method of a dataclass is compiled at each start. The classes of the first paint took 15 ms
    more with methods that compare, hash and print, and nothing calls these.
    """
    return dataclass(cls, kw_only=kw_only, eq=False, repr=False)
