"""What the panes of the lab show: board, log, curve, stats, mode line, key bar and tour."""

from __future__ import annotations

from typing import NamedTuple

from tui.views.words import Words


class ModeView(NamedTuple):
    """The top line: where one is, who plays, how fast."""

    mode: str
    """`WATCH`, `STEP`, `PLAY`, `TRAIN`; any other word does too."""
    x: str = ""
    """X's player in short, e.g. `td α.1 ε.1`."""
    o: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """Label and value, the most important first, e.g. `("game", "424")`."""
    status: Words = ""
    """At the right end, e.g. `▶ 2/s`."""
    phases: tuple[str, ...] = ()
    """The phases of an update, at the right end instead of the status."""
    phase: int | None = None
    """Which of them is now."""


class KeysView(NamedTuple):
    """The bottom line: keys with what they do, the most important first."""

    keys: tuple[tuple[str, str], ...]
    """Key (as shown) and label."""
    kept: tuple[str, ...] = ("i", "?", "q")
    """Keys that stay at the end however narrow the line."""


class FilmView(NamedTuple):
    """A whole run in one line."""

    at: float
    """0…1, where one is."""
    marks: tuple[tuple[float, str], ...]
    """0…1, and the sign of what happened there."""
    said: str
    """The game."""
    games: int


class TourView(NamedTuple):
    """The card of a lesson."""

    title: str
    right: str
    text: str
    todo: Words
    focused: bool = True


class CellView(NamedTuple):
    """One of the nine cells."""

    mark: str = ""
    """`X`, `O` or empty."""
    label: str = ""
    """The key that plays here, in the corner."""
    value: float | None = None
    """What the learner thinks of playing here."""
    beads: int | None = None
    """Beads of the cell's colour in the open matchbox, instead of a value."""
    colour: int = 0
    """0-8: the colour of its beads."""
    came: int = 0
    """Beads that have just been dropped in; below 0, that have left."""
    drawn: bool = False
    """One of its beads is out of the box: it decides the move."""
    heat: float | None = None
    """−1…1 for the background, 0 is worth a draw; None leaves it unpainted."""
    rank: int | None = None
    """1 for the best, shown where no background tells it."""
    note: Words = ""
    """A second line: the exact value, a rank, beads, a trace."""
    best: bool = False
    """A greedy (or best) cell."""
    cursor: bool = False
    last: bool = False
    """The move just made."""
    winning: bool = False
    """Part of the line that won."""
    changed: bool = False
    """Its value is being written now."""
    faded: bool = False
    """The value no longer matters: the game is over."""


class ScaleView(NamedTuple):
    """What the backgrounds of the cells mean."""

    low: float
    """The least value on the board."""
    high: float
    heats: tuple[float, ...]
    """Evenly from `low` to `high`."""
    draw: int | None = None
    """Which of them is worth a draw."""


class BoardView(NamedTuple):
    """The board with its titles and what is said about it."""

    cells: tuple[CellView, ...]
    scale: ScaleView | None = None
    """In the lower border."""
    title: Words = "board"
    right: Words = ""
    messages: tuple[Words, ...] = ()
    """Below the board; wrapped. Where no row is free for it the first stands in the border."""
    focused: bool = False


class LogView(NamedTuple):
    """Lines in the order they came, of which a window is seen."""

    lines: tuple[Words, ...]
    first: int = 0
    """The number of `lines[0]` in the whole log, if older ones were dropped."""
    cursor: int | None = None
    """The number of the line where the tape stands."""
    offset: int = 0
    """Lines scrolled back from the newest."""
    jump: int | None = None
    """Lines the window moves by when it is full; None is half a window, 1 scrolls smoothly."""
    ring: bool = False
    """New lines overwrite the oldest in place, below a moving rule: no scrolling at all."""
    heads: Words = ""
    """A row above the lines that stays, where they are columns."""
    yields: int | None = None
    """The piece of heads and lines that is left out where the widest of them has no room."""
    title: Words = "log"
    right: Words = ""
    focused: bool = False


def window(view: LogView, rows: int) -> list[int | None]:
    """The numbers of the lines seen in `rows` rows, top to bottom; None is a blank row.

    A window that moves by one repaints every row for each new line, a window that moves by half its
    height only once in many lines. So it moves by `jump`, except where the reader scrolled back.
    """
    first, count = view.first, view.first + len(view.lines)
    if rows <= 0:
        return []
    if view.ring and not view.offset and view.cursor is None:
        newest = range(max(first, count - rows + 1), count)
        seats: list[int | None] = [None] * rows
        for number in newest:
            seats[number % rows] = number
        return seats
    jump = max(1, rows // 2 if view.jump is None else view.jump)
    if view.offset:
        top = count - view.offset - rows
    else:
        top = -(-(count - rows) // jump) * jump
        if view.cursor is not None and view.cursor < top:
            both = count - rows if count - rows <= view.cursor else 0
            top = max(view.cursor // jump * jump, both)
    top = max(first, top)
    return [number if number < count else None for number in range(top, top + rows)]


class SideStats(NamedTuple):
    """One player, judged exactly. None stands for what is not known."""

    mark: str
    beatable: bool | None = None
    win: float | None = None
    """Against a random opponent, as `draw` and `loss`."""
    draw: float | None = None
    loss: float | None = None
    perfect_draw: float | None = None
    """The share of draws against a perfect opponent."""
    optimal: int | None = None
    """Positions in which the greedy move is optimal."""
    of: int | None = None
    """Of so many."""
    rms: float | None = None
    """The error of its values; `StatsView.rms_label` says against what."""
    others: tuple[tuple[str, str], ...] = ()
    """(label, value) of the figures that have no place above."""
    is_person: bool = False
    """Whether a person plays this side: the figures of a learner would not be theirs."""


class StatsView(NamedTuple):
    """Both players, the last games, the training."""

    sides: tuple[SideStats, ...]
    results: tuple[int, int, int] | None = (0, 0, 0)
    """Of the last games: won by X, drawn, won by O; None where they were not kept."""
    seen: tuple[tuple[str, int, int], ...] = ()
    """Coverage: whose (nothing for a table that both share), entries written, of how many."""
    rate: float | None = None
    """Games per second."""
    progress: float | None = None
    """0…1 of the training; None when there is none."""
    left: float | None = None
    """Seconds left."""
    rms_label: str = "rms"
    """The name of `SideStats.rms`."""
    note: tuple[str, ...] = ()
    """Beside the rate: how to train, the longest words first."""
    until: tuple[str, ...] = ()
    """How far a training until unbeatable has come, the longest words first; else empty."""
    title: Words = "stats"
    right: Words = "exact, greedy play"
    focused: bool = False


class SeriesView(NamedTuple):
    """One line, from left to right."""

    points: tuple[tuple[float, float], ...]
    """(x, y), x rising."""
    role: str = "text"
    label: str = ""
    """Beside the right end; short."""
    name: str = ""
    """The same in full, where there is room for it."""


class CurveView(NamedTuple):
    """Curves over games (or writes)."""

    series: tuple[SeriesView, ...]
    x_range: tuple[float, float] | None = None
    """None: from the points."""
    y_range: tuple[float, float] | None = (0.0, 1.0)
    """None: from the points and the reference."""
    log_x: bool = False
    x_label: str = "games"
    cursor: float | None = None
    """The x of "you are here": what comes later is dim."""
    point: tuple[float, float] | None = None
    """(x, y) of what is selected."""
    reference: float | None = None
    """An exact value: a horizontal line."""
    reference_label: str = "v*"
    title: Words = "learning"
    right: Words = ""
    note: Words = ""
    """Said where there is no curve."""
    focused: bool = False
