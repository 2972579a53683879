"""The log: finished games, the current game's events, milestones, the coach, a what-if."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.exact import minimax, optimal_edges, optimal_response_values
from afterstate_lab.learners.ask.marks import Film
from afterstate_lab.learners.ask.what_if import EventDifference, EventPair
from afterstate_lab.learners.judge.curve import MILESTONES, History, Point, is_round
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.tape.recording import Backup, Event, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.timeline import GameSummary, Timeline
from afterstate_lab.tui.blocks import Line, Log, Words, joined, listed, spoken, width
from afterstate_lab.tui.lab.labels import entry_row, result_mark, side_role
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.session import Session, WhatIfSummary, mark_told
from afterstate_lab.tui.theme.numerals import decimals, percents, short, signed

EARLIER = 12


def log_view(session: Session, offset: int = 0) -> Log:
    """Return the log of what is on screen."""
    if (film := session.played_film) is not None:
        return film_log(film, session.timeline)
    if session.mode is Mode.TRAIN:
        return training_log(session.history, offset)
    return games_log(session, offset)


def games_log(session: Session, offset: int) -> Log:
    """Return a line for each finished game, then the events of the current game."""
    timeline = session.timeline
    game = timeline.game
    lines: list[Words] = []
    for number in range(max(0, game - EARLIER), game):
        summary = timeline.summaries.get(number)
        # A game that was left may be known from before it was played again.
        if summary is not None and isinstance(end := summary.last, GameOver):
            lines.append(summary_line(end, summary, len(f"{game:,}")))
    earlier, events = len(lines), timeline.events_so_far()
    errors = timeline.recording.errors[timeline.rows.start :].tolist()
    is_ahead = session.mode is Mode.STEP and not timeline.is_written
    for n, (event, error) in enumerate(zip(events, errors, strict=False), 1):
        places = 5
        if isinstance(event, Move | Backup):
            rule = session.run.layout.table(Side.parse(event.player)).rule
            places = 0 if rule.learns and not rule.estimates else 5
        is_unwritten = is_ahead and n == len(events)
        line = event_line(event, error, places=places, is_unwritten=is_unwritten)
        if session.mode is Mode.PLAY and isinstance(event, Backup | NoBackup):
            line = tuple((text, "dim") for text, _ in line)
        lines.append(line)
    cursor = len(lines) - 1 if events else None
    if session.mode is Mode.PLAY:
        lines.append(((coach_sentence(session), "strong"),))
    if not lines:
        lines = [(("no game yet", "dim"),)]
    return Log(lines=lines, cursor=cursor, offset=offset, earlier=earlier)


def summary_line(end: GameOver, summary: GameSummary, digits: int) -> Words:
    """Return a finished game, its number padded to `digits`."""
    plies = "1 ply  " if end.ply == 1 else f"{end.ply} plies"
    words = [(f"{end.game + 1:>{digits},} ", "dim"), result_mark(end.result)]
    words.append((f"  {plies}  max|δ| {decimals(summary.largest_error)}", "dim"))
    if summary.exploratory:
        words.append((f"  {summary.exploratory} explored", "dim"))
    if end.resigned:
        words.append(("  resigned", "dim"))
    return tuple(words)


def event_line(
    event: Event, error: float | None = None, *, places: int = 5, is_unwritten: bool = False
) -> Line:
    """Return an event of the current game.

    Args:
        error: the δ of another backup that a trace applies.
        places: decimals of its numbers; 0 for beads.
        is_unwritten: the new value is not shown yet.
    """
    if isinstance(event, Move):
        told = {"scripted": "played", "drawn": "by chance" if places else "bead drawn"}
        said = "exploratory" if event.exploratory else told.get(event.choice, event.choice)
        return (
            (f"{event.player}→{event.cell + 1}", side_role(event.player, strong=True)),
            (f" {said}", "remark" if event.exploratory else "dim"),
        )
    if isinstance(event, Backup):
        new, change = decimals(event.new, places), f" {signed(event.new - event.old, 0)}"
        if places:
            change = f" δ{signed(event.error if error is None else error, 4)}"
        if is_unwritten:
            new, change = "?", ""
        return (
            ("  backup " if places or is_unwritten else "  beads ", "dim"),
            *entry_row(event),
            (f" {decimals(event.old, places)}→", "dim"),
            (new, "strong"),
            (change, "text"),
        )
    if isinstance(event, NoBackup):
        return (("  no backup ", "remark"), *entry_row(event), (" exploratory move", "dim"))
    assert isinstance(event, GameOver)
    if event.result == "draw":
        return ((f"game {event.game + 1:,} is a draw", "strong"),)
    how = " wins, the other resigned" if event.resigned else " wins"
    return (result_mark(event.result), (f"{how} game {event.game + 1:,}", "text"))


def training_log(history: History, offset: int) -> Log:
    """Return a line for each change between 0, 1, 2, 5, 10 … games, and for the newest point.

    The points between are at round numbers of games. A second change has its own line.
    """
    lines: list[Words] = []
    judged: Point | None = None
    for point in history.points:
        is_last = point is history.points[-1]
        is_between = is_round(point.games) and not is_round(point.games, MILESTONES) and not is_last
        is_compared = point.evaluation is not None and not is_between
        changes: list[Words] = changes_since(judged, point) if is_compared else []
        judged = point if is_compared else judged
        if not changes and not is_last:
            continue
        parts = percents([point.share(which) for which in range(3)])
        shares = "".join(f"{part:>{wide}.0f}%" for part, wide in zip(parts, (4, 4, 5), strict=True))
        if not sum(point.results):
            shares = " " * len(shares)
        head = ((f"{short(point.games):>6}", "text"), (f"  {shares}", "dim"), ("  ", "dim"))
        blank = tuple((" " * len(text), "dim") for text, _ in head)
        lines += [(*(blank if n else head), *change) for n, change in enumerate(changes or [()])]
    heads = ((f"{'games':>6}", "dim"), ("  X won draw O won", "dim"), ("  what changed", "dim"))
    return Log(lines=lines, heads=heads, offset=offset)


def changes_since(before: Point | None, now: Point) -> list[Words]:
    """Return the changes in the exact verdicts."""
    changes: list[Words] = []
    if now.opening and (before is None or before.opening != now.opening):
        cells = " ".join(str(cell + 1) for cell in now.opening)
        said = "opens with" if before is None else "opening turned to"
        alike = len(now.opening) == 9
        changes.append((("opens anywhere" if alike else f"{said} {cells}", "text"),))
    for which, mark in enumerate("XO"):
        was, verdict = (
            None if point is None or point.evaluation is None else point.evaluation[which]
            for point in (before, now)
        )
        if verdict is None:
            continue
        beatable = verdict[BEATABLE]
        if beatable != (was is None or was[BEATABLE]):
            word, role = ("beatable again", "worse") if beatable else ("unbeatable", "better")
            changes.append(((f"{mark} ", side_role(mark, strong=True)), (word, role)))
    return changes


def film_log(film: Film, timeline: Timeline) -> Log:
    """Return the milestones; the last one passed is lit."""
    found = film.marks.in_order
    passed = [number for number, one in enumerate(found) if one.place.game <= timeline.game]
    lines: list[Words] = [
        ((f"{one.place.game + 1:>9,} ", "dim"), (f"{sign} ", "key"), (words, "text"))
        for one, (sign, words, _) in zip(found, map(mark_told, found), strict=True)
    ]
    return Log(
        lines=lines,
        cursor=passed[-1] if passed else None,
        jump=1,
        title="the film",
        right="milestones: the first time",
    )


LEFT: Final = 41
"""Columns of the first game's event, to the left of the other's."""
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


NOTHING: Final[Line] = (("  nothing", "dim"),)


def sides(pair: EventPair) -> tuple[Line, Line]:
    """Return the events of a pair that differs; short for two backups of one entry."""
    one, other = pair.one, pair.other
    right = NOTHING
    if isinstance(one, Backup) and isinstance(other, Backup):
        right = ((decimals(other.new, 5), "strong"),)
    elif isinstance(other, Backup | Move | GameOver):
        right = event_line(other)
        if isinstance(one, Move) and isinstance(other, Move) and one.board != other.board:
            right = (*right, (", another board", "dim"))
    return NOTHING if one is None else event_line(one), right


def both_games(summary: WhatIfSummary) -> Log:
    """Return the events of both games from the first that differs: once, or side by side."""
    result, lines = summary.result, list[Words]()
    first, *_ = result.differences or [0]
    for pair in result.pairs[first:]:
        if pair.difference is None:
            lines.append(event_line(pair.event))
        else:
            left, ((text, role), *rest) = sides(pair)
            gap = (" " * max(1, LEFT - width(left)), "text")
            lines.append((*left, gap, ("≠ ", "key"), (text.lstrip(), role), *rest))
    return Log(
        lines=lines,
        jump=1,
        cursor=0,
        right="same game, same seed",
        title=f"what if {summary.player} were {summary.spec}",
    )


def sentences(asked: WhatIfSummary) -> list[str]:
    """Describe where two games differ first, and how each ends."""
    result = asked.result
    if not result.differences:
        return ["Every event is the same."]
    first = result.differences[0]
    same = "event is" if first == 1 else f"{first} events are"
    lines = [f"The first {same} the same." if first else "No event is the same."]
    pair = result.pairs[first]
    assert pair.difference is not None
    was, would_be = (spoken(joined(side)) for side in sides(pair))
    lines.append(f"First difference: {NAMES[pair.difference]}.")
    lines.append(f"Was: {was}. Would be: {would_be}.")
    if any(result.learned_anew):
        lines.append("It knows here what it would have learned from the start.")
    return lines


RESULT = ("draw", "win")


def holding_cells(board: Board) -> tuple[int, ...]:
    """Return the cells (0-8) that keep the value of the position for the mover."""
    s, optimal = space(), optimal_edges()
    return tuple(int(s.edge_cell[edge]) for edge in s.edges_of(board.id) if optimal[edge])


class Judged(NamedTuple):
    """A move against perfect play."""

    board: Board
    """Before the move."""
    cell: int
    after: Board
    was: int
    """The value before the move: 1 a win, 0 a draw, -1 a loss."""
    now: int
    """The value after the move."""
    holding: tuple[int, ...]
    """The cells (0-8) that keep the value."""

    @classmethod
    def of(cls, board: Board, cell: int) -> Judged:
        after, sign = board.play(cell), 1 if board.to_move == "X" else -1
        values = sign * minimax(board), sign * minimax(after)
        return cls(board, cell, after, *values, holding_cells(board))

    @property
    def errs(self) -> bool:
        """Whether the move lost value."""
        return self.now < self.was

    @property
    def verdict(self) -> str:
        """What the move did to the value: `keeps the draw`."""
        if self.errs and self.was > 0:
            return "lost the win" if self.now == 0 else "lost a won game"
        if self.after.winner:
            return "wins"
        return f"{'lost' if self.errs else 'keeps'} the {RESULT[self.was]}"

    @property
    def short(self) -> str:
        """What the move did, in a few words."""
        if self.was < 0:
            return "lost already: no cell helped"
        is_only = len(self.holding) == 1
        if self.errs:
            cells = " ".join(str(cell + 1) for cell in self.holding)
            return f"? {self.verdict}: {'only ' * is_only}{cells} kept it"
        is_told = is_only and len(self.board.legal_cells) > 1 and not self.after.winner
        return f"{'the only move that ' * is_told}{self.verdict}"

    @property
    def sentence(self) -> str:
        """What the move did, and what other moves would have done."""
        if self.was < 0:
            return "Already lost: every cell loses."
        said = f"Cell {self.cell + 1} {self.verdict}"
        if self.errs:
            return f"{said}: only {named(self.holding, 'or')} kept it."
        others = sorted(set(self.board.legal_cells) - set(self.holding))
        if not others:
            return f"{said}, as every cell does."
        return f"{said}; {named(others)} would lose{' the win' * (self.was > 0)}."


def named(cells: Sequence[int], joint: str = "and") -> str:
    """Return cells (0-8) in words: `cell 5`, `cells 1 and 3`."""
    return f"cell{'s' * (len(cells) != 1)} {listed(cells, joint)}"


def against_this(session: Session, board: Board, player: Side) -> str:
    """Return how likely you can still win against a learner's greedy play.

    A player that draws beads or does not learn is taken as it plays.
    """
    side, timeline = player.other, session.timeline
    state = EvaluatedState(session.run.layout, timeline.v, timeline.game)
    drawn = state.drawn(side) if session.learner_learns else None
    policy = state.greedy(side) if drawn is None else drawn
    values = optimal_response_values(policy, player, win=1.0, draw=0.0, loss=0.0)
    is_greedy = drawn is None and state.layout.table(side).rule.learns
    who, chance = f"{side.mark}'s greedy play" if is_greedy else side.mark, float(values[board.id])
    if chance == 0.0:
        return f"{who} cannot be beaten from here."
    if chance == 1.0:
        return f"You can force a win against {who}."
    return f"{who} may err: you can still win with probability {decimals(chance)}."


def coach_sentence(session: Session) -> str:
    moves = [event for event in session.timeline.events_so_far() if isinstance(event, Move)]
    own = [move for move in moves if move.player == session.human]
    if not own:
        return f"You play {session.human}: 1–9 mark a cell."
    end = session.board
    if end.winner == session.human:
        return "You win."
    said = Judged.of(Board.from_id(own[-1].board), own[-1].cell).sentence
    if end.winner:
        return f"You lose. {said}"
    if end.is_over:
        return f"A draw. {said}"
    said = f"By perfect play {said[0].lower()}{said[1:]}"
    return f"{said} {against_this(session, end, Side.parse(own[-1].player))}"
