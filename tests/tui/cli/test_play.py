"""`afterstate play --plain`: what is not said in `commands.txt` and `tests/scenarios`."""

import re

import pytest

from afterstate_lab.game import Board
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.tui.cli.play import train_first
from afterstate_lab.tui.plain.dialogue import HELP, Dialogue, seated_run


def seats(x: str = "human", o: str = "td", seed: int = 0) -> Run:
    return seated_run(parse_player(x), parse_player(o), seed)


def table(o: str = "td", show: str = "none", train: int = 0) -> Dialogue:
    """A dialogue that has told its first lines."""
    run = seats(o=o)
    train_first(run, train)
    dialogue = Dialogue(run, show)
    dialogue.begin()
    return dialogue


def finish(dialogue: Dialogue, lines: list[str]) -> list[str]:
    """Go on with the first free cell of the last board that was told until the game is over."""
    while dialogue.prompt != "n for a new game, h for help: ":
        boards = [line for line in lines if re.fullmatch(r"[XO1-9] [XO1-9] [XO1-9]", line)]
        lines = dialogue.answer(next(mark for mark in " ".join(boards[-3:]) if mark.isdigit()))
    return lines


def test_the_input_may_end_anywhere_and_long_lines_are_cut(afterstate):
    for stdin in ("", "5", "5\n", "x" * 5_000, b"\xff\xfe\n", b"\x00\n", "5\r\n"):
        outcome = afterstate("play", "--train=0", stdin=stdin)
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.endswith("\nBye.\n")
    outcome = afterstate("play", "--train=0", stdin="y" * 9_000 + "\nq\n")
    assert outcome.out.count("is no move and no command") == 1
    assert len(outcome.out) < 3_000


def test_a_game_is_taken_back_from_its_end_and_told_as_before():
    dialogue = table()
    first = dialogue.answer("1")
    end = finish(dialogue, first)
    assert any(line.startswith("O's value") for line in end)
    over = ["The game is over: n for a new one."]
    assert [dialogue.answer(line) for line in "9ve"] == [over] * 3
    back = dialogue.answer("U")
    assert back[0] == "Taken back."
    assert finish(dialogue, back) == end
    assert dialogue.answer("n")[0] == "Game 2. You are X."
    dialogue.answer("3")
    assert dialogue.answer("n")[0] == "Game 2. You are X.", "a dropped game counts"


def test_the_values_told_are_those_of_before_the_move():
    # A greedy learner takes the highest number that it told.
    lines = table(o="td:epsilon=0", show="values", train=100).answer("5")
    grid = " ".join(lines[2:5]).split()
    cell = int(lines[5].removeprefix("O takes ")[0])
    assert float(grid[cell - 1]) == max(float(text) for text in grid if text != "X")


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
    untrained = seats("td:learn=off", "human")
    assert (train_first(untrained, 100), untrained.games) == ("X is td:learn=off.", 0)


def test_somebody_must_be_a_person():
    with pytest.raises(UsageError, match="play needs a person on one side"):
        seats(x="td")


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
