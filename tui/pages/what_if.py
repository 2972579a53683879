"""What if: one game under another rule, in lockstep, and the whole run again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.what_if import EventDifference, EventPair, rerun
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.judge.curve import Point
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.run import Run, Stop
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, VALUES, WRITE, Timeline
from afterstate_lab.tui.blocks.block import Beside, Block, Stack
from afterstate_lab.tui.blocks.cells import Cells, marked
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.blocks.span import Words, width
from afterstate_lab.tui.blocks.speech import board_words, figure, places_for
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import board_row, result_sentence
from afterstate_lab.tui.lab.log import event_line
from afterstate_lab.tui.lab.microscope.hero import cells_of, name_of, names
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.microscope.reading import Update
from afterstate_lab.tui.lab.outcomes import Work
from afterstate_lab.tui.lab.session import WhatIfSummary
from afterstate_lab.tui.pages.comparison import Compared, Comparison
from afterstate_lab.tui.pages.page import BACK, Key, Opened, Page
from afterstate_lab.tui.theme.numerals import count, decimals, signed

PAGE: Final = 10
"""Number of events per page."""
LEFT: Final = 41
"""Columns of the first game's event, to the left of the other's."""
MOMENTS: Final = 20
"""Points of the curves of a whole run."""
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
    """A game and its what-if, at one pair of events and one phase.

    Args:
        asked: both games.
    """

    def __init__(self, asked: WhatIfSummary) -> None:
        result = asked.result
        self.asked = asked
        self.timelines = Timeline(asked.run), Timeline(result.run)
        self.timelines[0].show(result.original)
        self.timelines[1].show(result.other)
        self.pairs, self.differences = result.pairs, result.differences
        self.go_to(self.differences[0] if self.differences else 0)

    @property
    def pair(self) -> EventPair:
        return self.pairs[self.at]

    @property
    def phases(self) -> tuple[int, ...]:
        if any(isinstance(event, Backup) for event in (self.pair.one, self.pair.other)):
            return TARGET, WRITE
        return (VALUES, CHOICE) if isinstance(self.pair.event, Move) else (WRITE,)

    @property
    def phase(self) -> int:
        return self.phases[self._phase]

    def go_to(self, at: int, *, first_phase: bool = False) -> None:
        """Go to a pair of events within the game, by default to its last phase."""
        self.at = min(max(at, 0), len(self.pairs) - 1)
        self._phase = 0 if first_phase else len(self.phases) - 1

    def step(self, by: int) -> None:
        """Step a phase forward (1) or back (-1)."""
        if 0 <= self._phase + by < len(self.phases):
            self._phase += by
        elif 0 <= self.at + by < len(self.pairs):
            self.go_to(self.at + by, first_phase=by > 0)

    def to_difference(self, by: int) -> None:
        """Go to the next (1) or previous (-1) pair that differs."""
        there = [n for n in self.differences if (n > self.at if by > 0 else n < self.at)]
        if not there:
            raise UsageError("No further difference in this game")
        self.go_to(there[0 if by > 0 else -1])

    def microscope(self, which: int) -> Microscope | None:
        """Return the microscope on one of the two games; None without such an event."""
        pair, timeline = self.pair, self.timelines[which]
        event, row = ((pair.one, pair.one_row), (pair.other, pair.other_row))[which]
        if event is None:
            return None
        timeline.seek(row)
        while timeline.step_phase() and timeline.row == row and timeline.phase < self.phase:
            pass
        return Microscope.at(timeline)

    def play(self, stop: Stop) -> Callable[[], Page] | None:
        """Play the whole run again, and return a page that compares both."""
        asked = self.asked
        others: dict[str, Any] = {asked.player.lower(): asked.spec}
        other = rerun(asked.run, **others, stop=stop)
        if other is None:
            return None
        return Comparison(
            Compared(f"{asked.player} {asked.was}", asked.run, points(asked.run)),
            Compared(f"{asked.player} {asked.spec}", other, points(other)),
        ).page

    # what is shown

    def page(self) -> Page:
        asked, many = self.asked, len(self.differences)
        told = "every event is the same"
        if many:
            values = any(pair.differs_in_value for pair in self.pairs)
            told = f"{many} of {len(self.pairs)} events differ"
            told += "" if values else ", no value does"
        return Page(
            "WHAT IF", Stack((*(self._game(which) for which in (0, 1)), self._games())),
            keys=self._keys(), right=told, of_run=True,
            title=(
                ("game", count(asked.result.original.first + 1)),
                ("seed", str(asked.run.seed)),
            ),
        )  # fmt: skip

    def _keys(self) -> tuple[Key, ...]:
        many = len(self.pairs)

        def move(by: int) -> Callable[[], None]:
            return lambda: self.go_to(self.at + by)

        says = "Playing the whole run again…"
        return (
            Key("left", "", lambda: self.step(-1), "go to the previous phase in both games"),
            Key("right", "phase", lambda: self.step(1), "go to the next phase in both games"),
            Key("left_square_bracket comma up k", "", move(-1),
                "go to the previous event in both games"),
            Key("right_square_bracket full_stop down j", "event", move(1),
                "go to the next event in both games"),
            Key("c", "difference", lambda: self.to_difference(1), "to the next difference"),
            Key("C", "", lambda: self.to_difference(-1), "to the previous difference"),
            Key("home", "", move(-many), "to the first event"),
            Key("end", "", move(many), "to the last event"),
            Key("pageup", "", move(-PAGE), "ten events back"),
            Key("pagedown", "", move(PAGE), "ten events on"),
            Key("tab", "whole run", lambda: Work(self.play, says=says, then=lambda page: page),
                "compare both whole runs"),
            BACK,
        )  # fmt: skip

    def _game(self, which: int) -> Beside:
        """Return the update and the board of one of the two games."""
        pair, scope = self.pair, self.microscope(which)
        title = [(str(self.asked.spec) if which else self.asked.was, "title")]
        if which and pair.difference is not None:
            title.append((f"  ≠ {NAMES[pair.difference]}", "key"))
        update: Block
        if scope is not None:
            update, board = scope.equation(), backed_up(scope.update)
        else:
            other = self.microscope(1 - which)
            update = Text((nothing(pair.event),))
            board = marked("." * 9) if other is None else backed_up(other.update)
            board = replace(board, messages=())
        update = replace(update, title=tuple(title), rank=1, is_silent=True)
        return Beside((update, replace(board, rank=1, least_columns=0, is_silent=True)))

    def _games(self) -> Games:
        """Return the events of both games, and what the player knows afterwards."""
        lines = [*map(pair_line, self.pairs), "", *value_lines(self.asked)]
        if any(self.asked.result.learned_anew):
            lines.append((("It knows what it would have learned by then.", "dim"),))
        return Games(
            lines=tuple(lines), cursor=self.at, jump=1,
            title=f"what if {self.asked.player} were {self.asked.spec}",
            right="same game, same seed", clicked=self.go_to, spot=True,
            told=(*game_sentences(self.asked), *difference_sentences(self)),
        )  # fmt: skip


def backed_up(u: Update) -> Cells:
    """Return the board whose value is backed up, with its value."""
    label, places = name_of(u, u.index).partition("(")[0], 0 if u.is_beads else 6
    now = () if u.value is None else ((f"{label} ", "dim"), (decimals(u.value, places), "strong"))
    exact = () if u.exact is None else ((" v* ", "dim"), (decimals(u.exact), "truth"))
    title = ((names(u)[u.index], "key"), (f" of {u.player}", "dim"))
    board = marked(cells_of(u, u.index), is_named=False, title=title)
    return replace(board, messages=((*now, *exact),))


def nothing(event: Event) -> str:
    """Describe a game without this event."""
    if isinstance(event, Move | GameOver):
        return "The game is over by then."
    return "Nothing is backed up here."


def points(run: Run) -> list[Point]:
    """Return points of a run's curve, at some of its keyframes."""
    frames = list(run.keyframes[:: max(1, len(run.keyframes) // MOMENTS)])
    if frames[-1] is not run.keyframes[-1]:
        frames.append(run.keyframes[-1])
    found = []
    for before, frame in zip(frames[:1] + frames, frames, strict=False):
        x, o, drawn = (frame.tally - before.tally)[1:4].tolist()
        found.append(Point(frame.game, (x, drawn, o), evaluate_memory(run.layout, frame.memory)))
    return found


def pair_line(pair: EventPair) -> Words:
    """Return the events of a pair: once if they agree, else side by side; short for one entry."""
    one, other = pair.one, pair.other
    if pair.difference is None:
        return event_line(pair.event)
    left = (("  nothing", "dim"),) if one is None else event_line(one)
    right: tuple[tuple[str, str], ...] = (("nothing", "strong"),)
    if isinstance(one, Backup) and isinstance(other, Backup):
        right = (("→", "dim"), (decimals(other.new, 5), "strong"))
    elif isinstance(other, Backup | Move | GameOver):
        (text, role), *rest = event_line(other)
        right = ((text.lstrip(), role), *rest)
        if isinstance(one, Move) and isinstance(other, Move) and one.board != other.board:
            right = (*right, (", another board", "dim"))
    return (*left, (" " * max(1, LEFT - width(left)), "text"), ("≠ ", "key"), *right)


def value_lines(summary: WhatIfSummary) -> list[Words]:
    """Return a heading, and the player's values after both games, step by step."""
    result, player = summary.result, summary.player
    lines: list[Words] = [(
        (f"{player} after it    ", "dim"), (f"{summary.was[:10]:<11}", "text"),
        (f"{str(summary.spec)[:18]:<19}", "key"), ("difference", "dim"),
    )]  # fmt: skip
    for t, (before, after) in enumerate(result.steps(player)):
        known, differs = before or after, t in result.different_steps(player)
        label = "" if known is None else board_row(known.board, known.cell)
        was, now = (decimals(None if step is None else step.new, 5) for step in (before, after))
        change = signed(after.new - before.new, 5) if before and after else "one only"
        lines.append((
            (f"S{t} {label:<11} ", "dim"), (f"{was:<11}", "text"),
            (f"{now:<19}", "strong" if differs else "text"), (change * differs, "text"),
        ))  # fmt: skip
    return lines


@lru_cache(maxsize=1)
def summary_view(summary: WhatIfSummary) -> Log:
    """Return the first event that differs, and the player's time steps from there."""
    result = summary.result
    differing = (pair_line(result.pairs[n]) for n in result.differences)
    head, *steps = value_lines(summary)
    first = min(result.different_steps(summary.player), default=0)
    return Log(
        lines=(next(differing, (("every event is the same", "truth"),)), head, *steps[first:]),
        jump=1, right="same game, same seed",
        title=f"what if {summary.player} were {summary.spec}",
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


def difference_sentences(games: BothGames) -> list[str]:
    """Describe the current difference; nothing if both agree."""
    pair, of = games.pair, games.differences
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
    heading = f"Difference {of.index(games.at) + 1} of {len(of)}: {NAMES[pair.difference]}."
    return [heading, f"Was: {told[0]}", f"Would be: {told[1]}"]


def event_sentence(event: Event) -> str:
    if isinstance(event, GameOver):
        return result_sentence(event)
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


@lru_cache(maxsize=1)
def both_games(asked: WhatIfSummary) -> BothGames:
    """Return the two games of a what-if where they were left."""
    return BothGames(asked)


def open_on(lab: LabController, data: WhatIfSummary, text: str) -> Opened:
    games = both_games(data)
    if text:
        games.to_difference(1 if text == "next" else -1)
    return games.page, None
