"""The panes of a run: the mode line, the board, the stats, the learning curve; and their layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from afterstate_lab.game import Board, Side, space
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluated_state import optimum, true_values
from afterstate_lab.learners.judge.evaluation import Evaluation, beatable
from afterstate_lab.learners.kernel.kernel import recent_results
from afterstate_lab.learners.tape.recording import Backup, GameOver, best_cells, mover_values
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import PHASES
from afterstate_lab.tui.blocks import (
    Beside,
    Block,
    Cells,
    CellView,
    HeatScale,
    Part,
    Room,
    Stack,
    Track,
    Words,
    figure,
    width,
    winning,
)
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.span import Line, Pen, Piece, bar, blank, fit, stacked
from afterstate_lab.tui.lab.labels import SHORT, player_label
from afterstate_lab.tui.lab.log import both_games, holding_cells, log_view
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero, Stairs
from afterstate_lab.tui.lab.microscope.reading import colours_of
from afterstate_lab.tui.lab.modes import Help, Mode
from afterstate_lab.tui.lab.session import Session, mark_told
from afterstate_lab.tui.theme.numerals import NONE, decimals, duration, percents, short

Lit = Callable[[str, Any], Any]
"""Returns a block by its name in lessons, lit if a lesson points to it."""
Do = Callable[..., Any]
"""Runs a command of the lab by name; `cell` and a number, 0 to 8, marks a cell."""
BOARD: Final = Room(28, 80, 0.35)
BOARD_ROWS: Final = Room(14, 30, 0.58)
LONGEST_PLAYER: Final = 24
NO_CURVE: Final = "After two games, this shows how often X won, O won or neither did."
CHOICE: Final = Room(44, 80, 0.6)
"""The room of the choice."""


def named_players(session: Session) -> Iterator[tuple[str, str]]:
    """Yield X and O with short names, cropped and without folders; a person is `you`."""
    run = session.run
    for mark, spec, is_person in zip("XO", (run.x, run.o), people(session), strict=True):
        name = "you" if is_person else player_label(spec)
        for end in ("/", ".py:"):
            if len(name) > LONGEST_PLAYER:
                name = name.rpartition(end)[2]
        yield mark, name if len(name) <= LONGEST_PLAYER else f"{name[: LONGEST_PLAYER - 1]}…"


def people(session: Session) -> tuple[bool, bool]:
    """Return whether a person plays X, and O, in the current game."""
    if session.mode is Mode.TRAIN:
        return False, False
    seats = session.run.seating_of(session.timeline.game)
    return seats.x is Seat.HUMAN, seats.o is Seat.HUMAN


def fields(session: Session) -> tuple[tuple[str, str], ...]:
    """Return the mode line's fields: game, ply and details of the mode."""
    timeline = session.timeline
    if session.mode is Mode.TRAIN:
        games = session.run.games if session.snapshot is None else session.snapshot.games
        return (("games", f"{games:,}"), ("seed", str(session.run.seed)))
    newest = max(session.run.games, timeline.game + 1)
    game = ("game", f"{timeline.game + 1:,}/{newest:,}")
    if session.mode is Mode.STEP:
        rows = timeline.rows
        return (game, ("event", f"{timeline.row - rows.start + 1}/{len(rows)}"))
    return (game, ("ply", str(session.board.ply)), ("seed", str(session.run.seed)))


def status(session: Session) -> str:
    """Return the right end of the status line."""
    if session.mode is Mode.TRAIN:
        shot = session.snapshot
        if shot is None:
            return ""
        if session.training is None:
            if shot.seconds >= 60:
                took = duration(shot.seconds)
            elif shot.seconds >= 1:
                took = f"{shot.seconds:.1f} s"
            else:
                took = f"{1e3 * shot.seconds:.0f} ms"
            return f"{shot.done:,} games in {took}"
        if session.training.is_paused:
            return "‖ paused"
        return f"▶ {short(shot.rate)}/s"
    if session.played_film:
        return "▶ film"
    if session.mode is Mode.WATCH:
        return f"▶ {session.speed:g} moves/s" if session.is_running else "‖ paused"
    if session.mode is Mode.PLAY:
        opponent = session.run.o if session.human == "X" else session.run.x
        if opponent.learns:
            return "learns" if session.learner_learns else "frozen"
    return ""


VERDICT: Final = 10
VERDICTS: Final[dict[bool | None, Piece]] = {
    True: ("beatable", "worse"),
    False: ("unbeatable", "better"),
    None: (NONE, "dim"),
}


class SideStats(NamedTuple):
    mark: str
    found: Evaluation | None = None
    """Its exact metrics, if it learns."""
    is_person: bool = False
    """Whether a person plays this side, to whom no metrics apply."""

    def number(self, metric: f.Figure) -> str:
        value = None if self.found is None else self.found[metric]
        if isinstance(value, tuple):
            return "/".join(f"{part:,}" for part in value)
        return decimals(value)


def judged(mark: str, found: Evaluation) -> Iterator[str]:
    """Yield whether a side can be beaten, its chances, and how well it plays."""
    can = "cannot be beaten"
    if found[f.BEATABLE]:
        can = f"can be beaten, with probability up to {figure(found[f.WORST_LOSS])}"
    yield f"{mark} {can}."
    win, draw, loss, perfect = (
        figure(found[one]) for one in (f.WIN, f.DRAW, f.LOSS, f.PERFECT_DRAW)
    )
    yield (
        f"Against random {mark} wins {win}, draws {draw}, loses {loss}; "
        f"against perfect it draws {perfect}."
    )
    right, of = found[f.OPTIMAL]
    yield f"{mark} plays optimally in {right:,} of {of:,} positions."
    if found.as_played is not None:
        beaten, chances, _ = judged(mark, found.as_played)
        yield f"As it plays, drawing its moves, {beaten}"
        yield chances


def results_words(results: tuple[int, int, int]) -> str:
    won_x, drawn, won_o = results
    return f"X won {won_x:,}, {drawn:,} {'draw' if drawn == 1 else 'draws'}, O won {won_o:,}."


@lean_dataclass(kw_only=True)
class Stats(Block):
    title: Words = "stats"
    right: Words = "exact, greedy play"
    sides: Sequence[SideStats]
    results: tuple[int, int, int] | None = (0, 0, 0)
    """The latest games won by X, drawn, won by O, if known."""
    seen: tuple[tuple[str, int, int], ...] = ()
    """Coverage: side (empty for a shared table), visited entries, all entries."""
    rate: float | None = None
    """Games per second."""
    progress: float | None = None
    """The progress of a training run, 0 to 1."""
    left: float | None = None
    """Seconds left."""
    until: str = ""
    """The progress until unbeatable."""
    needs = Room(7, 9)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        inside = columns - 2
        table = self._table(inside)
        rest = [self._last(inside, pen), self._error_and_seen(inside)]
        rest += self._training(inside, pen)
        air: list[Line] = [()] if rows > len(table) + len(rest) else []
        return [(*blank(1), *line) for line in (*table, *air, *rest)[: max(0, rows)]]

    def say(self) -> Iterator[str]:
        if self.results and (many := sum(self.results)):
            games = "game" if many == 1 else f"{many:,} games"
            yield f"Of the latest {games}: {results_words(self.results)}"
        for mark, found, is_person in self.sides:
            if found is None:
                yield f"{mark} {'is you' if is_person else 'does not learn'}."
                continue
            yield from judged(mark, found)
            if (error := found[f.RMS_MINIMAX]) is not None:
                whose = f"{mark}'s values against minimax"
                yield f"The root mean square error of {whose} is {figure(error)}."
        for mark, seen, of in self.seen:
            yield (
                f"{mark} has visited {seen:,} of {of:,} values."
                if mark
                else (f"X and O have visited {seen:,} of the {of:,} values that they share.")
            )

    def _table(self, inside: int) -> list[Line]:
        """Return two rows of heads and one per side, without columns that do not fit."""
        groups = heads = " " * (2 + VERDICT)
        lines: list[Line] = []
        for side in self.sides:
            word, role = VERDICTS[None if side.found is None else side.found[f.BEATABLE]]
            if side.is_person:
                word, role = "you", "text"
            mark = f"{side.mark} ", f"{side.mark.lower()}_strong"
            lines.append((mark, (f"{word:<{VERDICT}}", role)))
        for group, head, role, metric in (
            ("v random", " win", "text", f.WIN),
            ("", "draw", "dim", f.DRAW),
            ("", "loss", "dim", f.LOSS),
            ("perfect", "draws", "text", f.PERFECT_DRAW),
            ("optimal", "moves", "text", f.OPTIMAL),
        ):
            numbers = [side.number(metric) for side in self.sides]
            own = "" if metric is f.WIN else group  # that group is over three columns
            wide = max(map(len, (own, head, *numbers)))
            if len(heads) + 1 + wide > inside:
                break
            if group:
                groups = f"{groups:{len(heads) + 1}}{group:>{wide}}"
            heads += f" {head:>{wide}}"
            for n, number in enumerate(numbers):
                some, of, whole = number.partition("/")
                before = " " * (1 + wide - len(number))
                lines[n] = (*lines[n], (f"{before}{some}", role), (f"{of}{whole}", "dim"))
        return [((groups, "dim"),), ((heads, "dim"),), *lines]

    def _last(self, inside: int, pen: Pen) -> Line:
        """Return the latest results as a bar and in percent."""
        if not self.results or not (games := sum(self.results)):
            none = NONE if self.results is None else "none yet"
            return ("games     ", "dim"), (none, "dim")
        head, roles = (f"last {games:<5}", "dim"), ("x", "draw", "o")
        words: list[Piece] = []
        parts = percents([many / games for many in self.results])
        for name, percent, role in zip(("X", "draw", "O"), parts, roles, strict=True):
            words += (f" {name}", role), (f" {percent:>2.0f}", "text")
        shares = zip("███" if pen.paints else "X=O", self.results, roles, strict=True)
        return (head, *stacked([*shares], inside - width((head, *words))), *words)

    def _error_and_seen(self, inside: int) -> Line:
        """Return the error, and the coverage if it fits."""
        line = [("rms V−mm  ", "dim")]
        for side in (side for side in self.sides if not side.is_person):
            line += [(side.mark, side.mark.lower()), (f" {side.number(f.RMS_MINIMAX)}  ", "text")]
        seen = [("visited", "dim")]
        for mark, n, of in self.seen:
            seen += (f" {mark}".rstrip(), mark.lower() or "text"), (f" {n / of:.0%}", "text")
        gap = inside - width((*line, *seen))
        return (*line, *blank(gap), *seen) if self.seen and gap >= 0 else tuple(line)

    def _training(self, inside: int, pen: Pen) -> list[Line]:
        """Return a bar or what it waits for, with the time left and the speed if they fit."""
        if self.progress is None and not (self.rate or self.until):
            return []
        share = "" if self.progress is None else f"{self.progress:>4.0%}"
        left = "" if self.left is None else ((f"{duration(self.left)} left", "dim"),)
        rate = ((short(self.rate), "text"), (" games/s", "dim")) if self.rate else ""
        parts: tuple[Words, ...] = (self.until or share, left, rate)
        room = inside - width(head := (("training  ", "dim"),))
        told: Line = ()
        for words in parts:
            more = (*blank(bool(told)), *pen.line(words))
            if words and width(more) <= room - width(told):
                told = (*told, *more)
        if self.progress is None:
            return [(*head, *told)]
        room -= width(told) + 1
        return [(*head, *fit(bar(self.progress, room, "key", pen.glyphs), room), *blank(1), *told)]


def stats_view(session: Session) -> Stats:
    """Return the stats pane: at the run's newest point or at the current moment."""
    told = zip("XO", session.evaluation, people(session), strict=True)
    sides = [SideStats(mark, None if on else found, on) for mark, found, on in told]
    seen = [(mark, *found[f.COVERAGE]) for mark, found, _ in sides if found is not None]
    if session.run.layout.is_counted_once:
        seen = [("", *seen[0][1:])]
    training = session.snapshot if session.is_training else None
    left = training.seconds_left if training else None
    rate = session.snapshot.rate if session.snapshot and session.snapshot.done else None
    until = until_unbeatable(session) if training and training.goal.until_unbeatable else ""
    game, history = session.timeline.game, session.history
    results = (0, 0, 0)
    if session.is_at_end and training is None:
        results = recent_results(session.run.tally, 200)
    elif history.points and history.points[0].games <= game:
        is_newest = session.is_at_end or session.mode is Mode.TRAIN
        results = (history.points[-1] if is_newest else history.at(game)).results
    return Stats(
        sides=sides,
        results=None if results == (0, 0, 0) and game else results,  # None if they were not kept
        seen=tuple(seen),
        rate=rate,
        progress=training.done / training.goal.games if training and not until else None,
        left=left,
        until=until,
    )


def until_unbeatable(session: Session) -> str:
    """Return the progress until unbeatable."""
    left = beatable(session.evaluation)
    return f"{left} still beatable" if left else "unbeatable"


LOGARITHMIC = 20_000
"""With this many games the learning curve's axis is logarithmic, since most is learned early."""


def curve_view(session: Session) -> Curve:
    """Return the learning curve: shares of the latest games, with the current moment."""
    points = session.history.points
    games = max(1, points[-1].games)
    if games == 1:
        return Curve(note=NO_CURVE)
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
        v = session.run.memory if session.snapshot is None else session.snapshot.state.memory
    if is_training or session.played_film:
        board, right = Board(), "opening moves"
    cells, scale = cell_views(session, board, v)
    title = "board"
    if any(cell.beads is not None for cell in cells):
        title = f"{board.to_move}'s beads"
    elif any(cell.value is not None for cell in cells):
        title = f"{board.to_move}'s values"
    return Cells(title=title, cells=cells, scale=scale, right=right)


def cell_views(
    session: Session, board: Board, v: Floats
) -> tuple[list[CellView], HeatScale | None]:
    """Return the nine cells, the empty ones with what the mover's learner knows, and the scale of
    its values, if they are shown.
    """
    side, layout, event = Side(board.ply % 2), session.run.layout, session.timeline.event
    table, last = layout.table(side), session.last_move
    level = session.help if session.mode is Mode.PLAY else Help.VALUES  # all, unless you play
    rule, won = table.rule, winning(str(board))
    shows = level in (Help.VALUES, Help.EXACT) and rule.learns and not board.is_over
    known = mover_values(table, v, board.id) if shows else {}
    colours = colours_of(table, v, board.id) if shows and not rule.estimates else ()
    best, scale = best_cells(known), None
    if shows and rule.estimates:
        scale = HeatScale(known.values(), table.spec.rewards)
    truth, places = dict[int, float](), 3 if rule.estimates else 1
    if level is Help.EXACT:
        exact = true_values(layout, side, session.timeline.game)[space().successor[board.id]]
        truth = {cell: float(exact[cell]) for cell in board.legal_cells}
    optimal = SHORT.get(name := optimum(layout, side), name)
    written = event.cell if isinstance(event, Backup) and event.board == board.id else None
    hints = holding_cells(board) if level is Help.HINT else ()
    tells_hints = len(hints) < len(board.legal_cells)
    views = []
    for cell, mark in enumerate(str(board)):
        is_cursor = session.cursor == cell
        if mark != ".":
            is_last, is_won = last is not None and last.cell == cell, cell in won
            is_old = bool(won or last) and not (is_last or is_won)
            views.append(
                CellView(
                    mark, str(cell + 1), last=is_last and not won, old=is_old, cursor=is_cursor
                )
            )
            continue
        note: Words = ""
        colour = next((one for one in colours if cell in one.cells), None)
        first = cell if colour is None else colour.cells[0]
        if cell in truth:
            note = ((f"{optimal} {decimals(truth[cell], places)}", "truth"),)
        elif tells_hints and cell in hints:
            note = (("holds", "truth"),)
        elif colour is not None:
            share = f"{100 * colour.share:.0f}%"
            note = ((share, "text") if cell == first else (f"as {first + 1}", "dim"),)
        views.append(
            CellView(
                label=str(cell + 1),
                value=known.get(cell) if colour is None else None,
                beads=round(colour.beads) if colour and cell == first else None,
                colour=0 if colour is None else colour.number,
                heat=scale.heat(known[cell]) if scale else None,
                note=note,
                best=cell in best and len(best) < len(known),
                cursor=is_cursor,
                changed=written == cell,
                faded=board.is_over,
            )
        )
    return views, scale


def run_body(session: Session, offset: int, do: Do, lit: Lit, *, is_small: bool) -> Part:
    """Return the board, the log, the stats and the learning curve; a small window has no room for
    the last two.
    """
    mark = partial(do, "cell") if session.mode is Mode.PLAY else None
    board = lit("board", replace(board_view(session), clicked=mark))
    log = lit("log", log_view(session, offset))
    if is_small:
        return Beside((replace(board, width=BOARD), replace(log, least_columns=BOARD.least)))
    board = replace(board, width=BOARD, height=BOARD_ROWS)
    curve = replace(lit("curve", curve_view(session)), width=BOARD, rank=1, is_asked=True)
    stats = replace(lit("stats", stats_view(session)), height=Room(9, 11, 0.29), is_asked=True)
    return Beside((Stack((board, curve)), Stack((replace(log, rank=1), stats))))


def film_track(session: Session) -> Iterable[Block]:
    """Yield the line of the film, if it is open."""
    film, timeline = session.film, session.timeline
    if film is None or session.is_training:
        return
    found = film.marks.in_order
    here = next((f": {mark_told(one)[1]}" for one in found if one.place == timeline.place), "")
    games = f"{film.run.games:,}"
    yield Track(
        at=film.part_of(timeline.game),
        marks=tuple((film.part_of(one.place.game), mark_told(one)[0]) for one in found),
        said=f"game {timeline.game + 1:,}{here or f' of {games}'}",
        longest=f"game {games} of {games}",
        rank=-1,
    )


def below(session: Session, offset: int, picture: Hero, lit: Lit) -> Part:
    """Return what is below the picture of an update: the boards over all games; in full, the
    choice, and the run or a what-if.
    """
    update = picture.update
    if not picture.is_full:
        return Stairs(update=update, sweep=session.sweep, rows=picture.rows)
    choice = replace(lit("choice", choice_of(update)), width=CHOICE)
    asked = session.what_if_of(session.timeline.game)
    log = log_view(session, offset) if asked is None else both_games(asked)
    condition = session.breakpoint
    right: Words = (("break at ", "dim"), (condition, "key")) if condition else ""
    return Beside((choice, replace(log, right=right, least_columns=31)))


def title_of(session: Session) -> tuple[Sequence[tuple[str, str]], Words]:
    """Return the players, the moment, and what is running or the phase of the update."""
    right: Words = ((status(session), "better"),)
    if session.mode is Mode.STEP:
        phase = session.timeline.phase
        right = "" if phase is None else ((f" {phase + 1} {PHASES[phase]} ", "tag step"),)
    return (*named_players(session), *fields(session)), right
