"""What a block draws, what of it is marked as selected, and places of a run to draw."""

from collections.abc import Iterator
from functools import cache

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import WRITE, Timeline
from afterstate_lab.tui.blocks.meaning import POINTER, Quantity, Selectable, means_at
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.microscope.reading import Update
from afterstate_lab.tui.theme.glyphs import UNICODE

PEN = Pen(UNICODE)


def picked(block: Selectable, columns: int = 118, rows: int = 28) -> list[str]:
    """The texts that are underlined."""
    pieces = (piece for line in block.draw(columns, rows, PEN) for piece in line)
    return [text for text, role in pieces if role.startswith("picked ")]


def lines_of(block: Selectable, columns: int = 118, rows: int = 28) -> list[str]:
    return ["".join(text for text, _ in line) for line in block.draw(columns, rows, PEN)]


def pointed(block: Selectable, columns: int = 118, rows: int = 28) -> list[str]:
    """The rows that are pointed at."""
    return [line for line in lines_of(block, columns, rows) if line.startswith(POINTER)]


def meant(block: Selectable, columns: int, rows: int, means: Quantity) -> Iterator[str]:
    """The texts that stand for something, and are clicked."""
    for line in block.draw(columns, rows, PEN):
        x = 0
        for text, _ in line:
            if text.strip() and means_at(line, x) == means:
                yield text.strip()
            x += len(text)


def at_backup(x: str, phase: int = WRITE, games: int = 60, game: int = 30) -> Timeline:
    """A backup of X in the middle of a game against chance, at a phase."""
    run = Run.of(parse_player(x), parse_player("random"), 3)
    run.train(games)
    timeline = Timeline(run)
    timeline.go_to(game)
    while not (
        isinstance(timeline.event, Backup)
        and timeline.event.ply >= 3
        and timeline.phase == phase
        and timeline.event.player == "X"
    ):
        assert timeline.step_phase()
    return timeline


def scope_at(timeline: Timeline, chosen: Quantity | None = None) -> Microscope:
    scope = Microscope.at(timeline, chosen)
    assert scope is not None
    return scope


@cache
def update_of(x: str, phase: int = WRITE) -> Update:
    return scope_at(at_backup(x, phase)).update


def panes_at(x: str, chosen: Quantity | None = None) -> tuple[Selectable, ...]:
    """The panes of Step where X backs up."""
    scope = Microscope(update_of(x), chosen)
    return (scope.board(), scope.choice(), scope.equation(), scope.diagram(), scope.entries(),
            scope.hero(24))  # fmt: skip
