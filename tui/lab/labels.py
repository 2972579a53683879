"""Names of players, boards and numbers on the screen. Light: the first paint uses it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import Side, space
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.blocks import Line, in_a_row
from afterstate_lab.tui.theme.numerals import bare

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.runs.listing import RunInfo
    from afterstate_lab.learners.tape.recording import Learning


def entry_row(event: Learning) -> Line:
    """Return a backup's entry in one row: the board, with the move of an action value."""
    return in_a_row(space().text(event.board), event.cell)


def board_row(board: int, cell: int | None = None) -> str:
    """Return a board in one row, with a move (None or -1 for none): `X·O│·5·│··O`."""
    return "".join(text for text, _ in in_a_row(space().text(board), cell))


def board_label(board: int, cell: int | None = None) -> str:
    """Return a board as commands take it, or a board and a move: `X...O....@9`."""
    text = space().text(board)
    return text if cell is None or cell < 0 else f"{text}@{cell + 1}"


def side_role(player: str, *, strong: bool = False) -> str:
    """Return the palette's role for a player's colour."""
    return player.lower() + ("_strong" if strong else "")


def result_mark(result: str) -> tuple[str, str]:
    """Return a result in one character, with its role."""
    if result == "draw":
        return "=", "text"
    return result, side_role(result, strong=True)


def owner_of(table: Table, board: int) -> str:
    """Return the player that a board's value is for.

    In one shared table, it is the player whose move led there or is next.
    """
    if not table.rule.one_table:
        return table.side.mark
    mover = Side(int(space().ply[board]) % 2)
    return mover.other.mark if table.rule.by_state else mover.mark


SHORT = {"alpha": "α", "epsilon": "ε", "gamma": "γ", "lambda": "λ", "minimax": "mm"}
"""Short names of options in a player's label, and of minimax over its values."""


def short_name(player: str) -> str:
    """Return a player without its options, and a class without its file."""
    return player.split()[0].rpartition(".py:")[2]


def player_label(spec: PlayerSpec) -> str:
    """Return a player in a few characters: `td α.1 ε.1`."""
    parts = [spec.rule.name]
    for option in spec.rule.options:
        if option.name in SHORT and (spec.rule.learns or option.name in spec.given):
            number = bare(option.format(spec.settings[option.name]))
            parts.append(f"{SHORT[option.name]}{number}")
    return " ".join(parts)


STEPS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
FILE: Final = re.compile(r".+\.(?:py:[^:]*|(?:npz|csv|json)(?=:|$))")
"""A player in a file, in a stored spec."""
SOME_DAYS: Final = 14
"""After this many days, the hint shows the date."""


def ago(moment: datetime) -> str:
    """Return how long ago something was: `just now`, `5 minutes ago`, `2026-03-01`."""
    seconds = int((datetime.now(UTC) - moment).total_seconds())
    if seconds >= SOME_DAYS * 86_400:
        return moment.astimezone().strftime("%Y-%m-%d")
    for size, name in STEPS:
        many = seconds // size
        if many >= 1:
            return f"{many} {name}{'s' if many > 1 else ''} ago"
    return "just now"


def player_name(spec: str) -> str:
    """Return the player of a stored spec, without options and folders: `td`, `mine.py:Mine`,
    `best.npz`.
    """
    if match := FILE.match(spec):
        return PurePath(match[0]).name
    name, _, rest = spec.partition(":")
    if name == "museum":
        return f"{name}:{rest.partition(':')[0]}"
    return f"cmd:{PurePath(rest.split(' ')[0]).name}" if name == "cmd" else name


def players_of(info: RunInfo) -> str:
    """Return the players: `td v q`."""
    return f"{player_name(info.x)} v {player_name(info.o)}"
