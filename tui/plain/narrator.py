"""What plain mode prints after a command: the game, the moment, the metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.errors import printable
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.kernel.kernel import recent_results
from afterstate_lab.learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.recording import Cursor
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, PHASES, REPLY, VALUES, WRITE
from afterstate_lab.learners.tape.trace import best_cells, mover_values
from afterstate_lab.tui.blocks.speech import WIDTH, board_words, figure, listed, spoken, trimmed
from afterstate_lab.tui.lab.coach import Judged, move_results
from afterstate_lab.tui.lab.microscope.equation import closed
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Running, sentence
from afterstate_lab.tui.lab.resume_hint import games_text
from afterstate_lab.tui.lab.scripts.numbers import MARK
from afterstate_lab.tui.lab.searches import NO_VALUE, microscope_of, sweep_work
from afterstate_lab.tui.theme.numerals import decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.evaluation import Evaluation
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.runs.listing import LoadedRun
    from afterstate_lab.learners.tape.events import Learning
    from afterstate_lab.learners.tape.timeline import Timeline
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.session import PlainSession

NAMES: Final = {"X": "You are X", "O": "You are O", "XO": "You are both X and O"}
OVER: Final = "Game over. Type n for a new game."
LATEST: Final = 200
"""The results cover this many games."""


class Narrator:
    """Describes a lab in sentences."""

    def __init__(self, controller: LabController, session: PlainSession) -> None:
        self._controller = controller
        self._session = session

    def tell(self, name: str) -> list[str]:
        """Return what one of these methods says; nothing without a name."""
        said: list[str] = getattr(self, name)() if name else []
        return said

    @property
    def is_over(self) -> bool:
        """Whether the lab waits for no person's move."""
        return not self._session.game_goes_on

    def place(self) -> list[str]:
        return place_lines(self._session.timeline)

    def event(self) -> list[str]:
        """Describe the event just watched."""
        event = self._session.timeline.event
        is_first = isinstance(event, Move) and event.ply == 1
        return [*([f"Game {event.game + 1:,}."] if event and is_first else []), *self.place()]

    def found(self) -> list[str]:
        """Describe the moment found."""
        place = self._session.timeline.place
        return [f"Game {place.game + 1:,}, event {place.row + 1}.", *self.place()]

    def stepping(self) -> list[str]:
        """Describe where stepping begins."""
        game = self._session.timeline.game + 1
        return [f"Stepping through game {game:,}. n: next, b: back.", *self.place()]

    def where_on_tape(self) -> list[str]:
        """Describe the moment, the players and the board."""
        session, timeline = self._session, self._session.timeline
        run, rows = session.run, timeline.rows
        event = f", event {timeline.row - rows.start + 1} of {len(rows)}" if len(rows) else ""
        games = max(run.games, timeline.recording.last)
        return [
            f"Game {timeline.game + 1:,} of {games:,}{event}.",
            f"X is {run.x}. O is {run.o}. Seed {run.seed}.",
            *self.place(),
            board_words(session.board),
            *board_lines(session.board),
        ]

    def where_in_game(self) -> list[str]:
        """Describe the players and the state of the game."""
        run, humans = self._session.run, self._session.humans
        number = run.games + (not self.is_over)
        players = [f"{name} is {spec}" for name, spec in (("X", run.x), ("O", run.o))]
        others = [text for text in players if text[0] not in humans]
        to_move = f"{self._session.board.to_move}, it is your move."
        return [
            f"Playing game {number:,}. {'. '.join([NAMES[humans], *others])}.",
            *self.board(),
            "The game is over." if self.is_over else to_move,
        ]

    def where(self) -> list[str]:
        """Describe the current moment, in any mode."""
        if self._session.mode is Mode.PLAY:
            return self.where_in_game()
        if self._session.mode is Mode.STEP:
            return ["Stepping.", *self.where_on_tape()]
        return ["Between games; n begins one, w watches one.", *self.where_on_tape()]

    def selection(self) -> list[str]:
        """Describe the selected number."""
        scope = microscope_of(self._session)
        if scope is None or scope.selected is None:
            return ["Nothing is selected."]
        selection = scope.equation().selection
        pieces = [piece for words in selection if not isinstance(words, str) for piece in words]
        told = [f" {trimmed(text.strip())}" if role in ("strong", "truth") else text.rstrip()
                for text, role in pieces]  # fmt: skip
        return [sentence(spoken("".join(told)))]

    def board(self) -> list[str]:
        """Return the board, or how the game ended and what was learned from it."""
        session = self._session
        lines = [board_words(session.board), *board_lines(session.board)]
        events = session.timeline.events_of_game()
        last = events[-1] if events else None
        if not isinstance(last, GameOver):
            return lines
        lines.append(result_words(last, session.humans))
        seats = session.run.seating
        for name, seat in (("X", seats.x), ("O", seats.o)):
            table = self._table(name)
            if seat is Seat.LEARNS and table.spec.learns:
                lines += learned_lines(events, table)
        return lines

    def game(self) -> list[str]:
        """Describe a new game; the other side may have moved, or even ended it."""
        number = self._session.run.games + (not self._session.timeline.recording.is_over)
        begun = f"Game {number:,}. {NAMES[self._session.humans]}."
        return [begun, *self._replies(0), *self.board()]

    def move(self) -> list[str]:
        """Describe the person's last move, and the replies."""
        events = self._session.timeline.events_of_game()
        moves = [event for event in events if is_own(event, self._session.humans)]
        last = moves[-1]
        said = Judged.of(Board.from_id(last.board), last.cell).with_replies
        lines = [f"{last.player} takes {last.cell + 1}. {said}"]
        return [*lines, *self._replies(last.ply), *self.board()]

    def _replies(self, after: int) -> list[str]:
        """Return the other side's moves after a ply, each with what comes before it."""
        timeline = self._session.timeline
        lines: list[str] = []
        for row in timeline.rows:
            event = timeline.event_at(row)
            is_reply = isinstance(event, Move) and not is_own(event, self._session.humans)
            if isinstance(event, Move) and is_reply and event.ply > after:
                lines += self._reply(row, event)
        return lines

    def _reply(self, row: int, move: Move) -> list[str]:
        board, table = Board.from_id(move.board), self._table(move.player)
        rule, v = table.spec.rule, Cursor(self._session.timeline.recording, row).v
        has_values = rule.learns or not rule.draws
        best = best_cells(cell_values(table, v, board)) if has_values else []
        lines: list[str] = []
        if self._controller.shows == "exact":
            lines = exact_lines(board)
        elif self._controller.shows == "values" and has_values:
            lines = knowledge_lines(table, v, board)
        return [*lines, move_words(move, best)]

    def _table(self, name: str) -> Table:
        layout = self._session.run.layout
        return layout.x if name == "X" else layout.o

    def values(self) -> list[str]:
        """Return the values of each move: from a learner in the person's seat, or as chosen."""
        session = self._session
        if session.mode is Mode.STEP:
            scope = Microscope.at(session.timeline)
            lines = [] if scope is None else list(scope.choice().say())
            return lines or ["There is no choice here."]
        if self.is_over:
            return [OVER]
        table, v = self._table(session.board.to_move), session.timeline.v
        if not table.visits(v).any():
            return ["No learner was trained on your side; e shows the exact values."]
        return knowledge_lines(table, v, session.board)

    def exact(self) -> list[str]:
        """Return the result of each move under perfect play."""
        board = self._session.board
        if board.is_over:
            return ["The game is over here." if self._session.mode is Mode.STEP else OVER]
        return exact_lines(board)

    def equation(self) -> list[str]:
        """Describe the current update: rule, numbers, code, and the exact value."""
        scope = Microscope.at(self._session.timeline)
        if scope is None or scope.update.learned is None:
            return [NO_VALUE.text]
        rule, view = scope.update.spec.rule, scope.equation()
        lines = [f"Rule, {rule.source}: {rule_words(rule.equation.symbols)}."]
        if view.is_known:
            lines += view.say()
        code, where = view.code
        if code:
            lines.append(f"Code: {code}  ({where}).")
        truth = scope.update.exact
        return [*lines, f"Exact value: {figure(truth)}."] if truth is not None else lines

    def stairs(self) -> list[str]:
        """Describe when each board of the game first moved, and the idea of its rule."""
        scope = microscope_of(self._session)
        if scope is None:
            return [NO_VALUE.text]
        work = sweep_work(self._session, WIDTH)
        if work is not None:
            work.taken(work.do(Running(work)))
        return list(scope.stairs(self._session.sweep, 0).say())

    def opened(self, loaded: LoadedRun) -> list[str]:
        run = loaded.run
        lines = [
            f"Resumed {printable(loaded.stored.name)}, {games_text(run.games)}.",
            f"X is {run.x}. O is {run.o}.",
        ]
        if not loaded.is_same_engine:
            lines.append("Another version of the program played its games.")
        if self._session.mode is Mode.PLAY:
            return [*lines, *self.where_in_game()]
        return [*lines, "n begins a game, w watches one, step steps through the last."]

    def tour(self) -> list[str]:
        guide = self._controller.lessons.guide
        if guide is None:
            return self.lesson()
        title = guide.lesson.title
        return [f"{title}, in a separate run; tour ends it.", *self.lesson()]

    def lesson(self) -> list[str]:
        guide = self._controller.lessons.guide
        if guide is None:
            return ["The lesson is over; lessons lists them all."]
        step, number = guide.step, guide.number + 1
        heading = f"Step {number}/{len(guide.lesson.steps)}, {step.title}: {guide.text}"
        told = [spoken(heading.replace(MARK, "")), guide.to_type]
        return [*(self.place() if step.address and step.address.place else []), *told]

    def stats(self) -> list[str]:
        """Return the results, and each player's exact metrics at the current moment."""
        session, run = self._session, self._session.run
        if session.mode is Mode.STEP and not session.is_at_end:
            memory = session.timeline.v
            lines = [f"In game {session.timeline.game + 1:,} of {run.games:,}, at this moment."]
        else:
            memory, lines = run.memory, [self._results()]
        lines.append("Exact, with greedy play:")
        sides = evaluate_memory(run.layout, memory)
        for name, spec, side in zip(Side.__members__, (run.x, run.o), sides, strict=True):
            if session.mode is Mode.PLAY and session.human == name:
                lines.append(f"{name} is you.")
            elif side is None:
                lines.append(f"{name} is {spec}, which does not learn.")
            else:
                lines += figures(name, side, run.layout.is_counted_once)
        return lines

    def _results(self) -> str:
        run = self._session.run
        won_x, drawn, won_o = recent_results(run.tally, LATEST)
        many = won_x + drawn + won_o
        if not many:
            return "No game has been played yet."
        return (
            f"Of the latest {games_text(many)} of {run.games:,}: "
            f"X won {won_x:,}, {drawn:,} {'draw' if drawn == 1 else 'draws'}, O won {won_o:,}."
        )


def is_own(event: Event, humans: str) -> TypeGuard[Move]:
    """Return whether an event is a person's move."""
    return isinstance(event, Move) and event.player in humans


def figures(name: str, side: Evaluation, counted_once: bool) -> list[str]:
    """Return one learner's metrics; only X's include the size of a shared table."""
    right, decisions = side[f.OPTIMAL]
    written, of = side[f.COVERAGE]
    lines = [
        beatable(name, side),
        chances(name, side),
        f"{name} plays optimally in {right:,} of {decisions:,} positions.",
    ]
    if not counted_once:
        lines.append(f"{name} has visited {written:,} of {of:,} values.")
    elif name == Side.X.mark:
        lines.append(f"X and O have visited {written:,} of the {of:,} values that they share.")
    rms = side[f.RMS_MINIMAX]
    if rms is not None:
        lines.append(f"The root mean square error of its values against minimax is {figure(rms)}.")
    if side.as_played is not None:
        drawn = side.as_played
        lines += [
            f"As it plays, drawing its moves, {beatable(name, drawn)}",
            chances(name, drawn),
        ]
    return lines


def beatable(name: str, found: Evaluation) -> str:
    """Return whether a player can be beaten."""
    if not found[f.BEATABLE]:
        return f"{name} cannot be beaten."
    return f"{name} can be beaten, with probability up to {figure(found[f.WORST_LOSS])}."


def chances(name: str, found: Evaluation) -> str:
    """Return a player's chances against a random and a perfect opponent."""
    return (
        f"Against random {name} wins {figure(found[f.WIN])}, draws {figure(found[f.DRAW])}, "
        f"loses {figure(found[f.LOSS])}; "
        f"against perfect it draws {figure(found[f.PERFECT_DRAW])}."
    )


# moments

NOTHING_YET = "This is the start: nothing has happened yet."
RULE_SIGNS = {
    "[": " times (", "]": ")", "+": " plus ", "−": " minus ", "γ(": "γ times (", "×": " times ",
}  # fmt: skip


def place_lines(timeline: Timeline) -> list[str]:
    """Describe the current moment in a few sentences."""
    scope = Microscope.at(timeline)
    if scope is None:
        return [NOTHING_YET]
    event, phase = timeline.event, timeline.phase
    view = scope.equation()
    words = spoken(view.words)
    if isinstance(event, GameOver):
        return [f"End: {words}"]
    if isinstance(event, NoBackup):
        return [f"No backup, {event.player}: {words}", about(event)]
    name = PHASES[phase].capitalize()
    if isinstance(event, Backup):
        lines = [f"{name}, {event.player}: {words}"]
        if phase == WRITE:
            return [*lines, *view.say()]
        return lines if phase == REPLY else [*lines, about(event)]
    assert isinstance(event, Move)
    lines = [f"{name}: {words}"]
    if phase == VALUES:
        first = [f"Game {event.game + 1:,}."] if event.ply == 1 else []
        return [*first, *lines, *scope.choice().ranking()]
    board = event.afterstate if phase == CHOICE else event.board
    return [*lines, board_words(Board.from_id(board))]


def about(event: Learning) -> str:
    """Name the entry of an event."""
    board = Board.from_id(event.board)
    where = f": {board_words(board)}".removesuffix(".") if board.ply else " is empty"
    move = "" if event.cell is None else f"; the move is {event.cell + 1}"
    return f"Its board{where}{move}."


def rule_words(symbols: str) -> str:
    """Return the equation of a rule in words."""
    for sign, words in RULE_SIGNS.items():
        symbols = symbols.replace(sign, words)
    return closed(spoken(symbols))


# boards, moves and values

SAME_AFTER: Final = 6
"""Decimals to which numbers must agree to count as equal."""


def number(value: float, places: int = 3) -> str:
    """Return a value with a few decimals and no leading zero: .402."""
    return decimals(value, places).replace("−", "-")


def board_lines(board: Board) -> list[str]:
    """Return the board in three lines, with the numbers of free cells."""
    marks = [str(cell + 1) if mark == "." else mark for cell, mark in enumerate(str(board))]
    return [" ".join(marks[row : row + 3]) for row in (0, 3, 6)]


def grid(board: Board, labels: Mapping[int, str]) -> list[str]:
    """Return the board in three lines, with labels in free cells (0-8)."""
    texts = [labels.get(cell, mark) for cell, mark in enumerate(str(board))]
    width = max(map(len, texts))
    return ["  ".join(text.rjust(width) for text in texts[row : row + 3]) for row in (0, 3, 6)]


def move_words(move: Move, preferred: Sequence[int] = ()) -> str:
    """Return a move, and how it was chosen; `preferred` are the mover's best cells, 0-8."""
    how = ""
    if preferred and move.choice == "greedy":
        how = " (its best)" if len(preferred) == 1 else f" (one of its {len(preferred)} best)"
    elif preferred and move.choice == "exploratory":
        how = f" (exploring: it likes {listed(preferred, 'or')} better)"
    elif preferred and move.choice == "drawn":
        how = " (drawn from its beads)"
    return f"{move.player} takes {move.cell + 1}{how}."


def result_words(end: GameOver, humans: str) -> str:
    """Return the result, for the people who played."""
    if end.result == "draw":
        return "The game is a draw."
    loser = "O" if end.result == "X" else "X"
    told = f"{loser} resigns: {end.result} wins" if end.resigned else f"{end.result} wins"
    if len(humans) == 1:
        told += ", you win" if end.result == humans else ", you lose"
    return f"{told}."


def exact_lines(board: Board) -> list[str]:
    """Return a heading and three lines: the result of each move under perfect play."""
    return [f"What each move is worth to {board.to_move}:", *grid(board, move_results(board))]


def cell_values(table: Table, v: Any, board: Board) -> dict[int, float]:
    """Return the mover's value of each cell, 0-8; for beads, its colour's share (confidence)."""
    values = mover_values(table, v, board.id)
    rule = table.spec.rule
    if not rule.estimates:
        drawn = rule.as_played(table.values(v), table.entries)
        if drawn is not None:
            return {cell: float(drawn[space().edge_of[board.id, cell]]) for cell in values}
        total = sum(values.values())
        return {cell: n / total if total else 0.0 for cell, n in values.items()}
    return values


def knowledge_lines(table: Table, v: Any, board: Board) -> list[str]:
    """Return a heading and three lines: what the mover knows of a position."""
    name = table.side.mark
    values = cell_values(table, v, board)
    if table.spec.rule.estimates:
        labels = {cell: number(value) for cell, value in values.items()}
        return [f"What {name} expects of each move:", *grid(board, labels)]
    labels = {cell: f"{value:.0%}" for cell, value in values.items()}
    return [f"How sure {name} is of each move, by its beads:", *grid(board, labels)]


def learned_lines(events: list[Event], table: Table) -> list[str]:
    """Return what a learner learned from a game, a sentence for each entry, in order."""
    name = table.side.mark
    sentences: dict[int, str] = {}
    first: dict[int, float] = {}
    for event in events:
        if isinstance(event, Backup) and event.player == name:
            old = first.setdefault(event.entry, event.old)
            change = went(old, event.new, table.spec.rule.estimates)
            sentences[event.entry] = f"{name}'s {subject(event, table)} {change}."
        elif isinstance(event, NoBackup) and event.player == name:
            why = f"stayed as it was: the move after it was {event.reason}"
            sentences.setdefault(event.entry, f"{name}'s {subject(event, table)} {why}.")
    return list(sentences.values()) or [f"{name} learned nothing from this game."]


def subject(event: Backup | NoBackup, table: Table) -> str:
    """Return the name of an entry: the value of a board, or of a move on it."""
    what = "value" if table.spec.rule.estimates else "number of beads"
    board = space().text(event.board)
    return f"{what} of {board}" if event.cell is None else f"{what} for {event.cell + 1} on {board}"


def went(old: float, new: float, is_estimate: bool = True) -> str:
    """Return how a number changed, with enough decimals to see it."""
    if is_estimate:
        seen = (n for n in range(3, SAME_AFTER) if number(old, n) != number(new, n))
        places = next(seen, 3)
        was, now = number(old, places), number(new, places)
    else:
        was, now = f"{old:g}", f"{new:g}"
    return f"stayed at {now}" if was == now else f"went from {was} to {now}"
