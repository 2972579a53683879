"""A recorded game that a quiz asks about: what can be told of it, and what must not be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from game import space
from learners.queries.quiz.question import QuizFact, QuizKind, QuizQuestion
from learners.rules.equation import TermRole
from learners.tape.events import Backup, Event, GameOver, Move
from learners.tape.recording import Cursor, Recording, TapePosition
from learners.tape.state import Seat
from learners.tape.watched import Reads, reads_in, watch

if TYPE_CHECKING:
    from learners.kernel.memory import Table
    from learners.tape.run import Run

REWARD: Final = "R"
"""What an equation calls the result of the game."""


@dataclass(frozen=True, eq=False)
class QuizGame:
    """A recorded game of a run, and what is asked of it."""

    run: Run
    recording: Recording
    events: tuple[Event, ...]
    reads: tuple[Reads, ...]

    @classmethod
    def of(cls, run: Run, game: int) -> QuizGame:
        recording = run.record(game, game + 1)
        reads = reads_in(recording, game, watch(run, recording, game))
        return cls(run, recording, tuple(recording.events()), tuple(reads))

    def table(self, player: str) -> Table:
        return self.recording.layout.x if player == "X" else self.recording.layout.o

    def learns(self, player: str) -> bool:
        """Whether a side learns from this game."""
        seats = self.run.seating_of(self.recording.first)
        return (seats.x if player == "X" else seats.o) is Seat.LEARNS and self.table(
            player
        ).spec.learns

    def moves_before(self, row: int) -> list[Move]:
        """The moves up to a row, that one included."""
        return [event for event in self.events[: row + 1] if isinstance(event, Move)]

    def label(self, entry: int, *, with_table: bool = True) -> str:
        """An entry: its board, with the cell of an action value, and its table; or the reward."""
        table = self.recording.layout.table_of(entry)
        place = entry - table.base
        if not 0 <= place < table.size:
            return REWARD
        which, place = divmod(place, len(table.entries.boards))
        board = space().text(int(table.entries.boards[place]))
        cell = int(table.entries.cells[place])
        name = f"{board}@{cell + 1}" if cell >= 0 else board
        told = with_table and table.spec.rule.tables > 1
        return f"{name} of table {which + 1}" if told else name

    def after(self, row: int) -> range:
        """The rows of what is learned from the move of a row: those before the next move."""
        end = row + 1
        while end < len(self.events) and not isinstance(self.events[end], Move):
            end += 1
        return range(row + 1, end)

    def question(self, kind: QuizKind, row: int, **rest: object) -> QuizQuestion:
        """A question about a row; the board is that after the moves so far."""
        event = self.events[row]
        moves = self.moves_before(row)
        is_choice = kind is QuizKind.GREEDY
        board = moves[-1].board if is_choice else moves[-1].afterstate
        shown = (moves[-2].cell if len(moves) > 1 else None) if is_choice else moves[-1].cell
        player = str(rest.pop("player", getattr(event, "player", "X")))
        return QuizQuestion(
            kind=kind,
            place=TapePosition(self.recording.first, row),
            ply=event.ply,
            player=player,
            board=space().text(board),
            moved=shown,
            **rest,  # type: ignore[arg-type]
        )


Pick = Callable[[int], int]
"""One of so many, by the dice."""


def seen_facts(game: QuizGame, row: int) -> Iterator[QuizFact]:
    """What the rule had read for a backup: entries, or how the game ended."""
    read = game.reads[row]
    event, own = game.events[row], game.label(entry_of(game, row))
    if game.table(event_player(event)).spec.rule.estimates:
        for entry, value in list(read.values.items())[:MOST_CHOICES]:
            if game.label(entry) not in (REWARD, own):
                yield QuizFact(f"{game.label(entry)} holds", value)
    yield from end_facts(game, row)
    reward = read.variables.get("r", read.variables.get("reward"))
    if reward is not None:
        yield QuizFact(REWARD, reward)


def end_facts(game: QuizGame, row: int) -> Iterator[QuizFact]:
    """How the game ended, where no move follows a row."""
    over = game.events[-1]
    if isinstance(over, GameOver) and not any(isinstance(e, Move) for e in game.events[row + 1 :]):
        said = "a draw" if over.result == "draw" else f"{over.result} wins"
        other = "O" if over.result == "X" else "X"
        yield QuizFact("the game ends:", text=f"{other} resigns" if over.resigned else said)


def numbers_of(game: QuizGame, row: int) -> Iterator[QuizFact]:
    """The numbers that turn an old value into the new one."""
    backup = game.events[row]
    assert isinstance(backup, Backup)
    rule = game.table(backup.player).spec.rule
    if rule.shares_error:
        yield QuizFact("error δ", error_of(game, row))
        yield QuizFact("trace z", backup.trace)
    elif rule.estimates:
        yield QuizFact("target", backup.target)
    else:
        for term in rule.equation.terms:
            if term.role is TermRole.BEADS and term.variable in game.reads[row].variables:
                yield QuizFact(term.symbol, game.reads[row].variables[term.variable])
    if rule.estimates:
        yield QuizFact("step size", backup.step)


def error_of(game: QuizGame, row: int) -> float:
    """The TD error that a backup applies: with traces that of the first of its turn."""
    return float(game.recording.errors[row])


def entry_of(game: QuizGame, row: int) -> int:
    backup = game.events[row]
    assert isinstance(backup, Backup)
    return backup.entry


def event_player(event: Event) -> str:
    """Whose move or backup it is."""
    assert isinstance(event, Move | Backup)
    return event.player


def preferences_at(game: QuizGame, row: int) -> dict[int, float]:
    """What each cell is worth to the mover of a row, at that time."""
    move = game.events[row]
    assert isinstance(move, Move)
    ranked = game.table(move.player).preferences(Cursor(game.recording, row).v)
    s = space()
    edges = range(int(s.first_edge[move.board]), int(s.first_edge[move.board + 1]))
    return {int(s.edge_cell[edge]): float(ranked[edge]) for edge in edges}


def candidate_facts(game: QuizGame, row: int) -> Iterator[QuizFact]:
    """The entries that the mover of a row compares, by their boards."""
    move = game.events[row]
    assert isinstance(move, Move)
    table, v, s = game.table(move.player), Cursor(game.recording, row).v, space()
    values, size = table.values(v), len(table.entries.boards)
    seen: dict[str, tuple[float, ...]] = {}
    for edge in range(int(s.first_edge[move.board]), int(s.first_edge[move.board + 1])):
        place = int(table.entries.of_edge[edge]) % size
        seen[game.label(table.base + place, with_table=False)] = tuple(
            float(x) for x in values[:, place]
        )
    for label, numbers in sorted(seen.items(), reverse=True):
        if len(numbers) == 1:
            yield QuizFact(f"{label} holds", numbers[0])
        else:
            first, second = numbers
            yield QuizFact(f"{label} holds", text=(first, " and ", second, " in the two tables"))


MOST_CHOICES: Final = 9
