"""What a lab in a pseudo-terminal shows, and the keys that several checks press."""

from __future__ import annotations

import re

from pseudo_terminal import PseudoTerminal

PANES = ("board", "log", "stats", "learning", "home")
"""Words of the whole picture."""
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l")
"""What is written to a terminal that is given back."""
GAMES = re.compile(r"games ([\d,]+)")


def train(terminal: PseudoTerminal, games: str = "1000m", seconds: float = 10.0) -> None:
    """Start a training, from any mode of the lab."""
    terminal.press("t")
    terminal.read_until_shown("how many games", seconds=seconds)
    terminal.press(games, "enter")
    terminal.read_until(lambda: games_shown(terminal) > 0, seconds)


def games_shown(terminal: PseudoTerminal) -> int:
    """How many games the mode line of a training tells; 0 where there is none."""
    found = GAMES.search(terminal.lines[0])
    return int(found[1].replace(",", "")) if found and "TRAIN" in terminal.lines[0] else 0


def is_free(terminal: PseudoTerminal, cell: str) -> bool:
    """Whether a cell of the board, at 80×24, shows its number."""
    row, column = divmod(int(cell) - 1, 3)
    return terminal.lines[2 + 4 * row][1 + 9 * column : 9 + 9 * column].strip().startswith(cell)


def is_restored(terminal: PseudoTerminal) -> bool:
    """Whether the terminal got back all that the lab asked of it."""
    return all(sequence in terminal.written for sequence in RESTORED)
