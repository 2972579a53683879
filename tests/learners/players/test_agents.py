"""Somebody's agent as a player: what it may answer, and what is said of everything else."""

import sys
from pathlib import Path
from types import SimpleNamespace

import agents
import pytest
from made import is_said, sentences

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.engine.dice import PICK, WORDS, dice_word
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import LOCK
from afterstate_lab.learners.players import asking
from afterstate_lab.learners.players.answers import parse_table, probabilities
from afterstate_lab.learners.players.asking import Reading
from afterstate_lab.learners.players.judged import judged_player
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.opponents import draw_move

FIRST_FREE = "def move(board):\n    return board.index('.') + 1\n"


@pytest.fixture
def agent(tmp_path):
    """Writes a file with a function `move`; how to name the agent."""
    path = tmp_path / "agent.py"
    return lambda source: path.write_text(source) and f"{path}:move"


def answers(name):
    spec = parse_player(name)
    return spec.rule.answers([Side.X], spec.settings)[Side.X]


def says(name):
    spec = parse_player(name)
    with pytest.raises(UsageError) as refused:
        spec.rule.moves(Side.X, spec.settings)
    assert str(refused.value).isprintable()
    return str(refused.value).replace(repr(spec.rule.name), "it")


PYTHON = f"cmd:{sys.executable}"
BROKEN = [
    pytest.param(kind, source, said, marks=pytest.mark.slow if "slow" in kind else [])
    for kind, source, said in sentences("learners/players/agents.txt")
]


@pytest.mark.parametrize(("kind", "source", "said"), BROKEN)
def test_an_agent_without_an_answer_is_told_with_its_board_or_line(agent, kind, source, said):
    body = "def move(board):\n    return " * kind.startswith("a function")
    name = agent(f"{body}{source}\n")
    if kind.startswith("a program"):
        told = says(f"{PYTHON} {name.removesuffix(':move')}")
    else:
        told = says(f"{name}:seconds={1 if body else 3}")
    assert is_said(told, said), told


def test_probabilities_may_be_written_with_three_digits():
    thirds = {"1": 0.333, "2": 0.333, "9": 0.333}
    found = probabilities(thirds, ".........")
    assert [found[cell] for cell in (0, 1, 8)] == pytest.approx([1 / 3] * 3, abs=1e-15)


def test_it_may_print_read_its_input_and_import_its_own_files_whatever_they_are_called(
    agent, tmp_path
):
    (tmp_path / "game.py").write_text("def first(board):\n    return board.index('.') + 1\n")
    source = "import sys\nfrom game import first\nprint('hello')\ndef move(board):\n"
    source += "    print(5)\n    sys.stdin.read()\n    return first(board)\n"
    source += "assert __spec__.has_location and __spec__.cached == __cached__\n"
    source += "assert __package__ == __spec__.parent\n"
    assert not answers(agent(source)).faults
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.py", "game.py"]


@pytest.mark.parametrize(
    ("body", "seconds", "says", "lacking", "is_whole"),
    [
        ("board == 'O.X......' and time.sleep(60)", 0.3, "gives no answer within", 1, True),
        ("board[0] == 'O' and time.sleep(60)", 0.2, "gives no answer within", 10, False),
        ("board == 'O.X......' and os._exit(1)", 20, "ends (status 1)", 1, True),
    ],
    ids=["one hang", "many hangs", "one end"],
)
@pytest.mark.quick("one hang", "one end")
def test_an_agent_that_ends_where_its_games_never_lead_is_started_again(
    agent, body, seconds, says, lacking, is_whole
):
    name = agent("import os, time\n" + FIRST_FREE.replace("return", f"{body}\n    return"))
    found = answers(f"{name}:seconds={seconds}")
    fault = found.faults["fails"]
    assert found.answered == (2423 - lacking - found.unasked, 2423)
    assert (fault.boards, fault.reached, fault.game) == (lacking, 0, None)
    assert (found.unasked == 0) == is_whole
    assert fault.board.startswith("O")
    assert says in fault.said


@pytest.mark.parametrize(
    ("head", "body", "index"),
    [pytest.param(*row, id=kind) for *row, kind in sentences("learners/players/chance.txt")],
)
@pytest.mark.quick("an own counter")
def test_chance_that_no_dice_show_is_found_by_asking(agent, head, body, index, monkeypatch):
    monkeypatch.setattr(asking, "LOUD", 5)
    monkeypatch.setattr(asking, "FRESH", 20)
    free = "free = [cell + 1 for cell in range(9) if board[cell] == '.']"
    source = f"{head}\ndef move(board):\n    {free}\n    {body}\n    return free[{index}]\n"
    found = answers(agent(source))
    assert found.chance == "estimated"
    assert "........." in found.differs


HASTY = {"judge": lambda file: ("judge", f"{PYTHON} {file}:seconds=0.1")}


@pytest.mark.quick("SIGKILL")
@pytest.mark.parametrize("way", [*agents.WAYS, "told"])
def test_whatever_ends_the_asker_ends_what_it_started(monkeypatch, way):
    """Daemons too, with two forks and a session of their own; told: it hangs and is told so."""
    if way == "told":
        monkeypatch.setattr(agents, "ASKERS", HASTY)
        monkeypatch.setitem(
            agents.WAYS, way, lambda asker: asker.read_until_shown("gives no answer within")
        )
    assert agents.end("a daemon", "judge", way)[0] == 0


ON_A_MAC = [
    (("judge", "compete", "grade")[(a + b) % 3], kind, way)
    for a, kind in enumerate(kind for kind in agents.AGENTS if "daemon" not in kind)
    for b, way in enumerate(agents.WAYS)
]
"""Any two of an asker, an agent and a way to end it meet."""


@pytest.mark.quick("judge-busy-SIGKILL")
@pytest.mark.parametrize(("asker", "kind", "way"), ON_A_MAC, ids=map("-".join, ON_A_MAC))
def test_on_a_mac_too_what_ends_the_asker_ends_the_agent(asker, kind, way):
    """On a simulated one, where no poll tells of a hang-up (see `agents`)."""
    assert agents.end(kind, asker, way, mac=True)[0] == 0


def test_a_mistake_comes_up_as_often_as_random_moves_lead_there(agent):
    """X opens at random, O marks 1, X marks the other of two cells."""
    (one,) = judged_player(parse_player(agent(FIRST_FREE)), [Side.O])
    often = {mistake.board: mistake.frequency for mistake in one.mistakes}
    assert often["X........"] == pytest.approx(1 / 9)
    assert often["O...XX..."] == pytest.approx(2 / (9 * 7))


@pytest.mark.slow
def test_a_megabyte_that_it_prints_is_no_answer(agent):
    name = agent(
        "import sys\ndef move(board):\n    if board == '.........':\n"
        "        print('5\\n' * 500_000)\n        print('6' * 1_000_000, file=sys.stderr)\n"
        "    return board.index('.') + 1\n"
    )
    assert (answers(name).answered, answers(name).chance) == ((2423, 2423), None)


def test_naming_an_agent_runs_nothing(agent, tmp_path):
    name = agent(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + FIRST_FREE)
    parse_player(name)
    parse_player(f"cmd:touch {tmp_path / 'ran'}")
    assert not (tmp_path / "ran").exists()


def test_a_locked_lab_asks_no_agent_nor_one_that_others_can_write(agent, tmp_path, monkeypatch):
    name = agent(FIRST_FREE)
    path = Path(name.removesuffix(":move"))
    path.chmod(0o666)
    for text in (name, f"{PYTHON} {path}"):
        with pytest.raises(UsageError, match="other users can write to it"):
            parse_player(text)
    table = tmp_path / "table.csv"
    table.write_text("board,cell\n.........,5\n")
    monkeypatch.setenv(LOCK, "1")
    for text in (name, str(table), "cmd:cat"):
        with pytest.raises(UsageError, match="this lab is locked"):
            parse_player(text)


def test_a_table_without_a_board_that_its_games_reach_is_told(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("board,cell\n.........,5\n")
    assert says(str(path)) == "on the board O...X.... it has no row for it"
    with pytest.raises(UsageError, match="has no row for O"):
        parse_player(str(path)).rule.check_side(1)


def test_a_move_is_of_who_is_to_move_whoever_the_table_names():
    table = parse_table(b"player,board,cell\nO,.........,5\n", is_json=False)
    assert table.sides == {Side.X}


def test_a_board_that_ends_a_program_is_not_asked_again_at_once(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("print(input().index('.') + 1, flush=True)\n")
    rule = parse_player(f"{PYTHON} {path}").rule
    reading = Reading(rule, [Side.X], 20.0, lambda *_: None)
    later = Board.parse("XO.......").id
    told = list(reading._replies([(0, 50), (later, 1)]))
    reading._restart()
    assert [board for board, _ in told] == [0, 0, later]
    assert reading._lives == {Side.X: 99}


def test_a_changed_file_is_another_agent(agent):
    name = agent(FIRST_FREE)
    first = parse_player(name)
    assert str(first) == name
    assert parse_player(first.stored_text) == first
    agent(FIRST_FREE + "# changed\n")
    assert parse_player(name) != first
    with pytest.raises(UsageError, match="has changed: it has sha256="):
        parse_player(first.stored_text)


def test_a_move_is_drawn_by_its_probability():
    """Of two moves with 1/4 and 3/4, the first is drawn where the dice are below 1/4."""
    state = SimpleNamespace(entry=[0, 1, 2])
    below = [n for n in range(400) if dice_word(n, 7, 1, PICK) / WORDS < 0.25]
    drawn = [draw_move([0.25, 0.0, 0.75], state, None, 0, 3, 1, n, 7, 0)[0] for n in range(400)]
    assert [n for n in range(400) if drawn[n] == 0] == below
    assert set(drawn) == {0, 2}
