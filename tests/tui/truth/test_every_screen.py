"""Reviews, whys, boxes, comparisons, prices, grades and lessons, against tape and referee.

A tape is read here as `afterstate trace` writes it, and unrolled in plain Python.
"""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from cases import CASES, Case, shown
from referee import EMPTY, Referee, after, at_random, boards, minimax, mover, perfectly, result

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.ask.why import MOST_GAMES
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.log import against_this
from afterstate_lab.tui.lab.scripts.script import live
from afterstate_lab.tui.lab.session import Session, Settings
from afterstate_lab.tui.pages.explain import glossary
from afterstate_lab.tui.plain import Dialogue

TD = Case("td", "random", 120, knows="X", plays={"O": at_random})
"""X learns, against random moves."""
MENACE = Case("menace:empty=refill", "random", 120, knows="X")

pytestmark = pytest.mark.usefixtures("interpreted")


def games_of(case: Case) -> list[list[dict[str, Any]]]:
    games: list[list[dict[str, Any]]] = [[] for _ in range(case.games)]
    for event in case.events:
        games[event["game"]].append(event)
    return games


def outcome_of(game: list[dict[str, Any]]) -> str:
    return str(game[-1]["result"])


def test_a_box_is_a_count_of_the_beads_on_the_tape():
    changes: dict[str, list[float]] = defaultdict(list)
    for game in games_of(MENACE):
        for event in game:
            if event["kind"] == "backup" and (event["board"], event["cell"]) == (EMPTY, 5):
                changes[outcome_of(game)].append(event["new"] - event["old"])
    first = MENACE.events[0]["values"]["5"]
    beads = first + sum(map(sum, changes.values()))
    dialogue = Dialogue(MENACE.run)
    dialogue.answer("step")
    dialogue.answer(f"go {MENACE.games}")
    told = "\n".join(dialogue.answer(f"card {EMPTY} 5"))
    assert re.findall(r"for 5 (\d+)", told) == [f"{beads:.0f}"]


def test_a_review_judges_each_move_as_minimax_does(monkeypatch, tmp_path):
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path))
    dialogue = Dialogue(Run.of(parse_player("human"), parse_player("td"), 1))
    while not dialogue.session.is_over:
        dialogue.answer(str(dialogue.session.board.legal_cells[0] + 1))
    told = dialogue.answer("review")
    while not (more := dialogue.answer("more"))[0].startswith("The list has no more"):
        told += more
    rows = [found for line in told if (found := re.match(r"\d\. (you|it) (\d), (.*)", line))]
    board = EMPTY
    for row in rows:
        side, new = mover(board), after(board, int(row[2]) - 1)
        was, now = (minimax(b) * (1 if side == "X" else -1) for b in (board, new))
        best = " ".join(str(cell + 1) for cell in perfectly(board))
        if result(new) not in (None, 0):
            said = "wins"
        elif now < was:
            said = {(0, -1): "lost the draw", (1, 0): "lost the win", (1, -1): "lost a won game"}[
                was, now
            ]
            assert best.replace(" ", "") in re.sub(
                r"\D", "", row[3].partition(", it expected")[0]
            ), row[0]
        elif was < 0:
            said = "lost already"
        else:
            said = f"keeps the {'win' if was else 'draw'}"
        assert said in row[3], row[0]
        board = new
    assert len(rows) == 9 - board.count(".")
    assert result(board) is not None


@pytest.mark.slow
def test_a_grade_counts_the_cases_that_are_on_the_tape(afterstate):
    words = ("grade", "museum:no-losses", "--games", "30", "--seeds", "2", "--json")
    told = json.loads(afterstate(*words).out)
    counts: Counter[str] = Counter()
    for game in (g for seed in range(2) for g in games_of(Case("td", "td", 30, seed=seed))):
        last = game[-1]["plies"]
        for event in game:
            if event["kind"] == "backup":
                counts["backups"] += 1
                is_own = event["player"] == "OX"[last % 2]
                if event["ply"] == last:
                    counts["own-end" if is_own else "others-end"] += 1
            elif event["kind"] == "no-backup":
                counts["exploratory"] += 1
    assert told["backups"] == counts["backups"]
    cases = {p["name"]: p["held"] + p["failed"] for p in told["properties"]}
    assert cases["others-end"] == counts["others-end"]
    assert cases["exploratory"] == counts["exploratory"]
    missing = {p["name"]: p["held"] for p in told["properties"] if not p["holds"]}
    assert missing.keys() == {"others-end", "same-table"}
    assert missing["others-end"] == 0
    assert cases["target"] == cases["step"] == counts["backups"] - counts["others-end"]


@pytest.mark.parametrize("case", [TD, pytest.param(CASES[3], marks=pytest.mark.slow)], ids=str)
def test_the_live_numbers_of_lessons(case: Case):
    session = case.session
    for side, figures in case.expected.items():
        right, of = figures["optimal"]
        written, entries = figures["coverage"]
        truth, other, referee = case.exact(side), case.other(side), case.referees[side]
        told = {
            f"optimal {side}": right / of,
            f"coverage {side}": written / entries,
            f"worst-loss {side}": figures["worst_loss"],
            f"win {side}": 1.0,
            f"greedy-value {side}": referee.worth(referee.greedy, other)(EMPTY),
            f"behaviour-value {side}": referee.worth(referee.behaves, other)(EMPTY),
            f"v* {side} ....X....": truth("....X...."),
            f"v* {side} X...O....": truth("X...O...."),
        }
        for name, number in told.items():
            assert live(name, session) == pytest.approx(number, abs=1e-9), name
        assert live(f"beatable {side}", session) == ("yes" if figures["beatable"] else "no")


def test_the_numbers_of_boards_in_the_pages():
    page = (Path(__file__).parents[3] / "docs" / "explanation.md").read_text(encoding="utf-8")
    open_ = [board for board in boards() if result(board) is None]
    to_move = Counter(map(mover, open_))
    told = [f"{n:,}" for n in (len(boards()), to_move["O"], to_move["X"] - 1, to_move["X"])]
    assert re.findall(r"\d,\d{3}", page)[:4] == told
    figures = " ".join(f"{word.says} {word.formula}" for word in glossary())
    assert f"{to_move['X']:,} (X, the empty board too) or {to_move['O']:,} (O)" in figures
    assert f"{to_move['O']:,} (X) or {to_move['X'] - 1:,} (O)" in figures
    assert f"the latest {MOST_GAMES:,}" in figures


@pytest.mark.parametrize(("learner", "who"), [("td", "O's greedy play"), ("menace", "O")])
def test_the_coach_tells_the_chance_of_beating_this_opponent(learner: str, who: str):
    session, board = Session(Settings(parse_player("human"), parse_player(learner), 1)), "O...X...."
    case = Case("random", learner, 0, knows="O")
    moves = case.referees["O"].greedy if learner == "td" else lambda b: case.drawn("O", b)
    chance = Referee("X", lambda board, cell: 0.0, draw=0.0).best_against(moves)(board)
    said = against_this(session, Board.parse(board), Side.X)
    assert said.startswith(f"{who} may err")
    assert shown(chance, re.findall(r"probability (\.\d+)\.", said)[0])
