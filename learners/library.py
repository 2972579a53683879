"""The lab for scripts and notebooks: train, open, ask and draw.

    from afterstate_lab import train
    run = train("td", "td", games=20_000, seed=1)
    run.evaluate()["X"]["beatable"]

Names and numbers are the same as in the lab and in the commands.
"""

from __future__ import annotations

import html
import operator
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Board, Side, reachable_boards, space
from afterstate_lab.game.board import EMPTY, shorten
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners.ask.table import Row, exported_rows
from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, printable, shown
from afterstate_lab.learners.experiments.like import Comparison
from afterstate_lab.learners.files import check_new
from afterstate_lab.learners.grading.grade import grade as compared
from afterstate_lab.learners.grading.grade import graded, lines_of, report
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.evaluation import evaluate_memory, evaluations_json
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.answers import (
    AgentTable,
    Complaint,
    mapping_rows,
    probabilities,
)
from afterstate_lab.learners.players.asking import ReadAgent
from afterstate_lab.learners.players.host import plain
from afterstate_lab.learners.players.judged import Judged, judged, judged_player
from afterstate_lab.learners.players.policy_file import load_policy, save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.players.user_rule import admitted
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import best_cells, mover_values, trace_recording
from afterstate_lab.learners.tape.run import Progress, Run
from afterstate_lab.learners.training import PATIENCE, Goal, Training

CELLS = range(9)
NEAR = 1e-9
"""Distance of two probabilities that count as one answer."""


def by_board(start: Any, step: Callable[[Any, int], Any]) -> Callable[[str], Any]:
    """Return a function from a board that is not over to a package's state, by one order of moves.

    Args:
        start: the state of the empty board.
        step: the state after a cell, 0-8, of another state.
    """

    @cache
    def state(board: str) -> Any:
        if board == EMPTY:
            return start
        cell = board.rindex("XO"[board.count(".") % 2])
        return step(state(f"{board[:cell]}.{board[cell + 1 :]}"), cell)

    return state


def from_openspiel(policy: Any) -> dict[str, list[float]]:
    """Return the probabilities of a policy of OpenSpiel's `tic_tac_toe`, by board.

    A state of OpenSpiel is a history. Ask the policy about every order of moves in which its
    own games reach a board, and about one order for each other board.

    Args:
        policy: has `action_probabilities(state)`, such as a `TabularPolicy`; or an RL agent with
            `step(time_step, is_evaluation)`, for its side.

    Raises:
        UsageError: it answers otherwise in another order of moves, or not with probabilities.
    """
    import pyspiel

    start, sides = pyspiel.load_game("tic_tac_toe").new_initial_state(), [0, 1]
    ask = getattr(policy, "action_probabilities", None)
    if ask is None:
        from open_spiel.python import rl_environment

        environment = rl_environment.Environment("tic_tac_toe", include_full_state=True)
        sides = [int(policy._player_id)]

        def ask(state: Any) -> Mapping[int, float]:
            environment.set_state(state.clone())
            told = policy.step(environment.get_time_step(), is_evaluation=True)
            return dict(enumerate(told.probs))

    known: dict[str, list[float]] = {}
    firsts: dict[str, tuple[Any, Mapping[int, float]]] = {}

    def answer(state: Any) -> list[float]:
        board, told = board_of(state), ask(state)
        if board not in known:
            try:
                known[board] = probabilities([float(told.get(cell, 0.0)) for cell in CELLS], board)
            except Complaint as error:
                raise UsageError(f"on the board {board} the policy {error}") from None
            firsts[board] = state, told
        first, before = firsts[board]
        if told != before and any(abs(told.get(c, 0.0) - before.get(c, 0.0)) > NEAR for c in CELLS):
            orders = [" ".join(str(cell + 1) for cell in s.history()) for s in (first, state)]
            raise UsageError(
                f"on the board {board} the policy answers otherwise after the moves {orders[0]} "
                f"than after {orders[1]}, and a verdict is about boards: see OpenSpiel's "
                "best_response"
            )
        return known[board]

    def walk(state: Any, side: int) -> None:
        if state.is_terminal():
            return
        chances = answer(state) if state.current_player() == side else [1.0] * 9
        for cell in state.legal_actions():
            if chances[cell] > 0.0:
                walk(state.child(cell), side)

    for side in sides:
        walk(start, side)
    state = by_board(start, lambda state, cell: state.child(cell))
    for board in reachable_boards():
        if not board.is_over and board.ply % 2 in sides and str(board) not in known:
            answer(state(str(board)))
    return known


def board_of(state: Any) -> str:
    """Return the board of a state of OpenSpiel."""
    return str(state).upper().replace("\n", "")


def from_pettingzoo(
    function: Callable[[dict[str, NDArray[np.int8]]], Any],
) -> Callable[[str], Any]:
    """Return an agent for `judge_agent` from a policy for PettingZoo's `tictactoe`.

    Args:
        function: takes an observation (`observation`, int8[3, 3, 2], and `action_mask`, int8[9]);
            returns an action 0-8 or the probabilities of all nine. Actions go down the columns.
    """
    cells = [3 * (action % 3) + action // 3 for action in CELLS]

    def pettingzoo(board: str) -> Any:
        marks = np.array(list(board))[cells]
        own = marks == Board.parse(board).to_move
        free = marks == "."
        planes = np.stack([own, ~own & ~free], axis=1).reshape(3, 3, 2).astype(np.int8)
        told = plain(function({"observation": planes, "action_mask": free.astype(np.int8)}))
        if isinstance(told, int):
            return cells[told] + 1
        return {cells[action] + 1: chance for action, chance in enumerate(told)}

    return pettingzoo


def from_pgx(function: Callable[[Any], Any]) -> Callable[[str], Any]:
    """Return an agent for `judge_agent` from a policy for pgx's `tic_tac_toe`.

    Args:
        function: takes a state of pgx (`observation`, `legal_action_mask`); returns an action 0-8
            or the probabilities of all nine.
    """
    import jax
    import pgx

    game = pgx.make("tic_tac_toe")
    state = by_board(game.init(jax.random.PRNGKey(0)), jax.jit(game.step))

    def of_pgx(board: str) -> Any:
        told = plain(function(state(board)))
        return told + 1 if isinstance(told, int) else told

    return of_pgx


COMPILED_FROM: Final = 5_000
"""Minimum number of games for which training uses machine code."""
Answer = Callable[[str], Any]
"""A function from a board to a cell 1-9, or to probabilities: nine numbers, or numbers by cell."""


class EntryTable(tuple[Row, ...]):
    """All values of two learners; a data frame of them is a table in a notebook."""

    def __repr__(self) -> str:
        return f"<{len(self):,} values>"


class Judgement(dict[str, Any]):
    """The object that `judge --json` prints for a side; a notebook shows the verdict and the game
    that beats it."""

    def __init__(self, found: Judged) -> None:
        super().__init__(found.as_json())
        self.moves, self.verdict = found.moves, found.verdict

    def __repr__(self) -> str:
        return f"<{self.verdict}>"

    def _repr_html_(self) -> str:
        board, pictures = Board(), list[str]()
        for move, cell in zip(self.moves, self["refutation"] or (), strict=True):
            board = board.play(cell - 1)
            rows = "\n".join(str(board)[row : row + 3] for row in (0, 3, 6))
            pictures.append(f"<pre>{move}\n{rows}</pre>")
        head = html.escape(self.verdict)
        games = f'<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(pictures)}</div>'
        return f"<p><b>{head}</b></p>{games}"


class Report(dict[str, Any]):
    """The object that `grade --json` prints; a notebook shows the report for a student."""

    def __repr__(self) -> str:
        first, points = self["first"], f"{self['score']} of {self['max_score']} points"
        where = f", first in game {first['game']:,} of seed {first['seed']}" if first else ""
        pair = f"{printable(self['rule'])} against {self['against']}"
        return f"<{pair}: {self['verdict']}{where}, {points}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(chr(10).join(lines_of(self)))}</pre>"


class Knowledge:
    """What two players know at one time.

    Args:
        layout: where their entries lie.
        memory: float64[2N], their values and visits.
    """

    def __init__(self, layout: Layout, memory: Floats) -> None:
        self.layout = layout
        self._memory = memory

    def __repr__(self) -> str:
        return f"<X {self.layout.x.spec}, O {self.layout.o.spec}>"

    @property
    def memory(self) -> Floats:
        """float64[2N], values and visits; not to be written to."""
        return self._memory

    def evaluate(self) -> dict[str, dict[str, Any] | None]:
        """Return the exact metrics of X and O, as `afterstate evaluate --json` prints them."""
        return evaluations_json(evaluate_memory(self.layout, self.memory))

    def values(self, board: Board | str) -> dict[int, float]:
        """Return what the side to move expects of each of its moves, by cell (1-9).

        Raises:
            UsageError: nobody learns on that side.
            InvalidBoardError: the text is not a board.
        """
        found = board if isinstance(board, Board) else Board.parse(board)
        table = self.layout.table(Side(found.ply % 2))
        if not table.rule.learns:
            raise UsageError(f"{table.side.mark} does not learn, so it expects nothing")
        values = mover_values(table, self.memory, found.id)
        return {cell + 1: value for cell, value in values.items()}

    def best(self, board: Board | str) -> list[int]:
        """Return the moves that the side to move prefers: several if they are equal."""
        return best_cells(self.values(board))

    def table(self) -> EntryTable:
        """Return every value, as `afterstate export` prints it."""
        return EntryTable(exported_rows(self.layout, self.memory))

    def to_openspiel(self) -> Any:
        """Return a policy of OpenSpiel's `tic_tac_toe` that plays both sides without exploring."""
        import pyspiel
        from open_spiel.python import policy

        known, s = EvaluatedState(self.layout, self.memory), space()
        chances = np.choose(s.ply[s.edge_state] % 2, [*map(known.greedy, Side)])

        class OfAfterstate(policy.Policy):  # type: ignore[misc]
            def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
                edges = s.edges_of(Board.parse(board_of(state)).id)
                cells = s.edge_cell[edges].tolist()
                return dict(zip(cells, chances[edges].tolist(), strict=True))

        return OfAfterstate(pyspiel.load_game("tic_tac_toe"), [0, 1])


class TrainingRun(Knowledge):
    """A run, and what its players know after its last game."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.layout, run.memory)
        self.run = run

    def __repr__(self) -> str:
        run = self.run
        return f"<X {run.x}, O {run.o}, seed {run.seed}: {run.games:,} games>"

    @property
    def memory(self) -> Floats:
        """float64[2N], values and visits after the last game."""
        return self.run.memory

    @property
    def games(self) -> int:
        return self.run.games

    def train(
        self, games: int | None = None, *, progress: Progress | bool | None = None
    ) -> TrainingRun:
        """Play and learn from more games; without a number, until neither can be beaten.

        That may never be: after two million games (`PATIENCE`) it ends all the same.

        Args:
            games: how many games.
            progress: called now and then with the part of the games that is done, 0 to 1; or True
                to print one line.

        Raises:
            UsageError: it is not a number of games.
            ValueError: one of the players is a person.
        """
        if progress is True:
            progress = print_progress
        if games is not None:
            games = whole(games, "a number of games", LARGEST_SEED)
        self.run.train(0)  # refuses a person before anything is compiled
        if games is None or games >= COMPILED_FROM:
            self.run.kernel().compile()
        goal = Goal(PATIENCE, True) if games is None else Goal(games)
        Training(self.run, goal, progress=progress or (lambda part: None)).work()
        if progress and games is None:
            progress(1.0)
        return self

    def at(self, games: int) -> Knowledge:
        """Return what both players knew after a number of games.

        Raises:
            IndexError: the run has fewer.
        """
        return Knowledge(self.layout, self.run.memory_at(games))

    def events(self, game: int) -> list[dict[str, Any]]:
        """Return all events of one game, from 1, as `afterstate trace` prints them.

        Raises:
            IndexError: the run has no such game.
        """
        return list(trace_recording(self.run.record(game - 1, game)))

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Save what was learned, as `train --out FILE.npz` does.

        Args:
            path: the file.
            force: replace a file that already exists.

        Raises:
            PolicyFileError: it cannot be written.
            UsageError: it already exists.
        """
        file = Path(path)
        check_new(file, "Pass force=True to replace it", force=force)
        save_policy(self.run, file)


def print_progress(part: float) -> None:
    """Print the part that is done, again and again in one line."""
    print(f"\r{part:4.0%}", end="\n" * (part >= 1.0), file=sys.stderr, flush=True)


def whole(number: int, what: str, largest: int) -> int:
    """Return a whole number of 0 or more.

    Raises:
        UsageError: it is something else, or larger than the largest.
    """
    try:
        if 0 <= operator.index(number) <= largest:
            return operator.index(number)
        said = shorten(operator.index(number))
    except TypeError:
        said = shown(str(number))
    raise UsageError(f"{said} is not {what}: it is a whole number from 0 to {largest}")


def train(
    x: str | type[Rule] = "td",
    o: str | type[Rule] = "td",
    games: int | None = 20_000,
    seed: int = 0,
    *,
    progress: Progress | bool | None = None,
) -> TrainingRun:
    """Train two players against each other.

    Args:
        x: who plays X, as after `--x`, or a class of a rule.
        o: who plays O.
        games: how many games; None: until neither can be beaten.
        seed: of all random numbers, 0 to 2^63 - 1, as in an address.
        progress: called now and then with the part of the games that is done, 0 to 1; or True to
            print one line.

    Raises:
        UsageError: there is no such player, or no such number of games or seed.
    """
    known = whole(seed, "a seed", LARGEST_SEED)
    run = TrainingRun(Run(learner_of(x), learner_of(o), known))
    return run.train(games, progress=progress)


def learner_of(player: str | type[Rule]) -> PlayerSpec:
    """Return a player by its text or its class."""
    if isinstance(player, str):
        return parse_player(player)
    if not (isinstance(player, type) and issubclass(player, Rule)):
        raise UsageError(f"{shown(player)} is not a rule: write class MyRule(Rule)")
    is_ours = player.__module__.partition(".")[0] == "afterstate_lab"
    return PlayerSpec(player if is_ours else admitted(player, player.__module__, player.__name__))


def grade(rule: str | type[Rule], against: str = "td", **limits: Any) -> Report:
    """Compare a rule with a correct one, event by event, as `afterstate grade` does.

    Args:
        rule: a text such as `my_rule.py:MyRule`, graded in another process, or a class, graded in
            this one.
        against: the correct rule.
        limits: `games` of each of `seeds`; with a text `seconds`, too.

    Raises:
        UsageError: the rule cannot be graded.
    """
    if isinstance(rule, str):
        return Report(graded(rule, against, **limits))
    return Report(report(compared(learner_of(rule), parse_player(against), **limits)))


def player_of(agent: str | Answer | Mapping[str, Any]) -> PlayerSpec:
    """Return the player that an agent stands for; a function is asked in this process, like a
    table."""
    if isinstance(agent, str):
        return parse_player(agent)
    table: Any
    if isinstance(agent, Mapping):
        name, table = "the mapping", AgentTable(mapping_rows(agent))
    else:
        name, function = getattr(agent, "__name__", "the agent"), agent

        def answer(board: str) -> Any:
            try:
                return plain(function(board))
            except (Exception, SystemExit) as error:
                return {"failed": f"{type(error).__name__}: {error}", "line": None}

        table = SimpleNamespace(sides=Side, answer=answer)
    fields = {"name": name, "sha256": "", "command": (), "table": table}
    return PlayerSpec(type("GivenAgent", (ReadAgent,), fields))


def judge_agent(
    agent: str | Answer | Mapping[str, Any] | Knowledge,
    side: str = "X",
    *,
    like: str | None = None,
    against: str | None = None,
    games: int = 20_000,
) -> Judgement:
    """Return the exact metrics of an agent on one side, as `afterstate judge --json` prints them.

    Args:
        agent: a function from a board (nine characters) to a cell 1-9 or to the probabilities of
            cells, a mapping of the same, a run, or a text as on the command line:
            `agent.py:move`, `moves.csv`, `cmd:PROGRAM`, a player.
        side: X or O.
        like: also compare it with learners like this one; adds `like`.
        against: the player that it was trained against; by default itself.
        games: the number of games that it was trained for.

    Raises:
        UsageError: there is no such agent or player, or it does not play that side.
    """
    wanted = [Side.parse(side)]
    if isinstance(agent, Knowledge):
        (found,) = judged(agent.layout, agent.memory, wanted)
    else:
        (found,) = judged_player(player_of(agent), wanted)
    told = Judgement(found)
    if like is not None:
        other = None if against is None else parse_player(against)
        many = whole(games, "a number of games", LARGEST_SEED)
        known = Comparison.train(parse_player(like), other, many, wanted)
        told["like"] = known.of(found).as_json()
    return told


def open_run(name: str) -> TrainingRun:
    """Open a copy of a saved run of the lab.

    Raises:
        StoreError: there is none of that name, or it cannot be read.
    """
    loaded = Store.open().load(name)
    if loaded.warning:
        warnings.warn(loaded.warning, stacklevel=2)
    return TrainingRun(loaded.run)


def open_policy(path: str | Path) -> Knowledge:
    """Open what `train --out FILE.npz` saved.

    Raises:
        PolicyFileError: it cannot be read.
    """
    return Knowledge(*load_policy(Path(path)))
