"""The user's settings: a file that the lab reads at the start and never writes.

`~/.config/afterstate/config.toml`, or what `AFTERSTATE_CONFIG` names. Mistakes in it are reported
at the start and ignored; the rest applies.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.errors import UsageError, hint
from afterstate_lab.learners.files import LockedError, user_folder
from afterstate_lab.learners.toml_reader import TomlText, choice
from afterstate_lab.tui.lab.modes import SPEEDS


def speed_of(value: Any) -> float:
    if type(value) in (int, float) and float(value) in SPEEDS:
        return float(value)
    raise UsageError(f"must be one of {', '.join(f'{s:g}' for s in SPEEDS)}")


ABSENT: Final = (FileNotFoundError, NotADirectoryError, LockedError)
"""Why there is no file to read; not a mistake."""
SETTINGS: Final[dict[str, tuple[Any, ...]]] = {
    "theme": (choice, "dark", "light"),
    "cells": (choice, "phone", "keypad"),
    "speed": (speed_of,),
}
"""The settings of the file: the check of each value, and its limits."""


@lean_dataclass(frozen=False)
class Preferences:
    """The user's settings."""

    path: Path | None = None
    """The file; None without a home folder."""
    given: dict[str, Any] = field(default_factory=dict)
    """The settings in the file; what it has not is as a lab begins."""
    mistakes: list[str] = field(default_factory=list)
    """What is wrong with the file, one sentence each."""

    @property
    def trouble(self) -> str:
        """The first mistake and how to find the others, or an empty text."""
        more = len(self.mistakes) - 1
        rest = f" ({more} more: afterstate doctor)" if more > 0 else ""
        return f"{self.mistakes[0]}{rest}." if self.mistakes else ""

    def take(self, source: TomlText) -> None:
        """Take the settings of a file, one by one."""
        for name, value in source.table().items():
            try:
                if name not in SETTINGS:
                    raise source.error(f"unknown key{hint(name, SETTINGS)}", name)
                check, *limits = SETTINGS[name]
                self.given[name] = source.checked(name, check, value, *limits)
            except UsageError as error:
                self.mistakes.append(str(error))


def read_preferences() -> Preferences:
    """Read the file; errors become `mistakes` and are never raised."""
    found = Preferences()
    with suppress(RuntimeError):
        path = user_folder("config")
        found.path = path if os.environ.get("AFTERSTATE_CONFIG") else path / "config.toml"
        try:
            source = TomlText.load(found.path, "settings file")
            found.take(source._replace(name=found.path.name))
        except UsageError as error:
            if not isinstance(error.__context__, ABSENT):
                found.mistakes.append(str(error))
    return found
