"""What plain mode prints: any page, and the state of the lab, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.tape.events import Backup, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.recording import Cursor, best_cells, mover_values
from afterstate_lab.learners.tape.seating import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, PHASES, REPLY, VALUES, WRITE
from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.speech import (
    WIDTH,
    board_words,
    figure,
    joined,
    listed,
    places_for,
    spoken,
)
from afterstate_lab.tui.blocks.table import Table
from afterstate_lab.tui.lab.board import colour_at
from afterstate_lab.tui.lab.coach import Judged, move_results
from afterstate_lab.tui.lab.labels import board_row, result_sentence
from afterstate_lab.tui.lab.microscope.equation import closed
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import NO_VALUE, Running, sentence
from afterstate_lab.tui.lab.panes import stats_view
from afterstate_lab.tui.lab.scripts.numbers import MARK
from afterstate_lab.tui.pages.page import Page
from afterstate_lab.tui.theme.numerals import decimals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table as Memory
    from afterstate_lab.learners.tape.events import Event, Learning
    from afterstate_lab.learners.tape.timeline import Timeline
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.scripts.guide import Lessons
    from afterstate_lab.tui.lab.session import Session

ROWS: Final = 5
"""Rows of a table that are printed at a time."""


def say(page: Page, start: int = 0) -> Iterator[str]:
    """Yield a page in sentences, its tables from row `start`."""
    title = " ".join(f"{label} {value}" for label, value in page.title)
    yield sentence(spoken(f"{page.name.lower()}: {title} {joined(page.right)}").rstrip(": "))
    for block in (block for block in page.blocks if not block.is_silent):
        head = ", ".join(text for text in (joined(block.title), joined(block.right)) if text)
        head = head.replace("?,", "?")
        if head and head != page.name.lower():
            yield sentence(spoken(head))
        yield from said(block, start)
    if page.note:
        yield sentence(page.note)
    words = [f"{key.word} {'...' if key.asks else ''}".strip() for key in page.keys if key.word]
    chooses = "; a number chooses a row" if page.window is not None else ""
    yield f"You can say {', '.join(words)}{chooses}."


def said(block: Block, start: int = 0) -> Iterator[str]:
    """Yield a block in sentences, of a table a few rows."""
    if not isinstance(block, Table) or block.message:
        yield from block.say()
        return
    end = min(start + ROWS, block.count)
    yield from (f"{n + 1}. {block.said(n)}" for n in range(start, end))
    if end < block.count:
        yield f"{block.count - end:,} more: m shows them."


# the lab: what it shows now, and what each word shows

NAMES: Final = {"X": "You are X", "O": "You are O", "XO": "You are both X and O"}
OVER: Final = "Game over. Type n for a new game."
NOTHING_YET: Final = "This is the start: nothing has happened yet."


def paragraphs(lab: LabController) -> dict[Hashable, tuple[str, ...]]:
    """Return what the lab shows, in paragraphs; the new ones have new keys."""
    session = lab.session
    timeline, mode, guide = session.timeline, session.mode, lab.lessons.guide
    told: list[tuple[str, ...]] = []
    moves: dict[Hashable, tuple[str, ...]] = {}
    if mode is Mode.STEP:
        game, moment = f"Stepping through game {timeline.game + 1:,}.", tuple(place_lines(timeline))
        moves = {game: (game,), (timeline.place, timeline.phase, timeline.at): moment}
        told.append(tuple(selection(session)))
    else:
        number = session.run.games + (not timeline.recording.is_over)
        moves = moves_made(lab)
        if mode is Mode.PLAY or moves:
            you = f" {NAMES[session.humans]}." if mode is Mode.PLAY else ""
            heading = f"Game {number if you else timeline.game + 1:,}.{you}"
            moves = {heading: (heading,)} | moves
        end = timeline.event
        if mode is Mode.PLAY:
            told.append(tuple(board_lines(session.board)))
        if isinstance(end, GameOver):
            told.append((result_sentence(end, session.humans if mode is Mode.PLAY else ""),))
        if isinstance(end, GameOver) or mode is Mode.WATCH:
            told += [(line,) for line in all_learned(session)]
    if guide is not None:
        told += lesson_lines(guide)
    return moves | {lines: lines for lines in told if lines}


def lesson_lines(guide: Lessons) -> list[tuple[str, ...]]:
    """Return the step of a lesson; at the first, which lesson it is."""
    steps, step = guide.lesson.steps, guide.step
    title = f"{guide.lesson.title}, in a separate run; tour ends it."
    text = f"Step {guide.number + 1}/{len(steps)}, {step.title}: {guide.text}"
    told = (spoken(text.replace(MARK, "")), guide.to_type)
    return [told] if guide.number else [(title,), told]


def moves_made(lab: LabController) -> dict[Hashable, tuple[str, ...]]:
    """Return the moves of the game: yours with what the coach says, others with what you see."""
    session = lab.session
    run, timeline = session.run, session.timeline
    found: dict[Hashable, tuple[str, ...]] = {}
    for row in timeline.rows:
        move = timeline.event_at(row)
        if row >= timeline.at:
            break
        if not isinstance(move, Move):
            continue
        board, own = Board.from_id(move.board), session.mode is Mode.PLAY
        if own and move.player in session.humans:
            coach = Judged.of(board, move.cell).sentence
            lines: tuple[str, ...] = (f"{move.player} takes {move.cell + 1}. {coach}",)
        else:
            table, v = run.layout.table(Side(board.ply % 2)), Cursor(timeline.recording, row).v
            rule = table.spec.rule
            has_values = rule.learns or not rule.draws
            known = mover_values(table, v, board.id) if has_values else {}
            lines = (move_words(move, best_cells(known) if known else []),)
            if not own:
                lines = (*lines, board_words(Board.from_id(move.afterstate)))
            elif lab.shows == "exact":
                lines = (*exact_lines(board), *lines)
            elif lab.shows == "values" and has_values:
                lines = (*knowledge_lines(table, v, board), *lines)
        found[timeline.game, move.ply, lines[-1]] = lines
    return found


def where(lab: LabController, *, is_brief: bool = False) -> Iterator[str]:
    """Describe the moment, the players and the board; between games, the board if wanted."""
    session = lab.session
    run, timeline, board = session.run, session.timeline, session.board
    if session.mode is Mode.PLAY:
        number = run.games + session.game_goes_on
        players = [f"{name} is {spec}" for name, spec in (("X", run.x), ("O", run.o))]
        others = [text for text in players if text[0] not in session.humans]
        yield f"Playing game {number:,}. {'. '.join([NAMES[session.humans], *others])}."
        yield from board_lines(board)
        goes_on = f"{board.to_move}, it is your move." if session.game_goes_on else ""
        yield goes_on or "The game is over."
        return
    stepping = session.mode is Mode.STEP
    yield "Stepping." if stepping else "Between games; n begins one, w watches one, t trains."
    rows = timeline.rows
    event = f", event {timeline.row - rows.start + 1} of {len(rows)}" if len(rows) else ""
    if games := max(run.games, timeline.recording.last):
        yield f"Game {timeline.game + 1:,} of {games:,}{event}."
    yield f"X is {run.x}. O is {run.o}. Seed {run.seed}."
    if stepping or not is_brief:
        told = place_lines(timeline)
        yield from told
        yield from board_lines(board)[told[-1] == board_words(board) :]


def selection(session: Session) -> Iterator[str]:
    """Describe the selected number, if any."""
    scope = session.microscope if session.selection is not None else None
    if scope is not None and scope.selected is not None:
        yield sentence(spoken(scope.selection))


def values(lab: LabController) -> Iterator[str]:
    """Describe each move: the candidates in Step; in a game, what your learner knows."""
    session = lab.session
    if session.mode is Mode.STEP:
        scope = Microscope.at(session.timeline)
        told = [] if scope is None else list(scope.choice().say())
        yield from told or ["There is no choice here."]
    elif not session.game_goes_on:
        yield OVER
    else:
        board, v = session.board, session.timeline.v
        table = session.run.layout.table(Side(board.ply % 2))
        if table.visits(v).any():
            yield from knowledge_lines(table, v, board)
        else:
            yield "No learner was trained on your side; e shows the exact values."


def exact(lab: LabController) -> list[str]:
    """Return the result of each move under perfect play."""
    board = lab.session.board
    if board.is_over:
        return ["The game is over here." if lab.session.mode is Mode.STEP else OVER]
    return exact_lines(board)


def equation(lab: LabController) -> Iterator[str]:
    """Describe the current update: rule, numbers, code, and the exact value."""
    scope = Microscope.at(lab.session.timeline)
    if scope is None or scope.update.learned is None:
        yield NO_VALUE
        return
    rule, code = scope.update.spec.rule, scope.update.code
    yield f"Rule, {rule.source}: {rule_words(rule.equation.symbols)}."
    if scope.told:
        yield scope.told
    if code is not None:
        yield f"Code: {code.text}  ({code.place})."
    if scope.update.exact is not None:
        yield f"Exact value: {figure(scope.update.exact)}."


def stairs(lab: LabController) -> Iterable[str]:
    """Describe when each board of the game first moved, and the idea of its rule."""
    scope = lab.session.microscope
    if scope is None:
        return [NO_VALUE]
    work = lab.session.sweep_work(WIDTH)
    if work is not None:
        work.taken(work.do(Running(work)))
    return scope.stairs(lab.session.sweep, 0).say()


def stats(lab: LabController) -> Iterator[str]:
    """Describe the results, and each player's exact metrics at the current moment."""
    session = lab.session
    if session.mode is Mode.STEP and not session.is_at_end:
        yield f"In game {session.timeline.game + 1:,} of {session.run.games:,}, at this moment."
    yield from stats_view(session).say()


SHOWN: Final[dict[str, Callable[[LabController], Iterable[str]]]] = {
    "where": where, "values": values, "exact": exact, "equation": equation,
    "stairs": stairs, "stats": stats,
}  # fmt: skip
"""What the words show that only show something."""


# moments

RULE_SIGNS: Final = {
    "[": " times (",
    "]": ")",
    "+": " plus ",
    "−": " minus ",
    "γ(": "γ times (",
    "×": " times ",
}


def place_lines(timeline: Timeline) -> list[str]:
    """Describe the current moment in a few sentences."""
    scope = Microscope.at(timeline)
    if scope is None:
        return [NOTHING_YET]
    event, phase = timeline.event, timeline.phase
    words = spoken(scope.words)
    if isinstance(event, GameOver):
        return [f"End: {words}"]
    if isinstance(event, NoBackup):
        return [f"No backup, {event.player}: {words}", about(event)]
    name = PHASES[phase].capitalize()
    if isinstance(event, Backup):
        lines = [f"{name}, {event.player}: {words}"]
        if phase == WRITE:
            return [*lines, scope.told]
        return lines if phase == REPLY else [*lines, about(event)]
    assert isinstance(event, Move)
    if phase == VALUES:
        return [f"{name}: {words}", *scope.choice().ranking()]
    board = event.afterstate if phase == CHOICE else event.board
    return [f"{name}: {words}", board_words(Board.from_id(board))]


def about(event: Learning) -> str:
    """Name the entry of an event."""
    board = Board.from_id(event.board)
    place = f": {board_words(board)}".removesuffix(".") if board.ply else " is empty"
    move = "" if event.cell is None else f"; the move is {event.cell + 1}"
    return f"Its board{place}{move}."


def rule_words(symbols: str) -> str:
    """Return the equation of a rule in words."""
    for sign, words in RULE_SIGNS.items():
        symbols = symbols.replace(sign, words)
    return closed(spoken(symbols))


# boards, moves and values


def number(value: float, places: int = 3) -> str:
    """Return a value with a few decimals and no leading zero: .402."""
    return decimals(value, places).replace("−", "-")


def board_lines(board: Board) -> list[str]:
    """Return the marks of each side, then three lines with the numbers of free cells."""
    return [board_words(board), *grid(board, {cell: str(cell + 1) for cell in range(9)}, " ")]


def grid(board: Board, labels: Mapping[int, str], gap: str = "  ") -> list[str]:
    """Return the board in three lines, with labels in free cells (0-8)."""
    texts = [labels[cell] if mark == "." else mark for cell, mark in enumerate(str(board))]
    width = max(map(len, texts))
    return [gap.join(text.rjust(width) for text in texts[row : row + 3]) for row in (0, 3, 6)]


def exact_lines(board: Board) -> list[str]:
    """Return a heading and three lines: the result of each move under perfect play."""
    return [f"What each move is worth to {board.to_move}:", *grid(board, move_results(board))]


def knowledge_lines(table: Memory, v: NDArray[np.float64], board: Board) -> list[str]:
    """Return a heading and three lines: what the mover knows of a position."""
    known = mover_values(table, v, board.id)
    colours = {cell: colour_at(table, v, board, cell) for cell in known}
    labels = {
        cell: number(known[cell]) if colour is None else f"{colour.share / len(colour.cells):.0%}"
        for cell, colour in colours.items()
    }
    if any(colours.values()):
        heading = f"How sure {board.to_move} is of each move, by its beads:"
    else:
        heading = f"What {board.to_move} expects of each move:"
    return [heading, *grid(board, labels)]


def move_words(move: Move, preferred: list[int]) -> str:
    """Return a move, and how it was chosen; `preferred` are the mover's best cells, 0-8."""
    how = ""
    if preferred and move.choice == "greedy":
        how = " (its best)" if len(preferred) == 1 else f" (one of its {len(preferred)} best)"
    elif preferred and move.choice == "exploratory":
        how = f" (exploring: it likes {listed(preferred, 'or')} better)"
    elif preferred and move.choice == "drawn":
        how = " (drawn from its beads)"
    return f"{move.player} takes {move.cell + 1}{how}."


def all_learned(session: Session) -> Iterator[str]:
    """Yield what each learner has learned from the game so far."""
    seats = session.run.seating_of(session.timeline.game)
    for side, seat in ((Side.X, seats.x), (Side.O, seats.o)):
        table = session.run.layout.table(side)
        if seat is Seat.LEARNS and table.spec.learns:
            yield from learned_lines(session.timeline.events_so_far(), table)


def learned_lines(events: Iterable[Event], table: Memory) -> list[str]:
    """Return what a learner learned from a game, a sentence for each entry, in order."""
    name = table.side.mark
    sentences: dict[int, str] = {}
    first: dict[int, float] = {}
    is_over = False
    for event in events:
        is_over = isinstance(event, GameOver)
        if isinstance(event, Backup) and event.player == name:
            old = first.setdefault(event.entry, event.old)
            change = went(old, event.new, table.spec.rule.estimates)
            sentences[event.entry] = f"{name}'s {subject(event, table)} {change}."
        elif isinstance(event, NoBackup) and event.player == name:
            why = f"stayed as it was: the move after it was {event.reason}"
            sentences.setdefault(event.entry, f"{name}'s {subject(event, table)} {why}.")
    return list(sentences.values()) or [f"{name} learned nothing from this game."] * is_over


def subject(event: Backup | NoBackup, table: Memory) -> str:
    """Return the name of an entry: the value of a board, or of a move on it."""
    what = "value" if table.spec.rule.estimates else "number of beads"
    board = spoken(board_row(event.board))
    if event.cell is None:
        return f"{what} of {board}"
    return f"{what} for {event.cell + 1} {'with' if event.board else 'on'} {board}"


def went(old: float, new: float, is_estimate: bool = True) -> str:
    """Return how a number changed, with enough decimals to see it."""
    was, now = f"{old:g}", f"{new:g}"
    if is_estimate:
        was, now = (number(value, places_for(old, new, 3)) for value in (old, new))
    return f"stayed at {now}" if was == now else f"went from {was} to {now}"
