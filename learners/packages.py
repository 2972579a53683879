"""Agents of OpenSpiel, PettingZoo and pgx for `judge_agent`, and runs for OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate_lab.game import Board, reachable_boards, space
from afterstate_lab.game.board import EMPTY
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.agent_table import Complaint
from afterstate_lab.learners.players.answers import probabilities
from afterstate_lab.learners.players.host import plain

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
    start, ask, sides = asked_in_openspiel(policy)
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


def asked_in_openspiel(
    policy: Any,
) -> tuple[Any, Callable[[Any], Mapping[int, float]], tuple[int, ...]]:
    """Return the first state of the game, how a policy is asked, and its sides."""
    if hasattr(policy, "action_probabilities"):
        import pyspiel

        start = pyspiel.load_game("tic_tac_toe").new_initial_state()
        return start, policy.action_probabilities, (0, 1)
    from open_spiel.python import rl_environment

    environment = rl_environment.Environment("tic_tac_toe", include_full_state=True)

    def ask(state: Any) -> Mapping[int, float]:
        environment.set_state(state.clone())
        told = policy.step(environment.get_time_step(), is_evaluation=True)
        return dict(enumerate(told.probs))

    return environment.game.new_initial_state(), ask, (int(policy._player_id),)


def board_of(state: Any) -> str:
    """Return the board of a state of OpenSpiel."""
    return str(state).upper().replace("\n", "")


def to_openspiel(chances: NDArray[np.float64]) -> Any:
    """Return a policy of OpenSpiel's `tic_tac_toe`.

    Args:
        chances: float64[16167], the probability of every move.
    """
    import pyspiel
    from open_spiel.python import policy

    class OfAfterstate(policy.Policy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
            edges = space().edges_of(Board.parse(board_of(state)).id)
            cells = space().edge_cell[edges].tolist()
            return dict(zip(cells, chances[edges].tolist(), strict=True))

    return OfAfterstate(pyspiel.load_game("tic_tac_toe"), [0, 1])


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
