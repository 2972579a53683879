"""Every figure that is shown under a label is what a second, independent computation finds.

The referee knows tic-tac-toe by itself and takes from the program only what the learners have
written. What is shown is read as a user reads it: from JSON, sentences, reports and painted panes.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from cases import CASES, SEED, Case, board_of, shown
from referee import Referee, after, at_random, mover, perfectly, result

from afterstate_lab.game import space
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.lab.microscope.reading import update_at
from afterstate_lab.tui.lab.panes import stats_view
from afterstate_lab.tui.plain import Dialogue
from afterstate_lab.tui.theme.glyphs import UNICODE

MOVE = re.compile(r"(\d) at -?\d*\.?\d+, [\d,]+ visits?, exact value (-?\d*\.?\d+)(.*)")
"""What plain mode says of a candidate."""


@pytest.fixture(
    params=[pytest.param(case, marks=[] if case.x == "td" else pytest.mark.slow) for case in CASES],
    ids=str,
    scope="module",
)
def case(request) -> Case:
    return request.param


def chances_of(figures: dict) -> list[float]:
    """Its chances to win, draw and lose against random moves, and to draw with a perfect player."""
    return [*figures["vs_random"].values(), figures["vs_perfect"]["draw"]]


def all_shown(numbers: list[float], texts: list[str]) -> bool:
    return len(numbers) == len(texts) and all(map(shown, numbers, texts))


def flat(figures: object, name: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(figures, dict):
        for key, value in figures.items():
            yield from flat(value, f"{name} {key}".strip())
    else:
        yield name, figures


@pytest.mark.quick("td against random")
def test_json_tells_what_the_referee_finds(case: Case, afterstate):
    told = afterstate("train", "--x", case.x, "--o", case.o, "--seed", str(SEED),
                      "--games", str(case.games), "--json")  # fmt: skip
    evaluation = json.loads(told.out)["evaluation"]
    for side, figures in case.expected.items():
        for name, figure in flat(figures):
            (shown_there,) = [value for key, value in flat(evaluation[side]) if key == name]
            if isinstance(figure, float):
                figure = pytest.approx(figure, abs=1e-9)
            assert shown_there == figure, f"{case}, {side}: {name}"


def test_the_report_of_a_training_tells_the_same(case: Case, afterstate):
    told = afterstate("train", "--x", case.x, "--o", case.o, "--seed", str(SEED),
                      "--games", str(case.games))  # fmt: skip
    for side, figures in case.expected.items():
        report = told.out.partition(f"{side} {(case.x, case.o)[side == 'O']}, exact")[2]
        line = next(line for line in report.splitlines() if "against random" in line)
        chances = [*chances_of(figures), figures["vs_perfect"]["loss"]]
        assert all_shown(chances, re.findall(r"\d\.\d+", line)), f"{case}, {side}: {line}"
        if figures["beatable"]:
            (text,) = re.findall(r"beatable: yes, with probability up to (\S+)", report)[:1]
            assert shown(figures["worst_loss"], text)
        else:
            assert "beatable: no" in report.partition("RMS")[0]
        some, of = figures["optimal"]
        assert (
            f"optimal moves in {some:,} of {of:,} positions; {figures['missed_wins']:,} " in report
        )
        some, of = figures["coverage"]
        (text,) = re.findall(f"{some:,} of {of:,} values visited, RMS .* (\\S+)", report)[:1]
        assert shown(figures["rms_minimax"], text)


def test_the_sentences_of_plain_mode_tell_the_same(case: Case):
    lines = Dialogue(case.run).answer("stats")
    ends = [event["result"] for event in case.events if event["kind"] == "outcome"]
    latest = Counter(ends[-200:])
    assert len(ends) == case.games
    assert lines[0] == (
        f"Of the latest 200 games: X won {latest['X']}, "
        f"{latest['draw']} draw{'s' * (latest['draw'] != 1)}, O won {latest['O']}."
    )
    for side, figures in case.expected.items():
        told = " ".join(lines).partition(f" {side} can ")[2]
        can, _, told = told.partition(". ")
        assert can.startswith("be beaten") == figures["beatable"]
        against, _, told = told.partition(". ")
        texts = re.findall(r"(?:wins|draws|loses) (\d*\.?\d+)", against)
        assert all_shown(chances_of(figures), texts), against
        some, of = figures["optimal"]
        assert told.startswith(f"{side} plays optimally in {some:,} of {of:,} positions. ")
        some, of = figures["coverage"]
        assert f"{side} has visited {some:,} of {of:,} values." in lines
        (text,) = re.findall(r"against minimax is (\d*\.\d+?)\.(?: |$)", told)[:1]
        assert shown(figures["rms_minimax"], text)


@pytest.mark.parametrize("columns", [34, 50, 70, 110])
def test_the_stats_show_the_same_at_every_width(case: Case, columns: int):
    painted = stats_view(case.session).draw(columns - 2, 14, Pen(UNICODE))
    lines = ["".join(text for text, _ in line).strip("│ ") for line in painted]
    for side, figures in case.expected.items():
        (line,) = (line for line in lines if re.match(f"{side} +(un)?beatable", line))
        assert ("unbeatable" in line) != figures["beatable"]
        texts = re.findall(r"(?<!\d)[01]?\.\d+", line)
        assert all_shown(chances_of(figures)[: 3 if columns == 34 else 4], texts), line
        if columns >= 70:
            some, of = figures["optimal"]
            assert f"{some:,}/{of:,}" in line
        errors = " ".join(line for line in lines if line.startswith("rms V−m"))
        (text,) = re.findall(rf"{side} (\.\d+)", errors)
        assert shown(figures["rms_minimax"], text)
        if columns > 34:
            (line,) = (re.sub(" +", " ", x) for x in lines if re.search("seen |visited ", x))
            some, of = figures["coverage"]
            assert f" {side} {some:,} of {of:,}" in line or f" {side} {some / of:.0%}" in line


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
    case = Case(rule, "random", 250, knows="X", plays={"O": at_random})
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


def test_what_the_moves_of_a_place_are_worth_is_told_so(case: Case):
    dialogue, asked = Dialogue(case.run), 0
    dialogue.answer("step")
    dialogue.answer("step")
    dialogue.answer(f"go {case.games - 1}")
    for _ in range(12):
        board = str(dialogue.session.board)
        moves = [found for line in dialogue.answer("choice") if (found := MOVE.match(line))]
        for cell in (int(found[1]) - 1 for found in moves if "taken" in found[3]):
            board = board[:cell] + "." + board[cell + 1 :]  # it may be marked already
        side = mover(board)
        for found in moves if side in case.knows else ():
            new, referee = after(board, int(found[1]) - 1), case.referees[side]
            ended = result(new)
            truth = case.exact(side)(new) if ended is None else referee.reward(ended)
            assert shown(truth, found[2]), (board, found[0])
            asked += 1
        dialogue.answer("n")
    assert asked >= 8
