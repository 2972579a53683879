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
    best_response,
    optimal_response_values,
    shortest_refutation,
    worst_loss,
    worst_losses,
)

__all__ = [
    "Outcome",
    "PlayerEvaluation",
    "Policy",
    "best_response",
    "combine",
    "distance_to_end",
    "epsilon_greedy_policy",
    "evaluate",
    "evaluate_player",
    "expected_value",
    "greedy_policy",
    "minimax",
    "minimax_values",
    "opponent_of",
    "optimal_edges",
    "optimal_response_values",
    "outcome_against",
    "perfect_policy",
    "resignation",
    "shortest_refutation",
    "uniform_policy",
    "worst_loss",
    "worst_losses",
]
