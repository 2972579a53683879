"""The tree of a value in sentences: `why` tells its backups, `why 2` what is behind the second."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from game import Board
from learners.errors import shown
from tui.blocks.speech import board_words, figure
from tui.lab.microscope.inputs import board_of
from tui.lab.why_tree import WhyNode, WhyTree, ending, told_source
from tui.plain.place_sentences import places_for

if TYPE_CHECKING:
    from collections.abc import Sequence

PATH: Final = re.compile(r"[1-9]\d*(\.[1-9]\d*)*", re.ASCII)
DEEPEST: Final = 9
"""Lines of a path, one within the other."""


def behind(tree: WhyTree, path: str) -> tuple[list[str], list[str]] | str:
    """What stands behind a line, such as `2` or `2.1`: a heading and lines; or why nothing does."""
    numbers = path.split(".")
    if not PATH.fullmatch(path) or len(numbers) > DEEPEST:
        return f"{shown(path)} is no line: why 2 is the second line, why 2.1 the first behind it."
    nodes: Sequence[WhyNode] = tree.nodes
    node = None
    for number in numbers:
        if int(number[:9]) > len(nodes):
            return f"There is no line {shown(path)}: why alone tells them from the start."
        node = nodes[int(number) - 1]
        if not node.can_open:
            return ending(tree, node)
        nodes = tree.opened(node)
    assert node is not None
    lines = [f"{path}.{n}. {node_sentence(tree, one)}" for n, one in enumerate(nodes, 1)]
    if node.older:
        return ["The older backups, newest first."], lines
    return heading(tree, node), lines


def heading(tree: WhyTree, node: WhyNode) -> list[str]:
    """Which value a line was made of."""
    read = node.read
    if read is None:
        return [f"Its target was made of {told_source(tree, node)}."]
    place = board_of(tree.run.layout.table_of(read.entry), read.entry)
    if place is None:
        return [f"Its target was {figure(read.value)}."]
    move = f" The move is {place[1] + 1}." if place[1] >= 0 else ""
    board = board_words(Board.from_id(place[0]))
    return [f"The value that it read, {figure(read.value)}. {board}{move}"]


def node_sentence(tree: WhyTree, node: WhyNode) -> str:
    """A row of the tree: what the backup did, and how much of the value is what it was made of."""
    link, read = node.link, node.read
    part = "" if node.weight is None else f"{node.weight:.1%}"
    if node.older:
        return f"{told_source(tree, node)}{part and f', {part} of the value'}."
    if link is None:
        assert read is not None
        name = named(tree, node)
        told = figure(read.value, 3 if estimates(tree, node) else 0)
        return f"{part and f'{part} is '}{told}, {name}."
    backup, places = link.backup, places_for(link.backup)
    old, new = figure(backup.old, places), figure(backup.new, places)
    change = f"stayed {new}" if backup.old == backup.new else f"{old} to {new}"
    said = f"Game {backup.game + 1:,}, ply {backup.ply}: {change}"
    if not estimates(tree, node):
        return f"{said}, by {named(tree, node)}."
    value = figure(backup.target if read is None else read.value)
    return f"{said}{f'; {part} is' if part else ', towards'} {value}{made(tree, node)}."


def estimates(tree: WhyTree, node: WhyNode) -> bool:
    """Whether the numbers are values, not beads."""
    return tree.table(node).spec.rule.estimates


def named(tree: WhyTree, node: WhyNode) -> str:
    """What a row was read from."""
    if node.reader is not None and node.source is not None:
        place = board_of(tree.table(node), node.source.entry)
        if place is not None and place[1] >= 0:
            return f"move {place[1] + 1}"
    return told_source(tree, node)


def made(tree: WhyTree, node: WhyNode) -> str:
    """Where the target of a backup came from."""
    read = node.read
    if read is None:
        return f", the {told_source(tree, node)}"
    if read.place is not None:
        return f" of game {read.place.game + 1:,}"
    source = told_source(tree, node)
    return f", {source}" if source.startswith("the ") else ", a first guess"
