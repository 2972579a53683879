"""What the panes of the backup microscope show."""

from __future__ import annotations

from dataclasses import dataclass

from tui.views.words import Words


@dataclass(frozen=True, slots=True)
class TermView:
    """One term of an update: the symbol above, its number below."""

    symbol: str
    number: str
    role: str = "text"
    lit: bool = False
    """Read or written in the phase of now."""


@dataclass(frozen=True, slots=True)
class MarkView:
    """A mark on the number line."""

    value: float
    label: str
    role: str
    glyph: str
    """One character: `┃` target, `●` old, `○` new, `┃` v*."""


@dataclass(frozen=True, slots=True)
class UpdateView:
    """One update four ways: rule, numbers, code, words; and on the number line."""

    terms: tuple[TermView, ...]
    delta: float | None = None
    step: float | None = None
    code: str = ""
    place: str = ""
    """The file and line of the code."""
    words: Words = ""
    marks: tuple[MarkView, ...] = ()
    """Later ones lie over earlier ones."""
    scale: tuple[float, float] = (0.0, 1.0)
    title: Words = "the update, four ways"
    right: Words = ""
    focused: bool = False


@dataclass(frozen=True, slots=True)
class AfterstateView:
    """A small board with its values."""

    cells: str
    """Nine characters: `X`, `O` or `.`."""
    title: Words
    right: Words = ""
    moved: tuple[int, ...] = ()
    """Indices of the cells played last, lit."""
    values: tuple[tuple[str, float | None, str], ...] = ()
    """Label, value and role, below the board."""
    note: Words = ""
    focused: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A candidate cell."""

    cell: str
    value: float | None
    visits: int | None = None
    truth: float | None = None
    best: bool = False
    taken: bool = False
    note: str = ""
    """Beside the bar; `taken` is said by itself."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """The candidates of a move, best first, and the dice (`right`)."""

    rows: tuple[ChoiceRow, ...]
    title: Words = "choice"
    right: Words = ""
    value_label: str = "V"
    focused: bool = False


@dataclass(frozen=True, slots=True)
class DiagramRow:
    """A state of the backup diagram, or a remark between two."""

    label: str
    value: float | None = None
    board: str = ""
    role: str = "text"
    """Of the board."""
    written: bool = False
    """Backed up from the next state: an arrow comes in."""
    read: bool = False
    """The state before is backed up from it."""
    words: Words = ""
    lit: bool = False


@dataclass(frozen=True, slots=True)
class DiagramView:
    """The backup diagram of a game, top to bottom."""

    rows: tuple[DiagramRow, ...]
    title: Words = "backup diagram"
    right: Words = ""
    focused: bool = False


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A changed entry of the memory."""

    board: str
    old: float | None
    new: float | None
    truth: float | None = None
    role: str = "text"
    lit: bool = False


@dataclass(frozen=True, slots=True)
class EntriesView:
    """The entries an update changed, and what is said about them."""

    rows: tuple[EntryRow, ...]
    notes: tuple[Words, ...] = ()
    title: Words = "entries changed"
    right: Words = "v* exact"
    focused: bool = False
