"""Every figure that is shown under a label is what a second, independent computation finds.

The referee knows tic-tac-toe by itself and takes from the program only what the learners have
written, and the tape that `afterstate trace` writes. What is shown is read as a user reads it: from
JSON, sentences, reports and painted panes.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import CASES, SEED, Case, board_of, shown
from referee import EMPTY, Referee, after, at_random, boards, mover, perfectly, result

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.ask.why import MOST_GAMES
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.log import against_this
from afterstate_lab.tui.lab.microscope.reading import update_at
from afterstate_lab.tui.lab.panes import stats_view
from afterstate_lab.tui.lab.scripts.script import live
from afterstate_lab.tui.lab.session import Session, Settings
from afterstate_lab.tui.pages.explain import glossary
from afterstate_lab.tui.plain import Dialogue
from afterstate_lab.tui.theme.glyphs import UNICODE

pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.fixture(
    params=[pytest.param(case, marks=[] if case.x == "td" else pytest.mark.slow) for case in CASES],
    ids=str,
    scope="module",
)
def case(request) -> Case:
    return request.param


REPORT = """{side} {spec}, exact, greedy play:
  beatable: yes, with probability up to {worst_loss:.4f}
  against random: wins {win:.4f}, draws {draw:.4f}, loses {loss:.4f}; \
against perfect: draws {perfect_draw:.4f}, loses {perfect_loss:.4f}
  optimal moves in {right:,} of {own:,} positions; {missed_wins:,} immediate wins missed
  {seen:,} of {values:,} values visited, RMS error against minimax {rms_minimax:.4f}
"""
SENTENCES = """{side} can be beaten, with probability up to {worst_loss}.
Against random {side} wins {win}, draws {draw}, loses {loss}; against perfect it draws \
{perfect_draw}.
{side} plays optimally in {right:,} of {own:,} positions.
The root mean square error of {side}'s values against minimax is {rms_minimax}."""
STATS = " {side} beatable   {win} {draw} {loss}    {perfect_draw} {right:>5,}/{own:,}"


def found_by(case: Case, spell: Callable[[float], object] = float) -> Iterator[dict[str, Any]]:
    """What the referee finds of each learner, by the names above."""
    for side, figures in case.expected.items():
        found = figures | figures["vs_random"]
        found |= {f"perfect_{name}": chance for name, chance in figures["vs_perfect"].items()}
        found["right"], found["own"] = figures["optimal"]
        found["seen"], found["values"] = figures["coverage"]
        found = {name: spell(one) if type(one) is float else one for name, one in found.items()}
        yield found | {"side": side, "spec": case.spec(side)}


def test_a_training_tells_what_the_referee_finds(case: Case, afterstate):
    words = ("train", "--x", case.x, "--o", case.o, f"--seed={SEED}", f"--games={case.games}")
    told = json.loads(afterstate(*words, "--json").out)["evaluation"]
    for side, figures in case.expected.items():
        for name, figure in figures.items():
            assert told[side][name] == pytest.approx(figure, abs=1e-9), f"{case}, {side}: {name}"
    report = afterstate(*words).out
    assert all(REPORT.format(**found) in report for found in found_by(case))


def test_the_sentences_of_plain_mode_tell_the_same(case: Case):
    lines = Dialogue(case.run).answer("stats")
    ends = [event["result"] for event in case.events if event["kind"] == "outcome"]
    x, draws, o = map(Counter(ends[-200:]).__getitem__, ("X", "draw", "O"))
    assert len(ends) == case.games
    assert lines[0] == f"Of the latest 200 games: X won {x}, {draws} draws, O won {o}."
    for found in found_by(case, lambda one: f"{one:.4f}".strip("0").rstrip(".") or "0"):
        assert SENTENCES.format(**found) in "\n".join(lines)
        assert "{side} has visited {seen:,} of {values:,} values.".format(**found) in lines


@pytest.mark.parametrize(("columns", "most"), [(34, 28), (50, 36), (70, 47), (110, 47)])
def test_the_stats_show_the_same_at_every_width(case: Case, columns: int, most: int):
    drawn = stats_view(case.session).draw(columns - 2, 14, Pen(UNICODE))
    painted = "\n".join(joined(line) for line in drawn)
    errors = painted.partition("rms V−mm")[2].partition("visited")
    for found in found_by(case, lambda one: f"{one:.3f}".removeprefix("0")):
        assert STATS.format(**found)[:most] in painted
        assert "{side} {rms_minimax}".format(**found) in errors[0]
        share = found["seen"] / found["values"]
        assert columns == 34 or f"{found['side']} {share:.0%}" in errors[2]


@pytest.mark.parametrize("order", ["board", "error"])
def test_the_table_shows_what_was_written_and_what_is_exact(case: Case, order: str):
    dialogue = Dialogue(case.run)
    for side in case.knows:
        exact, told = case.exact(side), dialogue.answer(f"table {side}")
        if order == "error":
            told = dialogue.answer("sort by error")
        for _ in range(12):
            told += dialogue.answer("more")
        rows = [line for line in told if re.match(r"\d+\. ", line)]
        assert len(rows) > 60
        for row in rows:
            board, cell = board_of(row)
            value, truth = re.findall(r"[VQ] (-?\d*\.?\d+), exact (-?\d*\.?\d+),", row)[0]
            assert shown(case.number(side, board, cell), value), row
            assert shown(exact(board if cell is None else after(board, cell)), truth), row
            times = case.writes[side][board, cell]
            words = {0: "never visited.", 1: "1 visit."}
            assert row.endswith(words.get(times, f" {times:,} visits.")), row


def test_the_microscope_knows_the_exact_value_of_its_entries(case: Case):
    session = case.session
    u = update_at(session.timeline)
    event = u.learned
    board = event.board if event.cell is None else space().successor[event.board, event.cell]
    truth = case.exact(event.player)(space().text(board))
    assert u.exact(event.player)[board] == pytest.approx(truth, abs=1e-12)
    referee = case.referees[u.player]
    now = referee.worth(referee.behaves, case.other(u.player))
    for step in u.steps:
        is_pair = step.move is not None and not u.rule.by_state
        board = space().text(step.move.afterstate if is_pair else step.board)
        assert u.v_pi[step.position] == pytest.approx(now(board), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["menace", "menace-article"])
def test_matchboxes_are_judged_by_their_best_bead_and_as_beads_are_drawn(rule: str, afterstate):
    case = Case(rule, "random", 250)
    words = ("train", "--x", rule, "--o", "random", "--seed", str(SEED), "--games", "250", "--json")
    told = json.loads(afterstate(*words).out)["evaluation"]["X"]
    best, drawn = case.referees["X"], Referee("X", case.referees["X"].prefers)
    drawn.greedy = lambda board: case.drawn("X", board)  # type: ignore[method-assign]
    for referee, figures in ((best, told), (drawn, told["as_played"])):
        for name, other in (("vs_random", at_random), ("vs_perfect", perfectly)):
            chances = [figures[name][result] for result in ("win", "draw", "loss")]
            assert chances == pytest.approx(referee.against(other), abs=1e-9)
        assert figures["worst_loss"] == pytest.approx(referee.worst_loss(), abs=1e-9)
    assert told["optimal"] == list(best.optimal())
    assert told["missed_wins"] == best.missed_wins()


@pytest.mark.slow
def test_a_grade_counts_the_cases_that_are_on_the_tape(afterstate):
    words = ("grade", "museum:no-losses", "--games", "30", "--seeds", "2", "--json")
    told = json.loads(afterstate(*words).out)
    counts: Counter[str] = Counter()
    for seed in range(2):
        plies = 0
        for event in reversed(Case("td", "td", 30, seed=seed).events):
            plies = event.get("plies", plies)  # told by the last event of each game
            counts[event["kind"]] += 1
            if (event["kind"], event["ply"]) == ("backup", plies):
                counts["others-end"] += event["player"] != "OX"[plies % 2]
    assert told["backups"] == counts["backup"]
    cases = {p["name"]: p["held"] + p["failed"] for p in told["properties"]}
    assert cases["others-end"] == counts["others-end"]
    assert cases["exploratory"] == counts["no-backup"]
    missing = {p["name"]: p["held"] for p in told["properties"] if not p["holds"]}
    assert missing.keys() == {"others-end", "same-table"}
    assert missing["others-end"] == 0
    assert cases["target"] == cases["step"] == counts["backup"] - counts["others-end"]


def test_the_live_numbers_of_lessons(case: Case):
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
            assert live(name, case.session) == pytest.approx(number, abs=1e-9), name
        assert live(f"beatable {side}", case.session) == ("yes" if figures["beatable"] else "no")


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
    case = Case("random", learner, 0)
    moves = case.referees["O"].greedy if learner == "td" else lambda b: case.drawn("O", b)
    chance = Referee("X", lambda board, cell: 0.0, draw=0.0).best_against(moves)(board)
    said = against_this(session, Board.parse(board), Side.X)
    assert said.startswith(f"{who} may err")
    assert shown(chance, re.findall(r"probability (\.\d+)\.", said)[0])
