"""Somebody's agent as a player: what it may answer, and what is said of everything else."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from afterstate_lab.game import Side, space
from afterstate_lab.learners.engine.dice import PICK, WORDS, dice_word
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import LOCK
from afterstate_lab.learners.players.agent import probabilities
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.opponents import draw_move

FIRST_FREE = "def move(board):\n    return board.index('.') + 1\n"


@pytest.fixture
def agent(tmp_path):
    """Writes a file with a function `move`; how to name the agent."""

    def agent(source, name="agent.py"):
        (tmp_path / name).write_text(source)
        return f"{tmp_path / name}:move"

    return agent


def answers(name, side=Side.X):
    spec = parse_player(name)
    return spec.rule.answers(side, spec.settings)


def says(name, side=Side.X):
    with pytest.raises(UsageError) as refused:
        answers(name, side)
    text = str(refused.value)
    assert text.isprintable()
    return text.replace(repr(parse_player(name).rule.name), "it")


PYTHON = f"cmd:{sys.executable}"
FAILS = {
    "0 / 0": "fails in line 2: ZeroDivisionError: ",
    "exec('raise SystemExit')": "fails in line 2: SystemExit",
    "{}['\\x1b[31m']": r"fails in line 2: KeyError: '\x1b[31m'",
    "bytearray(10 << 30)": "fails in line 2: MemoryError",
    "object()": "answers with the text 'something of type object'",
    "[[0] * 200] * 200": "answers with more than 20,000 characters",
    "__import__('time').sleep(60)": "gives no answer within 0.3 s (:seconds=3 allows more",
    "__import__('os')._exit(3)": "ends (status 3)",
    "__import__('os').kill(__import__('os').getpid(), 9)": "is ended by SIGKILL",
    "exec('import os, sys; sys.stderr.write(\"a\\x1b[1m\"); sys.stderr.flush(); os._exit(1)')":
        r"ends (status 1): a\x1b[1m",
}  # fmt: skip
"""What a function answers, and what is told of it."""
MISBEHAVES = {
    "print('hello', flush=True); input()": "answers with the text 'hello'",
    "input(); raise SystemExit('bye')": "ends (status 1): bye",
    "print('5\\n' * 100, flush=True); input()": "prints more than one line for one board",
    "while True: print(end='5' * 1000)": "answers with more than 20,000 characters",
    "input(); print('\\x1b[31m5', flush=True); input()": r"answers with the text '\x1b[31m5'",
    "input(); print(); input()": "answers with an empty line",
    "input(); print(5, flush=True); input(); print(5, flush=True); input()":
        "on the board O...X.... it answers with cell 5, which is not free",
}  # fmt: skip
"""Programs, and what is told of them."""
NO_FILES = {
    "import no_such_module\ndef move(b): pass": "it fails in line 1: ModuleNotFoundError",
    "def move(b:": "it fails in line 1: SyntaxError",
    "move = 5": "it fails: move is not a function",
    "exit()\ndef move(b): pass": "it fails in line 1: ",
}
BROKEN = [
    *((f"def move(board):\n    return {answer}", "seconds=0.3", "on the board ......... it", said)
      for answer, said in FAILS.items()),
    *((program, "program", "on the board ", said) for program, said in MISBEHAVES.items()),
    *((source, "seconds=3", said, said) for source, said in NO_FILES.items()),
]  # fmt: skip


@pytest.mark.quick(*("n0", "n5", "n6", "n7", "n10", "n11", "n16", "n17", "n18"))
@pytest.mark.parametrize(
    ("source", "how", "begins", "said"), BROKEN, ids=[f"n{n}" for n in range(len(BROKEN))]
)
def test_an_agent_without_an_answer_is_told_with_its_board_or_line(
    agent, source, how, begins, said
):
    name = agent(f"{source}\n")
    if how == "program":
        told = says(f"{PYTHON} {name.removesuffix(':move')}")
    else:
        told = says(f"{name}:{how}")
    assert told.startswith(begins) and said in told


def test_an_occupied_cell_is_told_with_its_board(agent):
    name = agent("def move(board):\n    return 5\n")
    for side, board in ((Side.X, "O...X...."), (Side.O, "....X....")):
        told = f"on the board {board} it answers with cell 5, which is not free"
        assert says(name, side) == told


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
    assert answers(agent(source)).complaint == ""
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
    assert found.answered == (2423 - lacking - found.unasked, 2423)
    assert (found.unasked == 0) == is_whole
    assert found.complaint.startswith("on the board O")
    assert says in found.complaint


@pytest.mark.parametrize("period", [2, 3, 5, 8, 12])
@pytest.mark.quick("3")
def test_an_agent_that_answers_differently_now_and_then_is_found_out(agent, period):
    """Whatever its period: the boards come again in no order that one could fit."""
    name = agent(
        "calls = []\ndef move(board):\n    calls.append(board)\n"
        "    free = [c + 1 for c in range(9) if board[c] == '.']\n"
        f"    return free[-(len(calls) % {period} == 0)]\n"
    )
    found = answers(name)
    assert found.differs
    edges = space().edge_of[[0] * 2, [0, 8]]
    at_start = found.policy[edges].tolist()
    assert at_start in ([1.0, 0.0], [0.5, 0.5])
    assert ("........." in found.differs) == (at_start == [0.5, 0.5])


DAEMON = """
import os, sys, time
pids = open(sys.argv[1], "a")
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), file=pids, flush=True)
        time.sleep(60)
    os._exit(0)
print(os.getpid(), file=pids, flush=True)
while sys.stdin.readline() or True:
    pass
"""
ASKER = """
import sys
from afterstate_lab.game import Side
from afterstate_lab.learners.players.resolve import parse_player
spec = parse_player(sys.argv[1])
spec.rule.answers(Side.X, spec.settings)
"""


def is_running(pid):
    told = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True).stdout
    return bool(told.strip(b" Z\n"))


@pytest.mark.quick("SIGKILL")
@pytest.mark.parametrize("how", [None, "SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])
def test_whatever_ends_the_asker_ends_what_it_started(tmp_path, how):
    """Daemons too, with two forks and a session of their own; None: it hangs and is told so."""
    file, pids = tmp_path / "program.py", tmp_path / "pids"
    file.write_text(DAEMON)
    name = f"{PYTHON} {file} {pids}:seconds=0.01"
    asker = subprocess.Popen([sys.executable, "-c", ASKER, name], stderr=subprocess.PIPE)
    started: list[str] = []
    until = time.monotonic() + 30
    while len(started) < 2 and asker.poll() is None and time.monotonic() < until:
        started = pids.read_text().split() if pids.exists() else []
    if how is not None:
        asker.send_signal(signal.Signals[how])
    error = asker.communicate(timeout=30)[1]
    until = time.monotonic() + 5
    while any(map(is_running, started)):
        assert time.monotonic() < until
    assert len(started) == 2
    assert how or b"gives no answer within" in error


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


CSV = "board,cell\n"


def test_a_table_without_a_board_that_its_games_reach_is_told(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("board,cell\n.........,5\n")
    assert says(str(path)) == "on the board O...X.... it has no row for it"
    with pytest.raises(UsageError, match="has no row for O"):
        parse_player(str(path)).rule.check_side(1)


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
