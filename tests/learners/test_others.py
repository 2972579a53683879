"""What OpenSpiel and PettingZoo say themselves, where they are installed (with pygame)."""

import numpy as np
import pytest

from afterstate_lab.learners import from_openspiel, from_pettingzoo, judge_agent

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("side", "XO")
@pytest.mark.parametrize("name", ["UniformRandomPolicy", "FirstActionPolicy", "by board"])
def test_judge_agrees_with_openspiel_about_its_own_agents(name, side):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import best_response, expected_game_score

    class MostWins(best_response.BestResponsePolicy):
        """Counts wins alone, as a worst loss does: a draw is worth as little as a loss."""

        def value(self, state):
            if state.is_terminal():
                return max(0.0, state.player_return(self._player_id))
            return super().value(state)

    game = pyspiel.load_game("tic_tac_toe")

    class ByBoard(policy.Policy):
        """Probabilities that depend on the board alone, different on each."""

        def action_probabilities(self, state, player_id=None):
            cells = state.legal_actions()
            chances = np.random.default_rng([*str(state).encode()]).dirichlet([0.3] * len(cells))
            return dict(zip(cells, chances, strict=True))

    agent = ByBoard(game, [0, 1]) if name == "by board" else getattr(policy, name)(game)
    found = judge_agent(from_openspiel(agent), side)
    me = "XO".index(side)
    worst = MostWins(game, 1 - me, agent).value(game.new_initial_state())
    assert found["worst_loss"] == pytest.approx(worst, abs=1e-12)
    players = [policy.UniformRandomPolicy(game)] * 2
    players[me] = agent
    score = expected_game_score.policy_value(game.new_initial_state(), players)[me]
    against = found["vs_random"]
    assert against["win"] - against["loss"] == pytest.approx(score, abs=1e-12)


def test_a_policy_of_pettingzoo_is_asked_what_its_own_game_shows():
    tictactoe = pytest.importorskip("pettingzoo.classic.tictactoe_v3")
    asked = []
    agent = from_pettingzoo(
        lambda seen: (asked.append(seen), int(np.argmax(seen["action_mask"])))[1]
    )
    dice = np.random.default_rng(7)
    for _ in range(100):
        env, board = tictactoe.env(), list(".........")
        env.reset()
        for ply in range(9):
            seen, _, is_over, _, _ = env.last()
            if is_over:
                break
            agent("".join(board))
            for name in ("observation", "action_mask"):
                assert (asked[-1][name] == seen[name]).all()
            action = int(dice.choice(np.flatnonzero(seen["action_mask"])))
            board[3 * (action % 3) + action // 3] = "XO"[ply % 2]
            env.step(action)
