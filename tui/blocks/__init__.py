"""Blocks: what pages are made of; curves and figures have files of their own."""

from afterstate_lab.tui.blocks.block import Beside, Block, Part, Room, Stack, Window
from afterstate_lab.tui.blocks.cells import Cells, CellView, HeatScale, marked
from afterstate_lab.tui.blocks.lists import Cell, Choice, Column, Item, Log, Menu, Question, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.blocks.text import Card, Text

__all__ = [
    "Beside",
    "Block",
    "Card",
    "Cell",
    "CellView",
    "Cells",
    "Choice",
    "Column",
    "HeatScale",
    "Item",
    "Log",
    "Menu",
    "Part",
    "Question",
    "Room",
    "Stack",
    "Table",
    "Text",
    "Window",
    "Words",
    "joined",
    "marked",
    "spoken",
]
