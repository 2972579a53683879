"""`afterstate play`: a whole game in short lines, and one sentence for every wrong one."""

import re
from pathlib import Path

import pytest

from afterstate_lab.game import Board
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.tui.cli.play import train_first
from afterstate_lab.tui.plain.dialogue import HELP, Dialogue, seated_run

FIRST = "Tic-tac-toe, learned from nothing: home tells what there is to do."
OVER = ["The game is over: n for a new one."]


def seats(x: str = "human", o: str = "td", seed: int = 0) -> Run:
    return seated_run(parse_player(x), parse_player(o), seed)


def table(x: str = "human", o: str = "td", show: str = "none", train: int = 0) -> Dialogue:
    """A dialogue that has told its first lines."""
    run = seats(x, o)
    train_first(run, train)
    dialogue = Dialogue(run, show)
    dialogue.begin()
    return dialogue


def free_cells(lines: list[str]) -> list[str]:
    """The numbers in the last board that was told."""
    boards = [line for line in lines if re.fullmatch(r"[XO1-9] [XO1-9] [XO1-9]", line)]
    return [mark for mark in " ".join(boards[-3:]).split() if mark.isdigit()]


def finish(dialogue: Dialogue, lines: list[str]) -> list[str]:
    """Go on with the first free cell until the game is over."""
    while dialogue.prompt != "n for a new game, h for help: ":
        lines = dialogue.answer(free_cells(lines)[0])
    return lines


def test_a_game_from_the_first_line_to_the_last(afterstate):
    outcome = afterstate("play", "--plain", "--train", "300", stdin="5\n1\n2\n3\n4\n6\n7\n8\n9\n")
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[:11] == [
        "First O trains by 300 games of self-play; --train 0 skips that.",
        "O is td, trained by 300 games of self-play.",
        *(FIRST, "Game 301. You are X.", "The board is empty.", "1 2 3", "4 5 6", "7 8 9"),
        "X, your move (h for help): 5",
        "X takes 5. The position was a draw and still is; O holds with 1, 3, 7 or 9.",
        "What O expects of each move:",
    ]
    assert re.fullmatch(r"O takes [1-9] \(.*\)\.", lines[14])
    assert re.search(r"(wins, you (win|lose)|a draw)\.\nO's value of ", outcome.out)
    assert lines[-1] == "Bye."
    assert outcome.out.isascii() and "\x1b" not in outcome.out


def test_the_input_may_end_anywhere(afterstate):
    for stdin in ("", "5", "5\n", "x" * 5_000, b"\xff\xfe\n", b"\x00\n", "5\r\n"):
        outcome = afterstate("play", "--train=0", stdin=stdin)
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.endswith("\nBye.\n")


def test_input_is_echoed_escaped_and_long_lines_are_cut(afterstate):
    outcome = afterstate("play", "--train=0", stdin="\x1b[31m\n" + "y" * 9_000 + "\nq\n")
    assert "\x1b" not in outcome.out
    assert "'\\x1b[31m' is no move and no command" in outcome.out
    assert outcome.out.count("is no move and no command") == 2
    assert len(outcome.out) < 3_000


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("5", "Cell 5 is taken by X: free cells are "),
        ("0", "Cell 0 is off the board: cells are 1 to 9."),
        ("10", "Cell 10 is off the board: cells are 1 to 9."),
        ("9" * 500, "Cell 999999999 is off the board: cells are 1 to 9."),
        ("hello", "'hello' is no move and no command: "),
        ("٣", "'٣' is no move and no command: "),
        ("-1", "'-1' is no move and no command: "),
    ],
)
def test_a_wrong_line_is_one_sentence_and_an_empty_one_the_board_again(line: str, sentence: str):
    dialogue = table()
    before = dialogue.answer("5")
    assert dialogue.answer("") == dialogue.answer("  ") == before
    (answer,) = dialogue.answer(line)
    assert answer.startswith(sentence)
    assert dialogue.answer(free_cells(before)[0])[0].startswith("X takes ")


def test_take_back_undoes_the_reply_too_and_the_end_of_a_game():
    dialogue = table()
    assert dialogue.answer("u") == ["There is no move of yours to take back."]
    first = dialogue.answer("1")
    dialogue.answer(free_cells(first)[0])
    assert dialogue.answer("u") == ["Taken back.", *first[-4:]]
    end = finish(dialogue, first)
    assert any(line.startswith("O's value") for line in end)
    assert [dialogue.answer(line) for line in "9ve"] == [OVER] * 3
    back = dialogue.answer("U")
    assert back[0] == "Taken back."
    assert finish(dialogue, back) == end


def test_a_new_game_has_the_next_number_and_a_dropped_one_leaves_no_trace():
    dialogue = table(o="q")
    finish(dialogue, dialogue.answer("1"))
    assert dialogue.answer("n")[0] == "Game 2. You are X."
    dialogue.answer("3")
    assert dialogue.answer("n")[0] == "Game 2. You are X."


def test_sides_are_swapped_and_whoever_has_x_opens():
    dialogue = table(train=50)
    lines = dialogue.answer("s")
    assert lines[0] == "Game 51. You are O."
    assert re.match(r"X takes [1-9] \(", lines[1])
    assert dialogue.answer("s")[0] == "Game 51. You are X."
    fixed = table(o="random")
    assert fixed.answer("s")[0] == "Game 1. You are O."
    assert len(free_cells(fixed.answer("n"))) == 8
    assert table(o="human").answer("s") == ["You play both sides already."]


def test_values_and_exact_values_of_ones_own_moves():
    dialogue = table(train=200)
    assert dialogue.answer("v")[0] == "What X expects of each move:"
    assert dialogue.answer("e") == ["What each move is worth to X:", *["draw  draw  draw"] * 3]
    nobody = "No learner was trained in your seat, so nobody knows; e tells what is true."
    assert table().answer("v") == [nobody]


@pytest.mark.parametrize(
    ("show", "o", "heading"),
    [
        ("values", "td", "What O expects of each move:"),
        ("values", "menace", "How sure O is of each move, by its beads:"),
        ("values", "perfect", None),
        ("exact", "td", "What each move is worth to O:"),
        ("exact", "perfect", "What each move is worth to O:"),
        ("none", "td", None),
    ],
)
def test_what_is_told_before_the_other_side_moves(show: str, o: str, heading: str | None):
    lines = table(o=o, show=show).answer("5")
    at = next(n for n, line in enumerate(lines) if line.startswith("O takes"))
    assert at == (1 if heading is None else 5)
    assert heading is None or lines[1] == heading


def test_the_values_told_are_those_of_before_the_move():
    # A greedy learner takes the highest number that it told.
    lines = table(o="td:epsilon=0", show="values", train=100).answer("5")
    grid = " ".join(lines[2:5]).split()
    cell = int(lines[5].removeprefix("O takes ")[0])
    assert float(grid[cell - 1]) == max(float(text) for text in grid if text != "X")


def test_two_people_may_share_the_board():
    dialogue = table(o="human")
    for cell in "51239":
        lines = dialogue.answer(cell)
    assert lines[0].startswith("X takes 9.")
    assert dialogue.prompt.startswith("O, your move")


def test_help_names_every_command():
    dialogue = table()
    assert dialogue.answer("h") == list(HELP)
    assert all(re.search(rf"\b{command}: ", " ".join(HELP)) for command in "unsvehq")
    dialogue.answer("q")
    assert dialogue.is_over


def test_the_learner_trains_by_self_play_before_a_person_sits_down():
    run = seats(o="q:alpha=.2", seed=3)
    assert train_first(run, 250) == "O is q:alpha=0.2, trained by 250 games of self-play."
    straight = Run(parse_player("q:alpha=.2"), parse_player("q:alpha=.2"), 3)
    straight.train(250)
    assert run.memory.tobytes() == straight.memory.tobytes()
    assert run.seating == Seating(Seat.HUMAN, Seat.LEARNS)


@pytest.mark.parametrize(
    ("x", "o", "games", "sentence"),
    [
        ("human", "perfect", 100, "O is perfect."),
        ("td:learn=off", "human", 100, "X is td:learn=off."),
        ("human", "human", 100, "You play both sides."),
        ("human", "td", 0, "O is td, and knows nothing yet."),
    ],
)
def test_who_does_not_learn_is_not_trained(x: str, o: str, games: int, sentence: str):
    run = seats(x, o)
    assert train_first(run, games) == sentence
    assert run.games == 0


def test_somebody_must_be_a_person(afterstate):
    with pytest.raises(UsageError, match="play needs a person on one side"):
        seats(x="td")
    outcome = afterstate("play", "--x", "td")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_a_saved_policy_is_played_as_it_is(afterstate, tmp_path: Path):
    path = str(tmp_path / "policy.npz")
    afterstate("train", "--games=200", "--out", path)
    outcome = afterstate("play", "--o", path, stdin="5\n")
    assert outcome.out.startswith(f"O is {path}.\n{FIRST}\nGame 1. You are X.\n")
    assert "What O expects of each move:" in outcome.out
    afterstate("train", "--games=20", "--x=random", "--out", path)
    swapped = afterstate("play", "--o", path, stdin="s\n5\n")
    assert "holds no learner that plays X.\n" in swapped.out
    assert "\nX takes 5." in swapped.out


def test_a_learner_that_resigns_ends_the_game():
    run = seats("menace", "human")
    run.layout.x.values(run.memory)[:] = 0.0
    assert Dialogue(run).begin() == [
        *("Game 1. You are O.", "The board is empty.", "1 2 3", "4 5 6", "7 8 9"),
        *("X resigns: O wins, you win.", "X learned nothing from this game."),
    ]


def test_every_board_that_is_told_is_one_that_legal_play_reaches():
    board = "".join(table(train=30).answer("5")[-3:]).replace(" ", "")
    assert Board.parse(re.sub(r"\d", ".", board)).ply == 2
