"""What if: one game under another rule, in lockstep, and the whole run again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.what_if import EventDifference, rerun
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.judge.figures import RMS_MINIMAX
from afterstate_lab.learners.tape.events import Backup, GameOver, Move, NoBackup
from afterstate_lab.tui.blocks.block import Beside, Part, Stack
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.meaning import Value
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.blocks.speech import board_words, figure, places_for
from afterstate_lab.tui.blocks.stats import Stats
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.microscope.hero import cells_of, name_of, names
from afterstate_lab.tui.lab.outcomes import Work
from afterstate_lab.tui.lab.panes import sides_stats
from afterstate_lab.tui.lab.what_if import NO_FURTHER, lockstep_of, pair_line, value_lines
from afterstate_lab.tui.pages.page import BACK, Key, Opened, Page
from afterstate_lab.tui.theme.numerals import count, short

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.events import Event
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.microscope.reading import Update
    from afterstate_lab.tui.lab.session import WhatIfSummary
    from afterstate_lab.tui.lab.what_if import Lockstep

PAGE: Final = 10
"""Number of events per page."""
NAMES: Final = {
    EventDifference.CHOICE: "another move",
    EventDifference.MISSING: "nothing is backed up",
    EventDifference.EXTRA: "backed up only here",
    EventDifference.TARGET: "another target",
    EventDifference.STEP: "another step size",
    EventDifference.NEW: "another number is written",
    EventDifference.RESULT: "another result",
}
"""Each difference in words, for the second game."""


@dataclass(frozen=True, kw_only=True)
class Games(Log):
    """The events of both games, and where they differ."""

    told: tuple[str, ...]

    def say(self) -> Iterator[str]:
        yield from self.told


class BothGames:
    """A game and its what-if: both updates move together.

    Args:
        asked: both games.
    """

    def __init__(self, asked: WhatIfSummary) -> None:
        self.asked = asked
        self.lockstep = lockstep_of(asked)
        self.runs: tuple[Curve, Stats] | None = None
        """Both whole runs, once the other was played."""
        self.shows_runs = False
        self._part = 0.0
        """The progress of the other run."""

    def move(self, by: int) -> None:
        """Move to another event, within the game."""
        last = len(self.lockstep.pairs) - 1
        self.lockstep.go_to(min(max(self.lockstep.at + by, 0), last))

    def step(self, by: int) -> None:
        self.lockstep.step(by)

    def to_difference(self, by: int) -> str | None:
        return None if self.lockstep.to_difference(by) else NO_FURTHER

    def toggle_runs(self) -> Work | None:
        """Show the two runs, playing the other if necessary, or the games."""
        if self.runs is None:
            return Work(self._play, says="Playing the whole run again…", then=self._take)
        self.shows_runs = not self.shows_runs
        return None

    def _play(self, stop: Callable[[], bool]) -> tuple[Curve, Stats] | None:
        """Rerun, and return both curves and the exact metrics of the other run."""
        asked = self.asked

        def tell(part: float) -> None:
            self._part = part

        others: dict[str, Any] = {asked.player.lower(): asked.spec}
        other = rerun(asked.run, **others, progress=tell, stop=stop)
        if other is None:
            return None
        sides = sides_stats(evaluate_memory(other.layout, other.memory))
        label = RMS_MINIMAX.error_label
        stats = Stats(sides=sides, rms_label=label, title="if so, at the end", rank=1)
        return overlay(asked, other), stats

    def _take(self, runs: tuple[Curve, Stats] | None) -> str:
        self.runs, self.shows_runs = runs, runs is not None
        return ""

    # what is shown

    def page(self) -> Page:
        lockstep, asked = self.lockstep, self.asked
        many = len(lockstep.differences)
        told = "every event is the same"
        if many:
            values = any(pair.differs_in_value for pair in lockstep.pairs)
            told = f"{many} of {len(lockstep.pairs)} events differ"
            told += "" if values else ", no value does"
        body: Part = Stack((*(self._game(which) for which in (0, 1)), self._games()))
        if self.shows_runs and self.runs is not None:
            body, told = Stack(self.runs), ""
        elif self._part and self.runs is None:
            told = f"▶ the whole run {self._part:.0%}"
        return Page(
            "WHAT IF", body, keys=self._keys(), right=told, of_run=True,
            title=(
                ("game", count(asked.result.original.first + 1)),
                ("seed", str(asked.run.seed)),
            ),
        )  # fmt: skip

    def _keys(self) -> tuple[Key, ...]:
        many = len(self.lockstep.pairs)
        return (
            Key("left", "", lambda: self.step(-1), "go to the previous phase in both games"),
            Key("right", "phase", lambda: self.step(1), "go to the next phase in both games"),
            Key("left_square_bracket comma up k", "", lambda: self.move(-1),
                "go to the previous event in both games"),
            Key("right_square_bracket full_stop down j", "event", lambda: self.move(1),
                "go to the next event in both games"),
            Key("c", "difference", lambda: self.to_difference(1), "to the next difference"),
            Key("C", "", lambda: self.to_difference(-1), "to the previous difference"),
            Key("home", "", lambda: self.move(-many), "to the first event"),
            Key("end", "", lambda: self.move(many), "to the last event"),
            Key("pageup", "", lambda: self.move(-PAGE), "ten events back"),
            Key("pagedown", "", lambda: self.move(PAGE), "ten events on"),
            Key("tab", "games" if self.shows_runs else "the whole run", self.toggle_runs,
                "switch between the game and both whole runs"),
            BACK,
        )  # fmt: skip

    def _game(self, which: int) -> Beside:
        """Return the update and the board of one of the two games."""
        pair, scope = self.lockstep.pair, self.lockstep.microscope(which)
        title = [(str(self.asked.spec) if which else self.asked.was, "title")]
        if which and pair.difference is not None:
            title.append((f"  ≠ {NAMES[pair.difference]}", "key"))
        if scope is not None:
            update, board = scope.equation(), backed_up(scope.update)
        else:
            other = self.lockstep.microscope(1 - which)
            update = Equation(words=nothing(pair.event))
            board = SmallBoard("." * 9) if other is None else backed_up(other.update)
            board = replace(board, values=())
        update = replace(update, title=tuple(title), rank=1, is_silent=True)
        return Beside((update, replace(board, rank=1, least_columns=0, is_silent=True)))

    def _games(self) -> Games:
        """Return the events of both games, and what the player knows afterwards."""
        lines = [*map(pair_line, self.lockstep.pairs), "", *value_lines(self.asked)]
        if any(self.asked.result.learned_anew):
            lines.append((("It knows what it would have learned by then.", "dim"),))
        return Games(
            lines=tuple(lines), cursor=self.lockstep.at, jump=1,
            title=f"what if {self.asked.player} were {self.asked.spec}",
            right="same game, same seed", clicked=self._choose, spot=True,
            told=(*game_sentences(self.asked), *difference_sentences(self.lockstep)),
        )  # fmt: skip

    def _choose(self, row: int) -> None:
        self.lockstep.go_to(row)


def backed_up(u: Update) -> SmallBoard:
    """Return the board whose value is backed up, with its value."""
    label, places = name_of(u, u.index).partition("(")[0], 0 if u.is_beads else 6
    values = (Value(label, u.value, "strong"), Value("v*", u.exact, "truth", places=3))
    known = tuple(value for value in values if value.value is not None)
    title = ((names(u)[u.index], "key"), (f" of {u.player}", "dim"))
    return SmallBoard(cells_of(u, u.index), title=title, values=known, places=places)


def nothing(event: Event) -> str:
    """Describe a game without this event."""
    if isinstance(event, Move | GameOver):
        return "The game is over by then."
    return "Nothing is backed up here."


def wins_of_x(run: Run) -> tuple[tuple[float, float], ...]:
    """Return X's share of wins between a run's keyframes."""
    return tuple(
        (float(later.game), int(later.tally[1] - earlier.tally[1]) / (later.game - earlier.game))
        for earlier, later in pairwise(run.keyframes)
    )


def overlay(asked: WhatIfSummary, other: Run) -> Curve:
    """Return X's share of wins in both runs."""
    run = asked.run
    return Curve(
        series=(
            Series(wins_of_x(run), role="x", label="was"),
            Series(wins_of_x(other), role="key", label="if"),
        ),
        x_range=(1.0, float(max(2, run.games))), y_range=(0.0, 1.0), log_x=run.games > 1000,
        title=f"X wins: was {asked.was}, if {asked.spec}", right=f"{short(run.games)} games",
    )  # fmt: skip


# in sentences


def game_sentences(asked: WhatIfSummary) -> list[str]:
    """Describe where two games differ, how each ends, and what the player learns."""
    result, player = asked.result, asked.player
    if not result.differences:
        return ["Every event is the same."]
    first = result.differences[0]
    same = "event is" if first == 1 else f"{first} events are"
    lines = [f"The first {same} the same." if first else "No event is the same."]
    ends = [
        event_sentence(events[-1])
        for events in (result.original.events(), result.other.events())
        if isinstance(events[-1], GameOver)
    ]
    if len(ends) == 2:
        lines.append(f"In the end: {ends[0]} Would be: {ends[1]}")
    differ = len(result.different_steps(player))
    verb = "differs" if differ == 1 else "differ"
    lines.append(f"{differ} of the {len(result.steps(player))} time steps of {player} {verb}.")
    if any(result.learned_anew):
        lines.append("It knows here what it would have learned from the start.")
    return lines


def difference_sentences(lockstep: Lockstep) -> list[str]:
    """Describe the current difference; nothing if both agree."""
    pair, of = lockstep.pair, lockstep.differences
    if pair.difference is None:
        return []
    one, other = pair.one, pair.other
    told = [nothing(pair.event) if event is None else event_sentence(event)
            for event in (one, other)]  # fmt: skip
    if told[0] == told[1] and isinstance(one, Backup) and isinstance(other, Backup):
        told = [
            f"{said} Its step size is {figure(event.step)}, its trace {figure(event.trace)}."
            for said, event in zip(told, (one, other), strict=True)
        ]
    heading = f"Difference {of.index(lockstep.at) + 1} of {len(of)}: {NAMES[pair.difference]}."
    return [heading, f"Was: {told[0]}", f"Would be: {told[1]}"]


def event_sentence(event: Event) -> str:
    if isinstance(event, GameOver):
        if event.result == "draw":
            return "The game is a draw."
        resigns = f"{'O' if event.result == 'X' else 'X'} resigns: " * event.resigned
        return f"{resigns}{event.result} wins."
    assert isinstance(event, Move | Backup | NoBackup)
    board = board_words(Board.from_id(event.board))
    if isinstance(event, Move):
        how = "explores" if event.exploratory else "takes"
        return f"{event.player} {how} {event.cell + 1}. {board}"
    move = "" if event.cell is None else f" Its move is {event.cell + 1}."
    if isinstance(event, NoBackup):
        return f"No backup of {event.player}: the move was {event.reason}. {board}{move}"
    places = places_for(event.old, event.new)
    old, new = figure(event.old, places), figure(event.new, places)
    return f"{event.player} writes {old} to {new}, towards {figure(event.target)}. {board}{move}"


def open_on(lab: LabController, data: WhatIfSummary, text: str) -> Opened:
    return BothGames(data).page, None
