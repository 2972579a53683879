"""A place of the timeline in sentences: its phase in words, the numbers, the board."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from game import Board
from learners.tape.events import Backup, GameOver, Move, NoBackup
from learners.tape.timeline import CHOICE, PHASES, REPLY, VALUES, WRITE
from tui.blocks.speech import board_words, figure, joined, listed, spoken, trimmed
from tui.lab.microscope.formula import UNKNOWN
from tui.lab.microscope.microscope import Microscope

if TYPE_CHECKING:
    from learners.tape.events import Learning
    from learners.tape.timeline import Timeline
    from tui.views.update import ChoiceRow, ChoiceView, TermView, UpdateView

NOTHING_YET = "This is the start: nothing has happened yet."
FLOORS = {"max(0,": "0", "max(1,": "1"}
"""Signs that keep what follows them from going below a number."""
OPERATORS = {"+": "plus", "−": "minus", "×": "times"}
RULE_SIGNS = {
    "[": " times (", "]": ")", "+": " plus ", "−": " minus ", "γ(": "γ times (", "×": " times ",
}  # fmt: skip


def place_lines(timeline: Timeline) -> list[str]:
    """The current place in a few sentences."""
    scope = Microscope.at(timeline)
    if scope is None:
        return [NOTHING_YET]
    event, phase = timeline.event, timeline.phase
    view = scope.equation()
    words = spoken(joined(view.words))
    if isinstance(event, GameOver):
        return [f"End: {words}"]
    if isinstance(event, NoBackup):
        return [f"No backup, {event.player}: {words}", about(event)]
    name = PHASES[phase].capitalize()
    if isinstance(event, Backup):
        lines = [f"{name}, {event.player}: {words}"]
        if phase == WRITE:
            return [*lines, equation(view)]
        return lines if phase == REPLY else [*lines, about(event)]
    assert isinstance(event, Move)
    lines = [f"{name}: {words}"]
    if phase == VALUES:
        first = [f"Game {event.game + 1:,}."] if event.ply == 1 else []
        return [*first, *lines, *candidates(scope.choice())]
    board = event.afterstate if phase == CHOICE else event.board
    return [*lines, board_words(Board.from_id(board))]


def about(event: Learning) -> str:
    """Which entry an event is about."""
    board = Board.from_id(event.board)
    where = f": {board_words(board)}".removesuffix(".") if board.ply else " is empty"
    move = "" if event.cell is None else f"; the move is {event.cell + 1}"
    return f"Its board{where}{move}."


def equation(view: UpdateView) -> str:
    """The update of a backup in numbers: V of S t: .5, plus .1 times (1 minus .5), gives .55."""
    words: list[str] = []
    floor, depth, is_factor = "", 0, False
    for term in view.terms[2:]:
        symbol = term.symbol
        if symbol in FLOORS:
            floor = FLOORS[symbol]
        elif symbol in OPERATORS or symbol == "±":
            words.append(OPERATORS[symbol if symbol == "×" else term.number])
            is_factor = False
        elif symbol in ("[", "("):
            words += ["times"] * is_factor + ["("]
            depth, is_factor = depth + 1, False
        elif symbol in ("]", ")"):
            words += [")"] * (depth > 0)
            depth, is_factor = depth - 1, True
        else:
            words += ["times"] * is_factor + [value_words(term)]
            is_factor = True
    told = closed(" ".join(words))
    first, _, rest = told.partition(" ")
    kept = f", never below {floor}" if floor else ""
    new = view.terms[0].number.strip()
    gives = "" if new == UNKNOWN else f", gives {trimmed(new)}"
    return f"{name_of(view.terms[0].symbol)}: {first}, {rest}{kept}{gives}."


def rule_words(symbols: str) -> str:
    """The equation of a rule as it is spoken."""
    for sign, words in RULE_SIGNS.items():
        symbols = symbols.replace(sign, words)
    return closed(spoken(symbols))


def closed(words: str) -> str:
    """Words whose parentheses stand close to what they hold."""
    return re.sub(r" +\)", ")", re.sub(r"\( +", "(", words))


def is_known(view: UpdateView) -> bool:
    """Whether all that an update reads is known at this place."""
    return not any(term.number.startswith(UNKNOWN) for term in view.terms[1:])


def value_words(term: TermView) -> str:
    """The number of a term, which may be an expression."""
    return spoken(term.spoken) if term.spoken else trimmed(term.number.strip().strip("()"))


def name_of(symbol: str) -> str:
    """What an entry is called in speech."""
    words = spoken(symbol)
    return words[:1].upper() + words[1:]


def candidates(view: ChoiceView) -> list[str]:
    """What is known of the moves that are chosen from, best first; equal ones together."""
    told = []
    for worth, rows in groupby(view.rows, key=worth_of):
        if worth:
            cells = [int(cell) - 1 for row in rows for cell in row.cell.split()]
            told.append(f"{listed(cells)} {worth}")
    order = "Most likely" if view.rows and view.rows[0].value is None else "Best"
    return [f"{order} first: {'; '.join(told)}."] if told else []


def worth_of(row: ChoiceRow) -> str:
    """What is known of a candidate: a value, beads, or how likely it is drawn."""
    if row.colour is not None and row.value is not None:
        return f"with {row.value:,.0f} {'bead' if row.value == 1 else 'beads'}"
    if row.value is not None:
        return f"at {figure(row.value, 3)}"
    return "" if row.share is None else f"with a chance of {row.share:.0%}"


def choice_lines(view: ChoiceView) -> list[str]:
    """Every candidate from all sides, and the dice."""
    lines = []
    for row in view.rows:
        facts = [worth_of(row)] if worth_of(row) else []
        if row.truth is not None:
            facts.append(f"exact value {figure(row.truth, 3)}")
        if row.visits is not None:
            facts.append(f"{row.visits:,} {'visit' if row.visits == 1 else 'visits'}")
        facts += ["its best"] * row.best + [row.note or "taken"] * row.taken
        lines.append(f"{listed([int(cell) - 1 for cell in row.cell.split()])} {', '.join(facts)}.")
    dice = spoken(joined(view.right))
    return [*lines, f"Dice: {dice}."] if dice else lines
