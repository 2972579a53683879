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
    places: int = 6
    """Decimals of the step."""
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
    chosen: int | None = None
    """Index of the empty cell whose move is valued, shown by its number."""
    values: tuple[tuple[str, float | None, str], ...] = ()
    """Label, value and role, below the board."""
    places: int = 6
    """Decimals of the first value."""
    note: Words = ""
    """Where there is no room its first pieces give way."""
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
    """What a taken candidate is called, if not `taken`."""
    share: float | None = None
    """Its probability, or its share of the beads; shown instead of the visits."""
    detail: str = ""
    """Beside the value, e.g. what each of two tables says."""
    colour: int | None = None
    """0-8: the colour of its beads."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """The candidates of a move, best first, and the dice (`right`)."""

    rows: tuple[ChoiceRow, ...]
    title: Words = "choice"
    right: Words = ""
    value_label: str = "V"
    count_label: str = "n"
    """Above the visits, or the shares."""
    places: int = 5
    """Decimals of the values."""
    focused: bool = False


@dataclass(frozen=True, slots=True)
class DiagramRow:
    """A state of the backup diagram, or a remark between two (one without a value)."""

    label: str
    value: float | None = None
    board: str = ""
    """Of a remark, what it says first."""
    role: str = "text"
    """Of the board."""
    words: Words = ""
    lit: bool = False


@dataclass(frozen=True, slots=True)
class ArcView:
    """An arrow from a later state to an earlier one."""

    to: int
    """The row that is backed up."""
    source: int
    """The row below it whose value is read."""
    role: str = "dim"
    """`key` for the one that is made now."""


@dataclass(frozen=True, slots=True)
class DiagramView:
    """The backup diagram of a game, top to bottom."""

    rows: tuple[DiagramRow, ...]
    arcs: tuple[ArcView, ...] = ()
    places: int = 4
    """Decimals of the values."""
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
    extra: str = ""
    """A further column: a trace, a table, the change in beads."""
    places: int = 5
    """Decimals of old and new."""
    role: str = "text"
    lit: bool = False


@dataclass(frozen=True, slots=True)
class EntriesView:
    """The entries an update changed, and what is said about them."""

    rows: tuple[EntryRow, ...]
    notes: tuple[Words, ...] = ()
    board_width: int = 9
    """Columns of the widest entry to come."""
    truth_label: str = "v*"
    """Above the exact values; empty where there are none."""
    extra_label: str = ""
    """Above the further column."""
    title: Words = "entries changed"
    right: Words = "v* exact"
    focused: bool = False
