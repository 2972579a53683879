"""The lab for scripts and notebooks."""

import doctest
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from heuristic import move as heuristic

from afterstate_lab import learners as lab
from afterstate_lab.game import Board, reachable_boards
from afterstate_lab.learners.errors import StoreError, UsageError

AGENTS = Path(__file__).parents[1] / "agents"
PAGE = Path(__file__).parents[2] / "docs" / "library.md"


@pytest.fixture(scope="module")
def run():
    return lab.train("td", "random", games=300, seed=3)


def test_every_example_of_the_page_holds(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_it_is_what_the_commands_say(run, tmp_path, afterstate):
    def told(*words):
        return json.loads(afterstate(*words, "--json").out)

    run.save(tmp_path / "p.npz")
    assert told("evaluate", str(tmp_path / "p.npz")) == json.loads(json.dumps(run.evaluate()))
    assert lab.open_policy(tmp_path / "p.npz").evaluate() == run.evaluate()
    judged = json.loads(json.dumps(lab.judge_agent("random", "O")))
    assert told("judge", "random", "--as", "O")["O"] == judged
    with pytest.raises(UsageError, match="a person cannot be judged"):
        lab.judge_agent("human")


def pettingzoo_policy(observation):
    own, other = np.moveaxis(observation["observation"], 2, 0).astype(bool)
    me, you = "XO" if own.sum() == other.sum() else "OX"
    board = "".join(np.select([own, other], [me, you], ".").T.ravel())
    cell = heuristic(board) - 1
    assert observation["action_mask"][3 * (cell % 3) + cell // 3] == 1
    return 3 * (cell % 3) + cell // 3


class OpenSpiel(SimpleNamespace):
    def load_game(self, name):
        assert name == "tic_tac_toe"
        return self

    def new_initial_state(self):
        return OpenSpiel(board=Board())

    def apply_action(self, cell):
        self.board = self.board.play(cell)

    def action_probabilities(self, state):
        return {heuristic(str(state.board)) - 1: 1.0}


@pytest.mark.quick("mapping-O", "openspiel-X")
@pytest.mark.parametrize("side", "XO")
@pytest.mark.parametrize(
    "agent",
    [
        heuristic,
        lambda board: np.int64(heuristic(board)),
        lambda board: [float(cell == heuristic(board)) for cell in range(1, 10)],
        {str(board): heuristic(str(board)) for board in reachable_boards() if not board.is_over},
        lab.from_pettingzoo(pettingzoo_policy),
        lab.from_openspiel(OpenSpiel()),
    ],
    ids=["function", "numpy", "probabilities", "mapping", "pettingzoo", "openspiel"],
)
def test_functions_mappings_and_others_policies_are_judged_as_files_are(agent, side, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", OpenSpiel())
    found, by_file = (
        lab.judge_agent(agent, side),
        lab.judge_agent(f"{AGENTS / 'heuristic.py'}:move", side),
    )
    differs = {"spec": "", "asked": 0, "read_as": []}
    assert found | differs == by_file | differs


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        (lambda board: 1 / 0, "fails: ZeroDivisionError: division by zero"),
        (lambda board: sys.exit(2), "fails: SystemExit: 2"),
        (lambda board: "corner", "answers with the text 'corner'"),
        (lab.from_pettingzoo(lambda observation: 9), "fails: IndexError"),
    ],
)
def test_an_agent_that_answers_wrongly_is_refused_with_the_board(agent, why):
    with pytest.raises(UsageError, match=rf"on the board \S{{9}} .*{why}"):
        lab.judge_agent(agent)


def test_boards_without_an_answer_are_counted_and_resigned():
    missing = lab.judge_agent({".........": 1})["illegal"]
    assert (missing["reached"], missing["board"], missing["game"]) == (8, "XO.......", [1, 2])
    assert missing["said"] == "has no row for it"
    assert lab.judge_agent(lambda board: {})["resigns"]["boards"] > 0


def test_the_past_is_what_a_shorter_training_knows(run):
    assert run.at(120).memory.tobytes() == lab.train("td", "random", 120, 3).memory.tobytes()
    assert run.at(300).memory.tobytes() == run.memory.tobytes()
    with pytest.raises(IndexError):
        run.at(301)


@pytest.mark.parametrize("wrong", [-1, 2**63, 10**400, 1.5, "7", None])
def test_a_seed_that_no_address_can_hold_is_refused(wrong):
    with pytest.raises(UsageError, match="is not a seed: it is a whole number from 0 to"):
        lab.train(games=1, seed=wrong)
    with pytest.raises(UsageError, match="is not a number of games"):
        lab.train(games=wrong if wrong is not None else "many")


def test_a_run_of_the_lab_is_opened_and_left_as_it_is(run, tmp_path, monkeypatch):
    from afterstate_lab.learners.runs.store import Store

    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path))
    Store.open().save(run.run, name="mine")
    opened = lab.open_run("mine")
    assert opened.memory.tobytes() == run.memory.tobytes()
    opened.train(10)
    assert lab.open_run("mine").games == 300
    with pytest.raises(StoreError):
        lab.open_run("yours")


# What OpenSpiel and PettingZoo say themselves, where they are installed (with pygame).


@pytest.mark.slow
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
        def action_probabilities(self, state, player_id=None):
            cells = state.legal_actions()
            chances = np.random.default_rng([*str(state).encode()]).dirichlet([0.3] * len(cells))
            return dict(zip(cells, chances, strict=True))

    agent = ByBoard(game, [0, 1]) if name == "by board" else getattr(policy, name)(game)
    found = lab.judge_agent(lab.from_openspiel(agent), side)
    me = "XO".index(side)
    worst = MostWins(game, 1 - me, agent).value(game.new_initial_state())
    assert found["worst_loss"] == pytest.approx(worst, abs=1e-12)
    players = [policy.UniformRandomPolicy(game)] * 2
    players[me] = agent
    score = expected_game_score.policy_value(game.new_initial_state(), players)[me]
    against = found["vs_random"]
    assert against["win"] - against["loss"] == pytest.approx(score, abs=1e-12)


@pytest.mark.slow
def test_a_policy_of_pettingzoo_is_asked_what_its_own_game_shows():
    tictactoe = pytest.importorskip("pettingzoo.classic.tictactoe_v3")
    asked = []
    agent = lab.from_pettingzoo(
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
