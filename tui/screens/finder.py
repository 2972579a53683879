"""What the palette finds: titles by any word, and a board or a cell that is typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from textual.app import SystemCommand
from textual.command import Hit, Hits
from textual.content import Content
from textual.system_commands import SystemCommandsProvider

from game import Board, InvalidBoardError
from learners.rules.registry import rules
from tui.lab.commands import Screen
from tui.lab.modes import Mode
from tui.lab.outcomes import Open, Outcome, Question
from tui.screens.palette import from_lab, lab_under, perform

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen


IN_FULL: Final = 1_000.0
"""More than how well a part of a title can match (Textual gives each letter a few points)."""


class LabFinder(SystemCommandsProvider):
    """The palette's titles; first the board or cell that is typed, then a word in full."""

    async def search(self, query: str) -> Hits:
        """What matches a text."""
        async for hit in super().search(query):
            if isinstance(hit, Hit):
                hit.score += IN_FULL * how_full(hit.text or "", query)
            yield hit
        app: Any = self.app
        lab = lab_under(app, self.screen)
        for command in typed_things(lab, query) if lab is not None else ():
            yield Hit(2 * IN_FULL, Content(command.title), command.callback, help=command.help)


def how_full(title: str, typed: str) -> float:
    """1 where a title explains the word that was typed; more where it is a command's own.

    A player is rather chosen than explained.
    """
    word = typed.strip().lower()
    if title.startswith(f"{word} ("):
        return 1.5
    names = title.partition(":")[0].removeprefix("what is ").lower().split(", ")
    return float(title.startswith("what is ") and word in names and word not in rules())


def typed_things(lab: LabScreen, typed: str) -> Iterator[SystemCommand]:
    """What can be done with a board (`XO..X....`, `?` for any mark) or a cell (`5`, `cell 5`)."""
    text = re.sub(r"[\s/]", "", typed).upper().replace("_", ".")
    cell = re.fullmatch(r"(?:CELL)?([1-9])", text)
    if cell is not None:
        yield from on_cell(lab, cell[1])
    elif re.fullmatch(r"[XO.?]{9}", text) and ("?" in text or is_board(text)):
        yield from on_board(lab, text)


def is_board(text: str) -> bool:
    """Whether a game can come to a board."""
    try:
        Board.parse(text)
    except InvalidBoardError:
        return False
    return True


def on_cell(lab: LabScreen, cell: str) -> Iterator[SystemCommand]:
    """Mark it, or play it instead of the move that is looked at."""
    mark = from_lab(lab, partial(perform, lab, "cell", cell))
    yield SystemCommand(f"cell {cell}: mark it in your game", "", mark)
    if lab.lazy.mode is Mode.STEP:
        fork = from_lab(lab, partial(fork_at, lab, cell))
        yield SystemCommand(f"cell {cell}: play it here instead, in a line of its own", "", fork)


def fork_at(lab: LabScreen, cell: str) -> None:
    """Play a cell instead of the move that is looked at."""
    asked = lab.controller.perform("fork")
    lab.take_from_home(asked.answer(cell) if isinstance(asked, Question) else asked)


def on_board(lab: LabScreen, board: str) -> Iterator[SystemCommand]:
    """Its values, and its matchbox where a player draws from one."""
    table: Outcome = Open(Screen.TABLE, board)
    show = from_lab(lab, partial(lab.take_from_home, table))
    yield SystemCommand(f"board {board}: its values, visits and exact values", "", show)
    if lab.lazy.is_started and "?" not in board:
        from tui.lab.matchbox import BoxController, box_of

        box = box_of(lab.session, Board.parse(board), lab.session.timeline.v)
        if box is not None:
            opened = Open(Screen.MATCHBOX, BoxController((box,)))
            look = from_lab(lab, partial(lab.take_from_home, opened))
            yield SystemCommand(f"board {board}: its matchbox", "", look)
