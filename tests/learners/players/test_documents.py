"""What the recipes say of their documents is true of the documents' own code.

The code is taken out of the documents when the tests run, and is run with stubs for windows, plots,
files and input. The documents are no part of the project: they are looked for in `shared/seeds`
beside it, or where AFTERSTATE_SEEDS says.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import random
import re
import sys
from collections import Counter
from copy import copy
from itertools import count, takewhile
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest

from afterstate_lab.game import Board, reachable_boards
from afterstate_lab.learners.players.recipes import find_recipe

PLACES = [
    Path(os.environ.get("AFTERSTATE_SEEDS", "")),
    *(parent / "shared" / "seeds" for parent in Path(__file__).resolve().parents),
]
SEEDS = next((place for place in PLACES if (place / "000-two-agents-notebook.md").is_file()), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(SEEDS is None, reason="the documents are not in shared/seeds"),
]

WRONG = {
    "two-agents": ["A draw is worth 0, as a loss is", "keeps exploring and learning in its test"],
    "sutton-barto": [
        "backs up the board before its own move", "the turn is carried over from game to game",
        "a draw stays at .5", "ties go to the last cell", "misses wins",
    ],
    "opengenus": [
        "so every chain has length 1", "four of five updates punish a game that is not over",
        "no value ever rises", "a loss is never seen", "all but 13 of 19,683 boards start at 1",
        "that the wins of O do has no effect",
    ],
    "train-compete-play": [
        "It calls a reverse chain TD(0)", "Policies are saved as pickles",
        "a taken cell is asked again without a word; a word or a number above 9 ends the program",
    ],
    "menace-code": [
        "255 of its 916 boxes are of positions that are over", "89 boxes are there twice",
        "Draws change nothing",
    ],
}  # fmt: skip
"""What the recipes say of their documents: each is found below in the document's code."""


SHOWN = {
    "000-two-agents-notebook": [
        "0.34 0.41 \n0.41 0.50 0.33 \n0.41 0.44 0.43 \nAgent is playing greedy in (1, 1)",
    ],
    "001-sutton-barto-notebook": ["0.002951479051793532", "env.play()\n\n[' ', 'O', ' ']"],
    "003-train-compete-play": ["We use the TD(0) method", "pickle.dump(self.estimations, fw)"],
    "004-menace-article": [
        "have to remove one bead", "have to add one beads", "No need to do anything",
    ],
}  # fmt: skip
"""What the documents show in words and figures."""


def test_what_is_found_here_is_told_by_the_recipes():
    for name, sentences in WRONG.items():
        assert [said for said in sentences if said not in find_recipe(name).wrong] == []
    for name, shown in SHOWN.items():
        assert [text for text in shown if text not in document(f"{name}.md")] == []
    assert "map" not in find_recipe("menace-code").wrong
    assert ".34 .41 .41 .50 (centre) .33 .41 .44 .43" in find_recipe("two-agents").figures
    assert ".00295" in find_recipe("sutton-barto").figures
    said = "X wins all 500 with each of the seeds 0 to 5"
    assert said in find_recipe("train-compete-play").figures


def document(name):
    return (SEEDS / name).read_text(encoding="utf-8")


def notebook_cells(text):
    """The code of a notebook: of each cell as many lines as are Python."""
    cells = []
    for cell in re.split(r"^In \[.*?\]:\s*$", text, flags=re.MULTILINE)[1:]:
        lines = cell.strip("\n").splitlines()
        while True:
            with contextlib.suppress(SyntaxError):
                ast.parse("\n".join(lines))
                break
            lines.pop()
        cells.append("\n".join(lines))
    return cells


def printed_by(call, *arguments):
    """What a call prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        call(*arguments)
    return printed.getvalue()


# 000: the notebook with two agents


@pytest.fixture(scope="module")
def two_agents():
    """The notebook after 500 games of its training, and its cells."""
    cells = notebook_cells(document("000-two-agents-notebook.md"))
    names = {}
    np.random.seed(0)
    training = cells[8].replace("range(10000)", "range(500)")
    assert training != cells[8]
    for code in (*cells[:8], training, cells[9]):
        printed_by(exec, code, names)
    return names, cells


def test_two_agents_score_a_draw_as_a_loss_and_leave_out_the_empty_board(two_agents):
    names, _ = two_agents
    value, winner = names["player2"].value, names["env"].states
    ends = {(w, value[state]) for state, w in winner.items() if w is not None}
    assert ends == {(names["O"], 1), (names["X"], 0), (names["_"], 0)}
    empty = names["compute_state_hash"](np.zeros((3, 3)))
    assert {names[player].value[empty] for player in ("player1", "player2")} == {0.5}
    fresh = names["Agent"](names["X"], names["env"], 0.3, 0.0)
    names["env"].new_game()
    fresh.play(names["env"])
    assert np.argwhere(names["env"].board != names["_"]).tolist() == [[0, 0]], (
        "ties: the first cell"
    )


def test_two_agents_explore_and_learn_in_their_test(two_agents):
    names, cells = two_agents
    agent, before = names["player2"], dict(names["player2"].value)
    games = count(1)

    def answer(question):
        if question.startswith("Play again"):
            return "n" if next(games) == 40 else "Y"
        free = np.argwhere(names["env"].board == names["_"])
        return "{} {}".format(*free[np.random.choice(len(free))])

    names["input"] = answer
    printed = printed_by(exec, cells[10], names)
    assert "Agent is playing random" in printed
    assert agent.value != before


# 001: the notebook on section 1.5

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_line(board):
    return any(board[a] == board[b] == board[c] != " " for a, b, c in LINES)


class SuttonBarto:
    """The notebook's training, watched: which boards it saw after a move of its own."""

    def __init__(self, games, *, x_always_opens=False):
        cells = notebook_cells(document("001-sutton-barto-notebook.md"))
        names = {}
        for code in cells[:4]:
            exec(code, names)
        self.env, self.player = names["env"], names["player"]
        self.after_own_move = set()
        self.backups = 0
        self.openers = set()
        back_up, step = self.player.back_up, self.env.step

        def watched_backup(state, next_state, value):
            self.after_own_move.add("".join(next_state))
            self.backups += 1
            back_up(state, next_state, value)

        def watched_step():
            opens = self.env.board.count(" ") == 9
            result = step()
            if opens:
                self.openers.add("".join(self.env.board).strip())
            return result

        self.player.back_up, self.env.step = watched_backup, watched_step
        random.seed(0)
        for _ in range(games):
            if x_always_opens:
                self.env.player_turn = True
            printed_by(self.env.learn, 1)

    def learned(self):
        """Boards after its own move whose value came from a backup."""
        kept = self.player.state_value
        return {board for board in self.after_own_move if kept[board] not in (0, 0.5, 1)}


def test_sutton_barto_never_learns_the_board_by_which_it_chooses():
    watched = SuttonBarto(3000, x_always_opens=True)
    assert len(watched.after_own_move) > 410
    assert watched.learned() == set()


def test_sutton_barto_learns_only_because_the_turn_is_carried_over():
    """At its own greedy moves alone: a loss teaches nothing, and a draw stays at a half."""
    watched = SuttonBarto(3000)
    assert watched.openers == {"X", "O"}
    assert len(watched.learned()) > 100
    assert watched.backups == watched.player.n_plays
    drawn = {b for b in watched.after_own_move if " " not in b and not has_line(b)}
    assert {watched.player.state_value[board] for board in drawn} == {0.5}


def test_sutton_barto_gives_ties_to_the_last_cell_and_misses_wins_after_a_blank_line():
    watched = SuttonBarto(0)
    watched.player.learn = False
    assert watched.player.get_action([" "] * 9)[0] == 8
    winning = "O O   XXX"
    assert has_line(winning)
    watched.env.board, watched.env.moves_left = list(winning), 4
    assert watched.env.game_ended() is False
    assert watched.player.get_reward(list(winning)) == 0.5


def test_the_notebook_s_nth_greedy_move_uses_the_step_size_before_the_decay():
    player = SuttonBarto(0).player
    used = []
    player.decrement_each, player.e_greedy = 2, 0.0
    player.back_up = lambda *arguments: used.append(player.step_size)
    for _ in range(4):
        player.get_action([" "] * 9)
    assert used == [0.5, 0.5, 0.4, 0.4]


# 002: the article on Q-learning


class OpenGenus:
    """The article's training without its window, watched at every update."""

    def __init__(self, games, *, o_wins_at=None):
        code = "\n".join(
            line
            for line in document("002-q-learning-article.md").splitlines()
            if re.match(r"\s+\S|(import|from|class|def|if) ", line)
        )
        screen = r"^(from tkinter|import matplotlib|from IPython|import time).*$"
        names = {"__name__": "article", "Tk": MagicMock(), "time": MagicMock()}
        exec(re.sub(screen, "", code, flags=re.MULTILINE), names)
        env = names["Game"]()
        self.agent = names["X_Agent"]()
        self.agent.set_symbol(env.x)
        self.agent.initialize_V(env, names["get_state_hash_and_winner"](env))
        self.first_values = self.agent.V.copy()
        if o_wins_at is not None:
            self.agent.V[codes_of_o_wins()] = o_wins_at
        self.chains = []
        self.rewards = Counter()
        """By reward and whether the game was over."""
        self.largest_rise = -np.inf
        self.results = Counter()
        update = self.agent.update

        def watched(env):
            before = self.agent.V.copy()
            self.chains.append(len(self.agent.state_history))
            update(env)
            self.rewards[env.reward(self.agent.symbol), env.game_over()] += 1
            self.largest_rise = max(self.largest_rise, (self.agent.V - before).max())

        self.agent.update = watched
        opponent = names["O_Agent"]()
        opponent.set_symbol(env.o)
        random.seed(0)
        np.random.seed(0)
        for _ in range(games):
            env = names["Game"]()
            names["play_game"](self.agent, opponent, env, False)
            self.results[env.winner] += 1


def codes_of_o_wins():
    """The article's numbers of the positions that O has won."""
    won = [str(board) for board in reachable_boards() if board.winner == "O"]
    return [sum(".XO".index(mark) * 3**cell for cell, mark in enumerate(text)) for text in won]


@pytest.fixture(scope="module")
def article():
    return OpenGenus(1000)


def test_opengenus_starts_at_1_punishes_unfinished_games_and_never_sees_a_loss(article):
    """A game that O ends brings no update: as many last updates as X's own last moves."""
    assert set(article.chains) == {1}
    assert article.largest_rise == 0.0
    assert article.rewards[1, False] == 0
    assert 0.75 < article.rewards[-1, False] / article.rewards.total() < 0.85
    o, x = -1, 1
    assert article.results[o] > 0
    over = sum(count for (_, is_over), count in article.rewards.items() if is_over)
    assert over == article.results[x] + article.results[None]
    # once over, the game in which the boards are counted stays over: 13 came before that
    assert Counter(article.first_values.tolist()) == {1.0: 19_670, 0.5: 13}


def test_that_o_s_wins_start_at_1_has_no_effect(article):
    other = OpenGenus(1000, o_wins_at=0.0)
    assert other.results == article.results
    assert (article.agent.V[codes_of_o_wins()] == 1).all()
    differing = np.flatnonzero(other.agent.V != article.agent.V)
    assert set(differing.tolist()) == set(codes_of_o_wins())


# 003: train, compete, play

INDENTATION = [
    ("class State:", {8: "011111111", 9: "001223431", 10: "001211121121112112123332333111222111",
                      11: "01111"}),
    ("", {6: "0111111", 14: "01234445556", 5: "00"}),
    ("class Player:", {2: "01110111", 3: "011111", 16: "01", 17: "01122343423", 18: "01",
                       19: "01211123221", 22: "011112344512222222211211111"}),
    ("class Judger:", {25: "01111111111", 26: "0122122122", 27: "01111",
                       28: "01112232323222222343", 30: "011"}),
    ("#", {23: "011111122232321111", 33: "011111111222323211"}),
]  # fmt: skip
"""The article's code lost its indentation: the depth of each line, by class and block."""


def numbered_blocks(lines):
    """The blocks of code: their line numbers 1 .. n come first, then up to n lines."""
    blocks = []
    at = 0
    while at < len(lines):
        numbers = 0
        while at + numbers < len(lines) and lines[at + numbers] == str(numbers + 1):
            numbers += 1
        at += numbers or 1
        if numbers:
            at += lines[at] == ""
            blocks.append(list(takewhile(bool, lines[at : at + numbers])))
            at += len(blocks[-1])
    return blocks


def train_compete_play():
    """The article's code, its policies kept in a dict instead of pickles."""
    blocks = numbered_blocks(document("003-train-compete-play.md").splitlines())
    code = []
    for head, parts in INDENTATION:
        code.append(head)
        for number, depths in parts.items():
            code += [
                "    " * (int(depth) + head.startswith("class")) + line
                for depth, line in zip(depths, blocks[number], strict=True)
            ]
    saved = {}
    names = {
        "np": np, "BOARD_ROWS": 3, "BOARD_COLS": 3,
        "pickle": SimpleNamespace(
            dump=lambda policy, file: saved.update({file.name: copy(policy)}),
            load=lambda file: saved[file.name],
        ),
        "open": lambda name, mode: SimpleNamespace(name=name, close=lambda: None),
    }  # fmt: skip
    exec("\n".join(code), names)
    return names


def test_train_compete_play_calls_a_reverse_chain_td0_and_scores_a_draw_as_a_loss():
    """One feedback reaches every board of the game, each by the value just given to the next."""
    names = train_compete_play()
    player, states = names["Player"](), [names["State"]()]
    player.setSymbol(1)
    for row, column, symbol in ((0, 0, 1), (1, 1, -1)):
        states.append(states[-1].nextState(row, column, symbol))
    for state in states:
        player.feedState(state)
    player.feedReward(1)
    target, expected = 1.0, []
    for _ in states:
        target = 0.5 + 0.1 * (target - 0.5)
        expected.append(target)
    assert [player.estimations[s.getHash()] for s in reversed(states)] == pytest.approx(expected)
    last = names["Player"]()
    last.setSymbol(-1)
    ends = {
        (s.winner, last.estimations[k]) for k, (s, is_end) in names["allStates"].items() if is_end
    }
    assert ends == {(-1, 1.0), (1, 0), (0, 0)}


def test_train_compete_play_asks_again_for_a_taken_cell_alone():
    person = document("003-train-compete-play.md").partition("class HumanPlayer:")[2]
    lines = person[person.index("def takeAction") :].splitlines()[:8]
    code = [" " * int(depth) + line for depth, line in zip("01111121", lines, strict=True)]
    names = {"BOARD_COLS": 3}
    exec("\n".join(code), names)
    data = np.diag([1, 0, 0])
    player = SimpleNamespace(currentState=SimpleNamespace(data=data), symbol=-1)
    player.takeAction = lambda: names["takeAction"](player)
    for typed, error in (("one", ValueError), ("10", IndexError)):
        names["input"] = lambda question, typed=typed: typed
        with pytest.raises(error):
            player.takeAction()
    answers, taken = iter("12"), []
    names["input"] = lambda question: next(answers)
    assert printed_by(lambda: taken.append(player.takeAction())) == ""
    assert taken == [(0, 1, -1)]


def test_train_compete_play_competes_greedily_without_learning():
    names = train_compete_play()
    np.random.seed(0)
    printed = printed_by(names["train"], 1500) + printed_by(names["compete"], 50)
    shares = [float(line) for line in printed.splitlines() if not line.startswith("Epoch")]
    assert len(shares) == 4
    assert shares[2] + shares[3] <= 1
    recipe = find_recipe("train-compete-play")
    assert names["compete"].__defaults__ == (recipe.compete,)
    assert names["train"].__defaults__ == (recipe.games,)


def test_in_the_article_s_own_code_x_wins_all_500_but_with_seed_4():
    names = train_compete_play()
    shares = []
    for seed in (4, 5):
        np.random.seed(seed)
        printed_by(names["train"])
        _, won_x, won_o = printed_by(names["compete"]).rpartition("Epoch 499")[2].split("\n")[:3]
        shares.append((float(won_x), float(won_o)))
    assert shares == [(0.51, 0), (1, 0)]


# 004: the article on MENACE


def marks_of(board):
    return [".XO".index(mark) for mark in str(board)]


@pytest.fixture(scope="module")
def boxes():
    """The article's functions, translated from Python 2, with its boxes made."""
    code = document("004-menace-article.md").split("```python")[1].split("```")[0]
    code = re.sub(r"^(\s*)print (?!\()(.+)$", r"\1print(\2)", code, flags=re.MULTILINE)
    functions, making, _ = re.split(r"^#{20,}$", code, flags=re.MULTILINE)
    names = {"sys": sys}
    exec(functions, names)
    names["load_experience"] = MagicMock(side_effect=FileNotFoundError)
    names["save_experience"] = MagicMock()
    printed_by(exec, making, names)
    return names


def test_both_move_maps_of_menace_code_are_right(boxes):
    """For all pairs: there and back is the same cell, and the boards after the move are alike."""
    there, back = boxes["forward_transform_action"], boxes["inverse_transform_action"]
    pairs = 0
    for board in reachable_boards():
        if board.is_over:
            continue
        state = marks_of(board)
        box = marks_of(board.canonical)
        is_alike, turns, flip = boxes["isequal"](box, state)
        assert is_alike
        for cell in board.legal_cells:
            pairs += 1
            moved = there(cell, turns, flip)
            assert back(moved, turns, flip) == cell
            after = marks_of(board.play(cell))
            if flip:
                after = boxes["flip_vertical"](after)
            for _ in range(turns):
                after = boxes["rotate_right"](after)
            assert after == [*box[:moved], after[moved], *box[moved + 1 :]]
    assert pairs == 16_167


def test_menace_code_keeps_boxes_of_positions_that_are_over(boxes):
    kept = [tuple(state) for state, _ in boxes["states"]]
    over = [state for state in kept if boxes["check_win"](state)]
    assert (len(kept), len(set(kept)), len(over)) == (916, 827, 255)


def test_menace_code_learns_nothing_from_draws(boxes):
    learned = []
    play, learn = boxes["start_self_play"], boxes["learn"]
    play.__globals__["learn"] = lambda game, winner, states: learned.append(winner)
    random.seed(0)
    printed = printed_by(play, boxes["states"], 60)
    play.__globals__["learn"] = learn
    assert printed.count("Draw") > 0
    assert len(learned) == printed.count("Won: ") == 60 - printed.count("Draw")


def test_menace_code_s_beads_are_the_recipe_s(boxes):
    """Move k of a winner in L moves gains (9 - L) // 2 + (10 - L + k) // 2 beads."""
    cells, length = (0, 3, 1, 4, 2), 5
    board, game = Board(), []
    for cell in cells:
        game.append([marks_of(board), [cell]])
        board = board.play(cell)
    game.append([marks_of(board), []])
    table = [[state, [cell for cell in range(9) if state[cell] == 0]] for state, _ in game[:-1]]
    before = [len(beads) for _, beads in table]
    printed_by(boxes["learn"], game, 1, table)
    gained = [len(beads) - b for (_, beads), b in zip(table, before, strict=True)]
    expected = [(9 - length) // 2 + (10 - length + k) // 2 for k in range(length)]
    assert gained == [beads if k % 2 == 0 else 0 for k, beads in enumerate(expected)]
