"""The yardstick for training speed: `td` self-play in plain C (`yardstick.c`), compiled here."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
FLAGS = ("-O3", "-march=native", "-ffp-contract=off")
GAMES = 1_000_000
LONGEST = 60.0
"""Seconds after which the C compiler, or its program, is ended."""


@dataclass(frozen=True)
class Yardstick:
    """The C program."""

    program: Path

    @classmethod
    def compiled(cls, folder: Path) -> Yardstick | None:
        """The program, compiled into a folder; None where there is no C compiler that can."""
        compiler = os.environ.get("CC") or shutil.which("cc") or ""
        if not compiler:
            return None
        program = folder / "yardstick"
        with suppress(OSError, ValueError, subprocess.SubprocessError):
            words = [*shlex.split(compiler), *FLAGS, "-o", str(program), str(SOURCE)]
            subprocess.run(words, check=True, capture_output=True, timeout=LONGEST)
            yardstick = cls(program)
            yardstick.games_a_second(1)
            return yardstick
        return None

    def games_a_second(self, games: int = GAMES) -> float:
        """Play so many games."""
        words = [str(self.program), str(games), "7"]
        done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=LONGEST)
        return float(json.loads(done.stdout)["games_per_second"])
