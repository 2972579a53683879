"""The panes of a run: the board, the coach, the mode line, the stats and the learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.exact import minimax, optimal_edges, optimal_response_values
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.curve import Point
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, optimum, true_values
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.kernel.kernel import recent_results
from afterstate_lab.learners.tape.recording import Backup, GameOver, Move, best_cells, mover_values
from afterstate_lab.learners.tape.seating import Seat
from afterstate_lab.tui.blocks.cells import Cells, CellView, HeatScale, ranks, winning
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import listed
from afterstate_lab.tui.blocks.stats import SideStats, Stats
from afterstate_lab.tui.lab.first_blocks import first_curve, training_notes, welcome
from afterstate_lab.tui.lab.labels import SHORT, player_label
from afterstate_lab.tui.lab.microscope.reading import Colour, colours_of, values_of
from afterstate_lab.tui.lab.modes import Help, Mode
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.theme.numerals import count, decimals, duration, short

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table


def player_names(session: Session) -> list[str]:
    """Return short names of X and O; a person is `you`."""
    labels = [player_label(spec) for spec in (session.run.x, session.run.o)]
    return ["you" if on else label for label, on in zip(labels, people(session), strict=True)]


def people(session: Session) -> tuple[bool, bool]:
    """Return whether a person plays X, and O, in the current game."""
    seats = session.run.seating_of(session.timeline.game)
    is_training = session.mode is Mode.TRAIN
    return (
        seats.x is Seat.HUMAN and not is_training,
        seats.o is Seat.HUMAN and not is_training,
    )


def fields(session: Session) -> tuple[tuple[str, str], ...]:
    """Return the mode line's fields: game, ply and details of the mode."""
    timeline = session.timeline
    if session.mode is Mode.TRAIN:
        games = session.run.games if session.snapshot is None else session.snapshot.games
        return (("games", count(games)), ("seed", str(session.run.seed)))
    newest = max(session.run.games, timeline.game + 1)
    game = ("game", f"{timeline.game + 1:,}/{newest:,}")
    if session.mode is Mode.STEP:
        rows = timeline.rows
        return (game, ("event", f"{timeline.row - rows.start + 1}/{len(rows)}"))
    return (game, ("ply", str(session.board.ply)), ("seed", str(session.run.seed)))


def break_words(session: Session) -> Words:
    """Return the breakpoint, if there is one."""
    condition = session.breakpoint
    return (("break at ", "dim"), (condition, "key")) if condition else ""


def status(session: Session) -> str:
    """Return the right end of the status line."""
    if session.mode is Mode.TRAIN:
        shot = session.snapshot
        if shot is None:
            return ""
        if session.training is None:
            return f"{count(shot.done)} games in {taken(shot.seconds)}"
        if session.training.is_paused:
            return "‖ paused"
        return f"▶ {short(shot.rate)}/s"
    if session.film is not None and session.film.is_playing:
        return "▶ film"
    if session.mode is Mode.WATCH:
        return f"▶ {session.speed:g} moves/s" if session.is_running else "‖ paused"
    if session.mode is Mode.PLAY:
        opponent = session.run.o if session.human == "X" else session.run.x
        if not opponent.learns:
            return ""
        return "learns" if session.learner_learns else "frozen"
    return ""


def taken(seconds: float) -> str:
    """Return the time that something took: `27 ms`, `1.8 s`, `2:05`."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 60 else duration(seconds)


LOGARITHMIC = 20_000
"""With this many games the learning curve's axis is logarithmic, since most is learned early."""


def side_stats(mark: str, found: Evaluation | None, is_person: bool = False) -> SideStats:
    """Return the exact metrics of a side, if they apply."""
    if found is None or is_person:
        return SideStats(mark, is_person=is_person)
    return SideStats(
        mark,
        found[f.BEATABLE],
        found[f.WIN],
        found[f.DRAW],
        found[f.LOSS],
        found[f.PERFECT_DRAW],
        *found[f.OPTIMAL],
        found.values.get(f.RMS_MINIMAX.name),
        worst=found[f.WORST_LOSS],
        as_played=None if found.as_played is None else side_stats(mark, found.as_played),
    )


def stats_view(session: Session) -> Stats:
    """Return the stats pane: at the run's newest point or at the current moment."""
    sides = list(zip("XO", session.evaluation, people(session), strict=True))
    seen = [(mark, *side[f.COVERAGE]) for mark, side, is_person in sides if side and not is_person]
    if session.run.layout.is_counted_once:
        seen = [("", *seen[0][1:])]
    training = session.snapshot if session.is_training else None
    left = training.seconds_left if training else None
    rate = session.snapshot.rate if session.snapshot and session.snapshot.done else None
    until = until_unbeatable(session) if training and training.goal.until_unbeatable else ()
    return Stats(
        sides=tuple(starmap(side_stats, sides)),
        results=shown_results(session),
        seen=tuple(seen),
        rate=rate,
        progress=training.done / training.goal.games if training and not until else None,
        left=left,
        until=until,
        hints=() if training else training_notes(),
    )


def rms_label(metric: f.Figure[Any]) -> str:
    """Return the short name of an error: `rms V−mm`."""
    return metric.error_label.replace(metric.against, SHORT.get(metric.against, metric.against))


def until_unbeatable(session: Session) -> tuple[str, ...]:
    """Return the progress until unbeatable, longest text first."""
    found = zip("XO", session.evaluation, strict=True)
    sides = [(mark, side[BEATABLE]) for mark, side in found if side]
    left = " and ".join(mark for mark, beatable in sides if beatable)
    if not left:
        return ("unbeatable",)
    now = "".join(f"{mark} is unbeatable now; " for mark, beatable in sides if not beatable)
    return (f"{now or 'until unbeatable; '}{left} still beatable", f"{left} still beatable")


def shown_point(session: Session) -> Point:
    """Return the point of the learning curve at the current moment."""
    if session.mode is Mode.TRAIN or session.is_at_end:
        return session.history.last
    return session.history.at(session.timeline.game)


def shown_results(session: Session) -> tuple[int, int, int] | None:
    """Return the latest results there: won by X, drawn, won by O; None if not kept."""
    if not session.is_training and session.is_at_end:
        return recent_results(session.run.tally, 200)
    game = session.timeline.game
    points = session.history.points
    is_known = points and points[0].games <= game
    results = shown_point(session).results if is_known else (0, 0, 0)
    return None if results == (0, 0, 0) and game else results


def curve_view(session: Session) -> Curve:
    """Return the learning curve: shares of the latest games, with the current moment."""
    points = session.history.points
    games = max(1, points[-1].games)
    if games == 1:
        return first_curve()
    looking_back = session.mode is not Mode.TRAIN and not session.is_at_end
    series = tuple(
        Series(
            points=tuple((p.games, p.share(which)) for p in points if sum(p.results)),
            role=role,
            label=label,
            name=name,
        )
        for which, role, label, name in (
            (1, "dim", "=", "draw"),
            (2, "o", "O", "O won"),
            (0, "x", "X", "X won"),
        )
    )
    return Curve(
        series=series,
        x_range=(0, games) if games < LOGARITHMIC else (LOGARITHMIC / 100, games),
        y_range=(0.0, 1.0),
        log_x=games >= LOGARITHMIC,
        cursor=float(session.timeline.game) if looking_back else None,
        right="share of the latest games",
    )


def greedy_cells(table: Table, v: NDArray[np.float64], board: int) -> tuple[int, ...]:
    """Return the cells (0-8) that a player ranks highest; empty after the game."""
    return tuple(best_cells(mover_values(table, v, board)))


def shown_help(session: Session) -> Help:
    """Return how much the empty cells show: everything, unless you play without help."""
    return session.help if session.mode is Mode.PLAY else Help.VALUES


def board_view(session: Session) -> Cells:
    """Return the current board; while training or the film plays, the opening moves."""
    board, v, event = session.board, session.timeline.v, session.timeline.event
    right = "game over" if board.is_over else f"{board.to_move} to move"
    if isinstance(event, GameOver):
        right = "draw" if event.result == "draw" else f"{event.result} wins"
        if event.resigned:
            right = f"{'O' if event.result == 'X' else 'X'} resigns"
    is_training = session.mode is Mode.TRAIN
    if is_training:
        v = session.run.memory if session.snapshot is None else session.snapshot.memory
    if is_training or (session.film is not None and session.film.is_playing):
        board, right = Board(), "opening moves"
        cells = valued_cells(session, board, v, Help.VALUES)
    else:
        cells = cell_views(session, board, v)
    shows = shown_help(session) in (Help.VALUES, Help.EXACT)
    return Cells(
        title=whose(cells, board),
        cells=cells,
        scale=scale_of_board(session, board, v) if shows else None,
        right=right,
        swept=1.0 - session.walk,
        messages=(welcome(),)
        * (session.mode is Mode.WATCH and not session.run.games and not session.is_plain),
    )


def whose(cells: Sequence[CellView], board: Board) -> str:
    """Return the board's title: whose values the cells show, if any."""
    if any(cell.beads is not None for cell in cells):
        return f"{board.to_move}'s beads"
    has_values = any(cell.value is not None for cell in cells)
    return f"{board.to_move}'s values" if has_values else "board"


def cell_views(session: Session, board: Board, v: NDArray[np.float64]) -> tuple[CellView, ...]:
    last = session.last_move
    won = winning(str(board))
    level = shown_help(session)
    cells = list(valued_cells(session, board, v, level))
    drawn = share_drawn(session, last, v) if level is Help.VALUES else ""
    for cell, mark in enumerate(str(board)):
        if mark != ".":
            cells[cell] = CellView(
                mark=mark,
                label=str(cell + 1),
                last=last is not None and last.cell == cell and not won,
                old=bool(won or last) and cell not in won and (last is None or cell != last.cell),
                cursor=session.cursor == cell,
                note=drawn if last is not None and last.cell == cell else "",
            )
    return tuple(cells)


def share_drawn(session: Session, move: Move | None, v: NDArray[np.float64]) -> Words:
    """Return the drawn bead's share of its box; the box is fixed until its game ends."""
    if move is None or move.choice != "drawn" or session.is_over:
        return ""
    layout = session.run.layout
    table = layout.x if move.player == "X" else layout.o
    colour = colour_at(table, v, Board.from_id(move.board), move.cell)
    return "" if colour is None else ((f"drew {100 * colour.share:.0f}%", "text"),)


def colour_at(table: Table, v: NDArray[np.float64], board: Board, cell: int) -> Colour | None:
    """Return the colour of a cell in a learner's open matchbox, if it has one."""
    if not table.spec.rule.learns or table.spec.rule.estimates or board.is_over:
        return None
    return next((c for c in colours_of(table, v, board.id) if cell in c.cells), None)


def bead_note(colour: Colour, cell: int) -> Words:
    """Return the confidence in a colour; other cells of that colour name its cell."""
    first = colour.cells[0]
    if cell == first:
        return ((f"{100 * colour.share:.0f}%", "text"),)
    return ((f"as {first + 1}", "dim"),)


def both_tables(table: Table, v: NDArray[np.float64], board: Board) -> dict[int, Words]:
    """Return both tables' values of each cell."""
    if table.spec.rule.tables < 2 or board.is_over:
        return {}
    first, second = (values_of(table, v, board.id, which) for which in (0, 1))
    return {
        cell: ((f"{decimals(first[cell], 2)} {decimals(second[cell], 2)}", "dim"),)
        for cell in first
    }


def valued_cells(
    session: Session, board: Board, v: NDArray[np.float64], level: Help
) -> tuple[CellView, ...]:
    """Return the nine cells, the empty cells with what the mover's learner knows."""
    side = Side(board.ply % 2)
    table = session.run.layout.table(side)
    known = {} if board.is_over or not table.spec.rule.learns else mover_values(table, v, board.id)
    best = best_cells(known)
    scale = scale_of_board(session, board, v)
    places = 3 if table.spec.rule.estimates else 1
    truth = true_cells(session, board, v, side) if level is Help.EXACT else {}
    optimal = SHORT.get(name := optimum(session.run.layout, side), name)
    event = session.timeline.event
    written = event.cell if isinstance(event, Backup) and event.board == board.id else None
    shows = level in (Help.VALUES, Help.EXACT)
    by_rank = ranks(known)
    tells_ranks = len(set(by_rank.values())) > 1
    hints = holding_cells(board) if level is Help.HINT else ()
    tells_hints = len(hints) < len(board.legal_cells)
    both = both_tables(table, v, board) if shows and known else {}
    views = []
    for cell in range(9):
        note: Words = both.get(cell, "")
        colour = colour_at(table, v, board, cell) if shows else None
        if cell in truth:
            note = ((f"{optimal} {decimals(truth[cell], places)}", "truth"),)
        elif level is Help.RANKS and tells_ranks and cell in by_rank:
            note = ((f"{by_rank[cell]}.", "text"),)
        elif tells_hints and cell in hints:
            note = (("holds", "truth"),)
        elif colour is not None:
            note = bead_note(colour, cell)
        views.append(
            CellView(
                label=str(cell + 1),
                value=known.get(cell) if shows and colour is None else None,
                beads=round(colour.beads) if colour and cell == colour.cells[0] else None,
                colour=0 if colour is None else colour.number,
                heat=scale.heat(known[cell]) if scale and shows and cell in known else None,
                rank=by_rank.get(cell) if shows and tells_ranks else None,
                note=note,
                best=shows and cell in best and len(best) < len(known),
                cursor=session.cursor == cell,
                changed=written == cell,
                faded=board.is_over,
            )
        )
    return tuple(views)


def scale_of_board(session: Session, board: Board, v: NDArray[np.float64]) -> HeatScale | None:
    """Return the heat scale of the mover's moves; None without values."""
    table = session.run.layout.table(Side(board.ply % 2))
    rule = table.spec.rule
    if board.is_over or not (rule.learns and rule.estimates):
        return None
    known = mover_values(table, v, board.id)
    return HeatScale(known.values(), rule.rewards(table.spec.settings))


def true_cells(
    session: Session, board: Board, v: NDArray[np.float64], side: Side
) -> dict[int, float]:
    """Return the exact value of each legal move, minimax or v*."""
    truth = true_values(session.run.layout, v, side, session.timeline.game)
    s = space()
    return {cell: float(truth[s.successor[board.id, cell]]) for cell in board.legal_cells}


RESULT = {1: "win", 0: "draw", -1: "loss"}


def worth(board: Board, player: str) -> int:
    """Return what a position is worth to a player when both play perfectly: 1, 0 or -1."""
    return minimax(board) * (1 if player == "X" else -1)


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
        mover, after = board.to_move, board.play(cell)
        values = worth(board, mover), worth(after, mover)
        return cls(board, cell, after, *values, holding_cells(board))

    @property
    def errs(self) -> bool:
        """Whether the move lost value."""
        return self.now < self.was

    @property
    def short(self) -> str:
        """What the move did, in a few words."""
        cells = " ".join(str(cell + 1) for cell in self.holding)
        only = "only " if len(self.holding) == 1 else ""
        if self.errs and self.was == 0:
            return f"? lost the draw: {only}{cells} kept it"
        if self.errs:
            what = "lost the win" if self.now == 0 else "lost a won game"
            return f"? {what}: {only}{cells} won"
        if self.after.winner:
            return "wins"
        if self.was < 0:
            return "lost already: no cell helped"
        is_only = only and len(self.board.legal_cells) > 1
        return f"{'the only move that ' * bool(is_only)}keeps the {RESULT[self.was]}"

    @property
    def sentence(self) -> str:
        """What the move did, and what other moves would have done."""
        if self.was < 0:
            return "Already lost: every cell loses."
        cell, others = f"Cell {self.cell + 1}", set(self.board.legal_cells) - set(self.holding)
        if self.errs:
            ends = ("loses the win", "loses a won game")
            lost = "loses" if self.was == 0 else ends[-self.now]
            kept = "kept the draw" if self.was == 0 else "kept the win"
            return f"{cell} {lost}: only {named(self.holding, 'or')} {kept}."
        keeps = "wins" if self.after.winner else f"keeps the {RESULT[self.now]}"
        if not others:
            return f"{cell} {keeps}, as every cell does."
        lose = "would lose" if self.was == 0 else "would lose the win"
        return f"{cell} {keeps}; {named(sorted(others))} {lose}."


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
    policy = (drawn or state.greedy(side)).policy
    values = optimal_response_values(policy, player, win=1.0, draw=0.0, loss=0.0)
    is_greedy = drawn is None and state.layout.table(side).spec.rule.learns
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
