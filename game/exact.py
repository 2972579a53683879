"""The exact oracles in one place: minimax, policies, evaluation, best response, metrics."""

from game.evaluation import evaluate, expected_value
from game.metrics import Outcome, PlayerEvaluation, evaluate_player, outcome_against
from game.minimax import distance_to_end, minimax, minimax_values, optimal_edges
from game.policies import (
    Policy,
    combine,
    epsilon_greedy_policy,
    greedy_policy,
    opponent_of,
    perfect_policy,
    resignation,
    uniform_policy,
)
from game.response import (
    Refutation,
    best_response,
    likeliest_refutation,
    optimal_response_values,
    reached_positions,
    shortest_refutation,
    worst_loss,
    worst_losses,
)

__all__ = [
    "Outcome",
    "PlayerEvaluation",
    "Policy",
    "Refutation",
    "best_response",
    "combine",
    "distance_to_end",
    "epsilon_greedy_policy",
    "evaluate",
    "evaluate_player",
    "expected_value",
    "greedy_policy",
    "likeliest_refutation",
    "minimax",
    "minimax_values",
    "opponent_of",
    "optimal_edges",
    "optimal_response_values",
    "outcome_against",
    "perfect_policy",
    "reached_positions",
    "resignation",
    "shortest_refutation",
    "uniform_policy",
    "worst_loss",
    "worst_losses",
]
