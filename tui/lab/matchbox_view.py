"""The matchbox as it is shown: beads in their cells, colours, moments, and all of it in words."""

from __future__ import annotations

from typing import Final

from tui.blocks.cells import Cells, CellView
from tui.blocks.log import Log
from tui.lab.labels import side_role
from tui.lab.matchbox import Box, BoxController, BoxEvent
from tui.lab.microscope.inputs import Colour
from tui.theme.numerals import signed
from tui.views.words import Words

HEADS: Final = f"{'':<2}{'cells':<7} {'beads':>5} {'by':>4} {'share':>5} {'new':>4}"


def many(number: float) -> str:
    return f"{number:,.0f} bead{'s' * (round(number) != 1)}"


def cells_words(colour: Colour) -> str:
    """The cells of a colour: `cell 5`, `cells 1 3 7 9`."""
    cells = " ".join(str(cell + 1) for cell in colour.cells)
    return f"cell{'s' * (len(colour.cells) > 1)} {cells}"


def box_view(box: Box) -> Cells:
    """The box: its beads lie in the cells that they stand for."""
    return Cells(
        cells=tuple(box_cell(box, cell, mark) for cell, mark in enumerate(str(box.board))),
        title=(("box of ", "title"), (box.side.mark, side_role(box.side.mark, strong=True))),
        right=f"{box.total:,} beads" if box.total else "empty",
    )


def box_cell(box: Box, cell: int, mark: str) -> CellView:
    """A cell of the box: a mark, or the beads of its colour."""
    if mark != ".":
        return CellView(mark=mark, label=str(cell + 1))
    at = next(n for n, colour in enumerate(box.after) if cell in colour.cells)
    old, new = box.before[at], box.after[at]
    is_first = cell == new.cells[0]
    is_drawn = cell == box.played and box.event is BoxEvent.DRAW
    most = max(colour.beads for colour in box.after)
    note: Words = (
        ((f"{new.share:.0%}", "dim"),) if is_first else ((f"as {new.cells[0] + 1}", "dim"),)
    )
    return CellView(
        label=str(cell + 1),
        beads=round(new.beads),
        came=round(new.beads - old.beads),
        drawn=is_drawn,
        colour=new.number,
        note="" if is_drawn or new.beads != old.beads else note,
        best=new.beads == most and len(box.after) > 1,
    )


def colour_lines(box: Box) -> tuple[Words, ...]:
    """A line for each colour, the fullest first; then how often the box was written."""
    lines: list[Words] = []
    rows = zip(box.before, box.after, box.new, strict=True)
    for old, new, first in sorted(rows, key=lambda row: (-row[1].beads, row[1].cells)):
        cells = " ".join(str(cell + 1) for cell in new.cells)
        by = signed(new.beads - old.beads, 0) if old.beads != new.beads else ""
        is_played = box.played in new.cells
        lines.append(
            (
                ("● ", f"bead {new.number}"),
                (f"{cells:<7} ", "strong" if is_played else "text"),
                (f"{new.beads:>5,.0f}", "text"),
                (" " * (5 - len(by)), "text"),
                (by, "written"),
                (f" {new.share:>5.0%}", "text"),
                (f" {first:>4,.0f}", "dim"),
                (f"  {mark_of_colour(box)}", "key") if is_played else ("", "dim"),
            )
        )
    return tuple(lines)


def colours_view(box: Box) -> Log:
    return Log(
        lines=colour_lines(box), heads=HEADS, jump=1, title="its colours", right=colours_words(box)
    )


def words_view(box: Box) -> Log:
    """What happens to the box, in sentences."""
    lines: tuple[Words, ...] = tuple(((said, "strong"),) for said in box_sentences(box)[:1])
    rest = tuple(((said, "dim"),) for said in box_sentences(box)[1:])
    return Log(lines=(*lines, *rest), jump=1, title="what happens to it")


def mark_of_colour(box: Box) -> str:
    """What the game did with the colour that it is about."""
    if box.event is BoxEvent.DRAW:
        return "drawn" if box.choice == "drawn" else "taken"
    return "played"


def box_lines(controller: BoxController) -> Log:
    """A line for each moment of the game."""
    return Log(
        lines=tuple(box_line(box) for box in controller.boxes),
        cursor=controller.window.cursor,
        jump=1,
        title="boxes of the game",
        spot=True,
    )


def box_line(box: Box) -> Words:
    """A moment in a few words."""
    side = box.side.mark
    who = ((f"{side} ", side_role(side, strong=True)), (f"{box.board} ", "text"))
    cell = "" if box.played is None else f"@{box.played + 1}"
    match box.event:
        case BoxEvent.LOOK:
            return (*who, (many(box.total), "text"))
        case BoxEvent.NEXT:
            return (*who, ("draws next", "key"))
        case BoxEvent.DRAW:
            drawn = box.drawn
            share = "" if drawn is None else f"  {drawn.share:.0%}"
            return (*who, (f"→ {cell[1:]}", "strong"), (share, "dim"))
        case BoxEvent.REFILL:
            return (*who, (f"filled anew: {box.total:,}", "written"))
        case BoxEvent.EMPTY:
            return (*who, ("empty: resigns", "worse"))
    old, new = changed(box)
    return (*who, (f"{cell}  ", "text"), (f"{old:,.0f}→{new:,.0f}", "written"))


def changed(box: Box) -> tuple[float, float]:
    """The beads of the colour played, before and after the result."""
    pairs = zip(box.before, box.after, strict=True)
    return next((old.beads, new.beads) for old, new in pairs if box.played in new.cells)


def box_sentences(box: Box) -> list[str]:
    who = box.side.mark
    told = [sentence_of(box, who)]
    times = sum(box.written)
    often = f"{times:,} times" if times != 1 else "once"
    told.append(f"Its beads were changed {often}." if times else "Its beads are as when new.")
    return told


def sentence_of(box: Box, who: str) -> str:
    """What the event does to the box."""
    if box.event is BoxEvent.EMPTY:
        return f"{who} opens the box and finds no bead: it resigns."
    if box.event is BoxEvent.REFILL:
        return f"That was its last bead, so the box is filled anew: {many(box.total)}."
    if box.event is BoxEvent.RESULT:
        return result_sentence(box, who)
    if box.event is BoxEvent.DRAW:
        return draw_sentence(box, who)
    if not box.total:
        return f"The box of {who} is empty: {who} would resign."
    chance = "draws from" if box.spec.rule.draws else "looks into"
    when = "next" if box.event is BoxEvent.NEXT else "on this board"
    return f"{who} {chance} this box {when}: {many(box.total)} of {colours_words(box)}."


def colours_words(box: Box) -> str:
    return f"{len(box.after)} colour{'s' * (len(box.after) != 1)}"


def draw_sentence(box: Box, who: str) -> str:
    """How a move came out of the box."""
    drawn = box.drawn
    assert drawn is not None and box.played is not None
    cell = box.played + 1
    if box.choice == "scripted":
        return f"{who} was told to mark {cell}; the box has {many(drawn.beads)} for it."
    of = f"{drawn.beads:,.0f} of its {many(box.total)}"
    if box.choice == "drawn":
        shared = f", shared by {cells_words(drawn)}" if len(drawn.cells) > 1 else ""
        return f"{who} draws a bead for cell {cell}{shared}: {of}, {drawn.share:.0%}."
    if box.choice == "exploratory":
        return f"{who} takes a colour at random: cell {cell}, with {of}."
    return f"{who} takes a fullest colour: cell {cell}, with {of}."


def result_sentence(box: Box, who: str) -> str:
    """What the result puts in or takes."""
    old, new = changed(box)
    ended = "drew" if box.result == "draw" else "won" if box.result == who else "lost"
    colour = f"the colour of cell {(box.played or 0) + 1}"
    if new > old:
        verb = "drops" if new - old == 1 else "drop"
        said = f"{who} {ended}: {many(new - old)} {verb} in for {colour}, {old:,.0f} to {new:,.0f}."
    elif new < old:
        said = f"{who} {ended}: {many(old - new)} of {colour} leave, {old:,.0f} to {new:,.0f}."
        if old - new == 1:
            said = f"{who} {ended}: the bead that was played leaves, {old:,.0f} to {new:,.0f}."
    else:
        said = f"{who} {ended}: {many(new)} of {colour} stay, as none can leave."
    return said if box.total else f"{said} The box is empty now."
