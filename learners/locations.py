"""Where Afterstate keeps what is the user's own."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """The folder of the user's data: `AFTERSTATE_DATA`, or the usual one. It may not exist yet.

    Raises:
        RuntimeError: there is no home folder to put it in.
    """
    if own := os.environ.get("AFTERSTATE_DATA"):
        return Path(own).absolute()
    usual = os.environ.get("XDG_DATA_HOME", "")
    base = Path(usual) if Path(usual).is_absolute() else Path.home() / ".local" / "share"
    return base / "afterstate"


def cache_root() -> Path:
    """The folder of the machine code: `AFTERSTATE_CACHE`, or the usual one.

    Raises:
        RuntimeError: there is no home folder to put it in.
    """
    if own := os.environ.get("AFTERSTATE_CACHE"):
        return Path(own).absolute()
    usual = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(usual) if Path(usual).is_absolute() else Path.home() / ".cache"
    return base / "afterstate"


def store_file() -> Path:
    """The file of the user's runs."""
    return data_folder() / "runs.sqlite"
