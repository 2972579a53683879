"""Blocks: what pages are made of; curves are in a separate file."""

from afterstate_lab.tui.blocks.block import Beside, Block, Part, Room, Stack, Window, leaves
from afterstate_lab.tui.blocks.cells import (
    BoardRow,
    Cells,
    CellView,
    HeatScale,
    in_a_row,
    marked,
    winning,
)
from afterstate_lab.tui.blocks.lists import Cell, Choice, Column, Item, Log, Menu, Question, Table
from afterstate_lab.tui.blocks.span import Line, Words, width
from afterstate_lab.tui.blocks.speech import board_words, figure, joined, listed, spoken
from afterstate_lab.tui.blocks.text import LESSON_ROWS, Bar, Bars, Card, Text, Track
