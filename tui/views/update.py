"""What the panes of the backup microscope show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tui.views.words import Words


class Role(Enum):
    """What a number is in the update that is looked at."""

    OLD = "old"
    """What the entry that is backed up held before."""
    NEW = "new"
    """What is written there."""
    READ = "read"
    """What the backup looks at."""
    ENTRY = "entry"
    """What any other entry of the memory holds."""
    MEAN = "mean"
    """The mean of a learner's two tables, by which moves are ranked."""
    REWARD = "reward"
    """What the result is worth."""
    TARGET = "target"
    """What the entry is moved towards, where more is in it than what was read."""
    ERROR = "error"
    """The TD error."""
    CHANGE = "change"
    """New minus old."""
    STEP = "step"
    """The step size."""
    DISCOUNT = "discount"
    """The discount rate."""
    TRACE = "trace"
    """How much of the error reaches the entry."""
    BEADS = "beads"
    """How many beads a result moves."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number; equal quantities are the same number, wherever they are shown."""

    role: Role
    entry: int = -1
    """Index into memory; -1 for what is worked out and stored nowhere."""


@dataclass(frozen=True, slots=True)
class TermView:
    """One term of an update: the symbol above, its number below."""

    symbol: str
    number: str
    role: str = "text"
    lit: bool = False
    """Read or written in the current phase."""
    quantity: Quantity | None = None
    """What the number stands for."""
    wholes: tuple[Quantity, ...] = ()
    """What the term is a part of, the least first."""
    selected: bool = False
    spoken: str = ""
    """The number in words, where it is more than a number."""


@dataclass(frozen=True, slots=True)
class MarkView:
    """A mark on the number line."""

    value: float
    label: str
    role: str
    glyph: str
    """One character: `┃` target, `●` old, `○` new, `┃` v*."""
    quantity: Quantity | None = None
    selected: bool = False


@dataclass(frozen=True, slots=True)
class SpanView:
    """A stretch of the number line between two marks: drawn while it is selected."""

    first: float
    last: float
    quantity: Quantity
    selected: bool = False


@dataclass(frozen=True, slots=True)
class CodePart:
    """A part of the line of code."""

    start: int
    """Its first column."""
    stop: int
    quantity: Quantity
    selected: bool = False


@dataclass(frozen=True, slots=True)
class ValueView:
    """A number with its name."""

    label: str
    value: float | None
    role: str
    quantity: Quantity | None = None
    selected: bool = False
    places: int = 9
    """Most decimals."""


@dataclass(frozen=True, slots=True)
class UpdateView:
    """One update four ways: rule, numbers, code, words; and on the number line."""

    terms: tuple[TermView, ...]
    delta: float | None = None
    delta_quantity: Quantity | None = None
    delta_selected: bool = False
    step: float | None = None
    step_quantity: Quantity | None = None
    step_selected: bool = False
    step_role: str = "text"
    """`better` where the step leads nearer to the truth, `worse` where it leads away."""
    code: str = ""
    parts: tuple[CodePart, ...] = ()
    """Of the code, those that stand for a number."""
    place: str = ""
    """The file and line of the code."""
    words: Words = ""
    marks: tuple[MarkView, ...] = ()
    """Later ones lie over earlier ones."""
    spans: tuple[SpanView, ...] = ()
    scale: tuple[float, float] = (0.0, 1.0)
    places: int = 6
    """Decimals of the step."""
    selection: tuple[Words, ...] = ()
    """What is selected, in pieces; the last give way where there is no room."""
    notice: str = ""
    """What there is to say of the last command, on a line of its own."""
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
    quantities: tuple[Quantity | None, ...] = ()
    """What each cell stands for, where it is a move that is valued."""
    selected: tuple[int, ...] = ()
    """Indices of the cells that are selected."""
    values: tuple[ValueView, ...] = ()
    """Below the board."""
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
    details: tuple[ValueView, ...] = ()
    """Beside the value, e.g. what each of two tables says."""
    colour: int | None = None
    """0-8: the colour of its beads."""
    about: tuple[int, ...] = ()
    """The entries that the row tells of, as indices into memory."""
    quantity: Quantity | None = None
    """What the value stands for."""
    selected: bool = False
    """The value is."""
    pointed: bool = False
    """The row tells of what is selected."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """The candidates of a move, best first, and the dice (`right`)."""

    rows: tuple[ChoiceRow, ...]
    title: Words = "choice"
    right: Words = ""
    value_label: str = "V"
    count_label: str = "n"
    """Above the visits, or the shares."""
    scale: tuple[float, float] = (0.0, 1.0)
    """The values of an empty bar and of a full one."""
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
    about: tuple[int, ...] = ()
    """The entries that the row tells of, as indices into memory."""
    quantity: Quantity | None = None
    """What the value stands for."""
    selected: bool = False
    """The value is."""
    pointed: bool = False
    """The row tells of what is selected."""


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
    player: str = ""
    """X or O, whose entry it is; empty where the title says so."""
    role: str = "text"
    lit: bool = False
    about: tuple[int, ...] = ()
    """The entries that the row tells of, as indices into memory."""
    old_quantity: Quantity | None = None
    old_selected: bool = False
    new_quantity: Quantity | None = None
    new_selected: bool = False
    pointed: bool = False
    """The row tells of what is selected."""


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
