"""The user's settings: a file that the lab reads at the start and never writes.

`~/.config/afterstate/config.toml`, or what `AFTERSTATE_CONFIG` names. Mistakes in it are reported
at the start and ignored; the rest applies.
"""

from __future__ import annotations

import os
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.errors import UsageError, hint, printable
from afterstate_lab.learners.files import LockedError, opened, user_folder
from afterstate_lab.learners.toml_reader import TomlText, choice
from afterstate_lab.tui.lab.modes import SPEEDS

LARGEST: Final = 65_536
"""Maximum number of bytes of the file."""


def speed_of(value: Any) -> float:
    if type(value) in (int, float) and float(value) in SPEEDS:
        return float(value)
    raise UsageError(f"must be one of {', '.join(f'{s:g}' for s in SPEEDS)}")


SETTINGS: Final[dict[str, tuple[Any, ...]]] = {
    "theme": (choice, "dark", "light"),
    "cells": (choice, "phone", "keypad"),
    "speed": (speed_of,),
}
"""The settings of the file: the check of each value, and its limits."""


@lean_dataclass(frozen=False)
class Preferences:
    """The user's settings."""

    theme: str = "dark"
    cells: str = "phone"
    """The numbering of cells: 1 2 3 at the top, or 7 8 9 as on a keypad."""
    speed: float = SPEEDS[2]
    """Moves a second in Watch."""
    path: Path | None = None
    """The file; None without a home folder."""
    given: dict[str, object] = field(default_factory=dict)
    """The settings in the file."""
    mistakes: list[str] = field(default_factory=list)
    """What is wrong with the file, one sentence each."""

    @property
    def trouble(self) -> str:
        """The first mistake and how to find the others, or an empty text."""
        more = len(self.mistakes) - 1
        rest = f" ({more} more: afterstate doctor)" if more > 0 else ""
        return f"{self.mistakes[0]}{rest}." if self.mistakes else ""

    @property
    def in_force(self) -> tuple[str, ...]:
        """The settings in the file, each as `theme light`."""
        return tuple(f"{name} {value}".removesuffix(".0") for name, value in self.given.items())

    def take(self, data: bytes) -> None:
        """Take the settings of a file's bytes, one by one."""
        source = TomlText(self.path.name if self.path else "", data.decode(errors="replace"))
        try:
            table = source.table()
        except UsageError as error:
            self.mistakes.append(str(error))
            return
        for name, value in table.items():
            try:
                if name not in SETTINGS:
                    raise source.error((name,), f"unknown key{hint(name, SETTINGS)}")
                check, *limits = SETTINGS[name]
                self.given[name] = source.checked((name,), check, value, *limits)
                setattr(self, name, self.given[name])
            except UsageError as error:
                self.mistakes.append(str(error))


def config_file() -> Path:
    """Return the file of settings: `AFTERSTATE_CONFIG`, or the standard one. It may not exist."""
    path = user_folder("config")
    return path if os.environ.get("AFTERSTATE_CONFIG") else path / "config.toml"


def read_preferences() -> Preferences:
    """Read the file; errors become `mistakes` and are never raised."""
    found = Preferences()
    try:
        found.path = config_file()
        with opened(found.path) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise ValueError(f"it has more than {LARGEST:,} bytes")
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        pass
    except (OSError, ValueError) as error:
        if not isinstance(error, LockedError):
            why = getattr(error, "strerror", None) or str(error)
            told = f"cannot read {printable(str(found.path))}: {printable(why).lower()}"
            found.mistakes.append(told)
    else:
        found.take(data)
    return found
