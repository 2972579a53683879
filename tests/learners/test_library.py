"""The lab for scripts and notebooks."""

import doctest
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from heuristic import move as heuristic
from minimax import perfect

import afterstate_lab as lab
from afterstate_lab.game import reachable_boards
from afterstate_lab.learners.errors import StoreError, UsageError
from afterstate_lab.learners.rules.state_values import TemporalDifference

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
    with pytest.raises(UsageError, match=r"already exists\. Pass force=True to replace it"):
        run.save(tmp_path / "p.npz")
    run.save(tmp_path / "p.npz", force=True)
    assert told("evaluate", str(tmp_path / "p.npz")) == json.loads(json.dumps(run.evaluate()))
    assert lab.open_policy(tmp_path / "p.npz").evaluate() == run.evaluate()
    judged = json.loads(json.dumps(lab.judge_agent("random", "O")))
    assert told("judge", "random", "--as", "O")["O"] == judged
    with pytest.raises(UsageError, match="a person cannot be judged"):
        lab.judge_agent("human")


@pytest.mark.quick("mapping-O")
@pytest.mark.parametrize("side", "XO")
@pytest.mark.parametrize(
    "agent",
    [
        lambda board: np.int64(heuristic(board)),
        lambda board: [float(cell == heuristic(board)) for cell in range(1, 10)],
        {str(board): heuristic(str(board)) for board in reachable_boards() if not board.is_over},
    ],
    ids=["function", "probabilities", "mapping"],
)
def test_functions_mappings_and_others_policies_are_judged_as_files_are(agent, side):
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


@pytest.mark.slow
def test_of_a_function_that_decides_by_chance_the_odds_are_estimated():
    """It draws with the best opponent, but for one answer of four to a corner, which loses."""

    def move(board):
        return random.choice([5, 5, 5, 2]) if board == "X........" else perfect(board)

    found = lab.judge_agent(move, "O")
    assert (found["chance"], found["beatable"]) == ("estimated", True)
    assert abs(found["worst_loss"] - 1 / 4) <= found["worst_loss_error"] < 0.1


def test_boards_without_an_answer_are_counted_and_resigned():
    missing = lab.judge_agent({".........": 1})["illegal"]
    assert (missing["reached"], missing["board"], missing["game"]) == (8, "XO.......", [1, 2])
    assert missing["said"] == "has no row for it"
    assert lab.judge_agent(lambda board: {})["resigns"]["boards"] > 0


def test_a_verdict_is_one_line_a_picture_and_the_object_of_the_command(run):
    found = lab.judge_agent(heuristic, "O")
    game = "X 1  O 5  X 8  O 3  X 7  O 9  X 4"
    assert repr(found) == (f"<O move: it loses to its best opponent with probability 1: {game}>")
    assert found._repr_html_().count("<pre>") == 7
    assert "<pre>X 4\nX.O\nXO.\nXXO</pre>" in found._repr_html_()
    assert json.loads(json.dumps(found)) == found
    assert repr(lab.judge_agent("perfect", "X")) == "<X perfect: nobody beats it>"


class Mine(lab.Rule):
    options = lab.options.STATE_VALUES

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if greedy[t]:
            lab.backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)


def test_a_class_written_in_a_cell_is_trained_and_graded_like_a_file():
    known = lab.train(Mine, "td", 300, 3)
    assert repr(known) == "<X Mine, O td, seed 3: 300 games>"
    assert known.memory.tobytes() == lab.train("td", "td", 300, 3).memory.tobytes()
    told = lab.grade(Mine, "td", games=20, seeds=1)
    assert repr(told) == "<Mine against td: same, 13 of 13 points>"
    assert "same: Mine learns as td does" in told._repr_html_()
    with pytest.raises(UsageError, match="is not a rule: write class"):
        lab.train(int, "td", 1)
    with pytest.raises(UsageError, match=r"runs TemporalDifference.after_step"):
        lab.grade(type("Copy", (TemporalDifference,), {"__module__": "cell"}), "td")


def test_progress_is_one_line(capsys):
    lab.train("random", "random", 40, progress=True)
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and told.endswith("\r100%\n")


def test_a_table_of_values_is_a_sequence_and_short_in_a_notebook(run):
    assert isinstance(run.table(), Sequence)
    assert repr(run.table()) == "<2,098 values>"


@pytest.mark.slow
def test_polars_reads_a_table(run):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(run.table())
    assert frame["value"].to_list() == [row.value for row in run.table()]


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
@pytest.mark.parametrize("name", ["by board", "a run"])
def test_judge_agrees_with_openspiel_about_its_own_agents_and_a_run_as_one(game, name, side):
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score

    class ByBoard(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            cells = state.legal_actions()
            chances = np.random.default_rng([*str(state).encode()]).dirichlet([0.3] * len(cells))
            return dict(zip(cells, chances, strict=True))

    agent, me = ByBoard(game, [0, 1]), "XO".index(side)
    if name == "a run":
        run = lab.train("menace", "td", 2_000, 4)
        agent, here = run.to_openspiel(), lab.judge_agent(run, side)
    found = lab.judge_agent(lab.from_openspiel(agent), side)
    assert name == "by board" or found["worst_loss"] == here["worst_loss"]
    assert found["worst_loss"] == pytest.approx(worst(agent, me), abs=1e-12)
    players = [policy.UniformRandomPolicy(game)] * 2
    players[me] = agent
    score = expected_game_score.policy_value(game.new_initial_state(), players)[me]
    against = found["vs_random"]
    assert against["win"] - against["loss"] == pytest.approx(score, abs=1e-12)


@pytest.fixture
def game():
    return pytest.importorskip("pyspiel").load_game("tic_tac_toe")


def worst(policy, me):
    """How often a side loses to OpenSpiel's own best response, which looks for losses alone."""
    from open_spiel.python.algorithms import best_response

    class MostWins(best_response.BestResponsePolicy):
        def value(self, state):
            if state.is_terminal():
                return max(0.0, state.player_return(self._player_id))
            return super().value(state)

    game = policy.game
    return MostWins(game, 1 - me, policy).value(game.new_initial_state())


@pytest.mark.slow
def test_a_policy_that_answers_by_the_order_of_moves_is_refused_and_not_proved(game):
    """It blocks and wins as the heuristic does, in the order that a board is asked in: in another
    order it lets go, and OpenSpiel beats it every time."""
    from open_spiel.python import policy

    exact = lab.train("td", "td", None, 1).to_openspiel()

    class ByHistory(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            chances = exact.action_probabilities(state)
            own, other = state.history()[0::2], state.history()[1::2]
            if [own, other] != [sorted(own), sorted(other)]:
                chances = dict.fromkeys(chances, 0.0)
                chances[min(chances)] = 1.0
            return chances

    agent = ByHistory(game, [0, 1])
    assert worst(agent, 0) > 0.0
    with pytest.raises(UsageError, match=r"answers otherwise after the moves [1-9 ]+ than after"):
        lab.from_openspiel(agent)


@pytest.mark.slow
def test_a_tabular_policy_and_rl_agents_are_judged_as_openspiel_judges_them(game):
    from open_spiel.python import policy, rl_environment
    from open_spiel.python.algorithms import tabular_qlearner

    table, uniform = (
        lab.from_openspiel(kind(game))
        for kind in (policy.TabularPolicy, policy.UniformRandomPolicy)
    )
    assert table == uniform
    np.random.seed(5)
    environment = rl_environment.Environment("tic_tac_toe")
    agents = [tabular_qlearner.QLearner(player_id=n, num_actions=9) for n in (0, 1)]
    for _ in range(2_000):
        step = environment.reset()
        while not step.last():
            agent = agents[step.observations["current_player"]]
            step = environment.step([agent.step(step).action])
        for agent in agents:
            agent.step(step)

    class Learned(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            environment.set_state(state.clone())
            agent = agents[state.current_player()]
            told = agent.step(environment.get_time_step(), is_evaluation=True)
            return {cell: told.probs[cell] for cell in state.legal_actions()}

    alone = lab.from_openspiel(agents[1])
    found = lab.judge_agent(alone, "O")
    assert found["worst_loss"] == pytest.approx(worst(Learned(game, [0, 1]), 1), abs=1e-12)
    with pytest.raises(UsageError, match="has no row for X"):
        lab.judge_agent(alone, "X")


PGX = """
import numpy as np
from heuristic import move as heuristic
import afterstate_lab as lab

def move(state):
    own, other = np.moveaxis(np.asarray(state.observation), 2, 0)
    me, you = "XO" if own.sum() == other.sum() else "OX"
    board = "".join(np.select([own, other], [me, you], ".").ravel())
    assert [mark == "." for mark in board] == np.asarray(state.legal_action_mask).tolist()
    return np.int32(heuristic(board) - 1)

found = lab.judge_agent(lab.from_pgx(move), "O")
assert found | {"spec": ""} == lab.judge_agent(heuristic, "O") | {"spec": ""}
"""
"""In a process of its own: JAX, once it is there, warns of every fork."""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pgx") is None, reason="pgx is not installed")
def test_a_policy_of_pgx_sees_the_states_of_its_game():
    path = os.pathsep.join([str(AGENTS), *sys.path])
    subprocess.run([sys.executable, "-c", PGX], env=os.environ | {"PYTHONPATH": path}, check=True)


@pytest.mark.slow
def test_a_first_answer_that_takes_long_does_not_make_it_asked_less():
    """A function that is compiled at first, as JAX does."""
    waits = [0.6]

    def first_free(board):
        time.sleep(waits.pop() if waits else 0.0)
        return board.index(".") + 1

    assert lab.judge_agent(first_free, "O")["asked"] == lab.judge_agent(first_free, "O")["asked"]
    assert not waits


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


@pytest.mark.slow
def test_the_library_trains_many_games_compiled_as_the_command_does(monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.delenv("AFTERSTATE_INTERPRETED", raising=False)
    lab.train(games=5_000)  # makes the machine code, if this is the first time
    assert lab.train(games=100_000).run.kernel().is_compiled
