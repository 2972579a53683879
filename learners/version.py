"""The version of the program; the packaging reads it from here."""

from typing import Final

VERSION: Final = "0.2.0"
