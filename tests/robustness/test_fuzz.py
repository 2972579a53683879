"""Whatever comes from outside is read, or refused in one printable sentence.

Each parser has sound inputs and keeps this law: an input is either read, and then reads back as
itself where it can be written, or it is refused by the documented error in one sentence that can be
printed. Nothing else ever happens.

    HYPOTHESIS_PROFILE=hours python -m pytest -n 2 -m hypothesis tests/robustness/test_fuzz.py

feeds 25,000 random inputs to each parser.
"""

import io
import json
import re
import sqlite3
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made import PLAN, play_as_x, run_of

from afterstate_lab.game import Board, IllegalMoveError, InvalidBoardError, Side
from afterstate_lab.learners.ask.be import ByHand, Predictions, QuizQuestion
from afterstate_lab.learners.ask.conditions import parse as parse_condition
from afterstate_lab.learners.ask.table import TableRows, filtered
from afterstate_lab.learners.engine.play import RECENT
from afterstate_lab.learners.errors import DamagedError, StoreError, UsageError
from afterstate_lab.learners.experiments.plan import Plan, SidedMetric
from afterstate_lab.learners.experiments.run import read_trial
from afterstate_lab.learners.players import policy_file
from afterstate_lab.learners.players.answers import Complaint, parse_table, probabilities
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs import store
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.listing import checked_name, checked_note, info_of
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.learners.toml_reader import LONGEST_KEY, TomlError, TomlText
from afterstate_lab.tui.cli.errors import columns
from afterstate_lab.tui.cli.runs import HEADER, cells
from afterstate_lab.tui.lab.labels import ago, players_of
from afterstate_lab.tui.lab.log import log_view
from afterstate_lab.tui.lab.modes import Settings, games_of, goal_of
from afterstate_lab.tui.lab.panes import board_view, curve_view, fields, stats_view
from afterstate_lab.tui.lab.scripts.script import Script
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.preferences import Preferences

GAMES = 20
"""Games of the run that is asked about."""
EVALUATION = {
    "spec": "td", "beatable": True, "worst_loss": 0.5, "missed_wins": 3, "optimal": [2000, 2423],
    "vs_random": {"win": 0.9, "draw": 0.1, "loss": 0.0}, "coverage": [40, 5477],
    "vs_perfect": {"win": 0.0, "draw": 1.0, "loss": 0.0}, "rms_minimax": 0.1, "rms_optimal": 0.1,
    "rms_behaviour": None,
}  # fmt: skip
TRIAL = {
    "key": "00", "seed": 1, "results": [1, 1, 1], "seconds": 0.5, "values": [[None, 0.5]],
    "verdicts": [EVALUATION, None],
}  # fmt: skip
LONGEST_SENTENCE = 2_600
"""Characters: a sentence may quote a path of 300 and name every player."""
WORD = re.compile(rb"[A-Za-z]+|[0-9.]+|\s+|.", re.DOTALL)
HOSTILE = (
    b"\x00", b"\x1b[31m", b"\x1b]0;title\x07", b"\x9b2J", b"\xff", b"\xed\xa0\x80", b"\r\n", b"\t",
    "\x9b2J\u2028".encode(), "\u202e\u2066".encode(), "ſ٣１²".encode(), b"nan", b"-inf", b"1e400",
    b"9" * 5000, b"0x" + b"f" * 5000, b"-1", b"1_0", b"(" * 500, b"[" * 1000, b"a." * 300,
    b'"', b"'", b'"""', b"{}", b"null", b"true", b"..", b"/", b"~", b"%s%n", b"' OR 1=1 --",
    b"/dev/zero.npz", b"/dev/null.toml", b"[1e999]", b'{"a": NaN}', b"\x93NUMPY", b"PK\x05\x06",
)  # fmt: skip
"""What has broken parsers before."""
many = settings(max_examples=5 * settings().max_examples, suppress_health_check=[*HealthCheck])


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """An empty folder to be in: no file is found by its name, and none may be made."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def refused(error: Exception) -> bool:
    """See that a refusal is one printable sentence; return False, as the input was not read."""
    sentence = str(error)
    assert sentence and sentence.isprintable(), f"not one printable sentence: {sentence!r}"
    assert len(sentence) <= LONGEST_SENTENCE, f"a sentence of {len(sentence)} characters"
    return False


def attempt(read: Callable[[], Any], error: type[Exception] = UsageError) -> Any:
    """Return what is read, or None where it is refused, as it may be."""
    try:
        return read()
    except error as refusal:
        return refused(refusal) or None


def are_printable(*texts: str) -> None:
    for text in texts:
        assert text.isprintable(), f"what cannot be printed: {text!r}"


def text_of(data: bytes) -> str:
    """Return any text there is: with lone surrogates too, as a command line may hold them."""
    return data.decode("utf-8", "surrogateescape")


def inputs(seeds: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    """Return sound inputs spoilt here and there, their words in any order, and noise."""
    words = sorted({word for seed in seeds for word in WORD.findall(seed[:2000])} | set(HOSTILE))
    word = st.sampled_from(words)
    return st.one_of(
        spoilt(st.sampled_from(seeds), word),
        st.lists(word, max_size=40).map(b"".join),
        st.binary(max_size=200),
        st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    )


@st.composite
def spoilt(
    draw: st.DrawFn, sound: st.SearchStrategy[bytes], word: st.SearchStrategy[bytes]
) -> bytes:
    """Draw a sound input in which some places are cut out, or have become something else."""
    data = draw(sound)
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, len(data)))
        last = draw(st.integers(first, min(len(data), first + 12)))
        data = data[:first] + draw(st.one_of(word, st.binary(max_size=3))) + data[last:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 9)) == 0 else data


def any_input(*seeds: bytes, refuses: tuple[bytes, ...] = ()) -> Callable[[Callable], Callable]:
    """Let a parser, which returns whether an input was read, meet any input.

    One of its sound inputs is read, and what was once found to break it is refused.
    """

    def test_of(read: Callable[[bytes], bool]) -> Callable[..., None]:
        @pytest.mark.hypothesis
        def test(nowhere: Path) -> None:
            assert any(map(read, seeds))
            assert not any(map(read, refuses))

            @many
            @given(inputs(seeds))
            def law(data: bytes) -> None:
                read(data)

            law()
            assert not list(nowhere.iterdir())

        return test

    return test_of


def back(parse: Callable[[str], Any], data: bytes) -> Any:
    """Return what a text is read as, which can be printed and reads back as itself, or None."""
    read = attempt(lambda: parse(text_of(data)))
    if read is not None:
        are_printable(str(read))
        assert parse(str(read)) == read, "what reads back as something else"
    return read


@cache
def run() -> Run:
    return run_of("td", "q", GAMES, 7)


@cache
def timeline() -> Timeline:
    return Timeline(run())


@cache
def rows() -> TableRows:
    found = TableRows(run().layout, run().memory, Side.O, GAMES)
    arrays = {name: many for name, many in vars(found).items() if isinstance(many, np.ndarray)}
    vars(found).update({name: many[..., ::40] for name, many in arrays.items()})
    found.columns = {name: column[::40] for name, column in found.columns.items()}
    return found


@cache
def questions() -> tuple[QuizQuestion, ...]:
    return tuple(ByHand(run().x, 1).questions)


@cache
def arrays_of_td() -> dict[str, Any]:
    made = run_of()
    values, visits = made.layout.x.values(made.memory), made.layout.x.visits(made.memory)
    return dict(zip(policy_file.ARRAYS, (values, visits, values, visits), strict=True))


def sound_header() -> bytes:
    told = {"format": 1, "x": "td", "o": "td", "seed": 0, "games": 0, "greedy_moves": [0, 0]}
    return json.dumps(told | {"sha256": policy_file.digest(arrays_of_td())}).encode()


def saved(save: Callable[..., None], *arrays: Any, **named: Any) -> bytes:
    file = io.BytesIO()
    save(file, *arrays, **named)
    return file.getvalue()


def packed(array: Any) -> bytes:
    return store.packed(np.asarray(array))


@any_input(
    b"td:alpha=0.1,epsilon=.3..0,draw=0.5", b"menace:beads=4/3/2/1", b"a.npz", b"nstep:n=3",
    b"q:symmetry=on,epsilon=1/1/.3,over=1_000", b"rule.py:Mine", b"a.csv", b"agent.py:move",
    b"cmd:cat -u:seconds=3",
)  # fmt: skip
def test_any_spec_is_read_or_refused(data: bytes) -> bool:
    return back(parse_player, data) is not None


@any_input(b"value X", b"rms-v* O")
def test_any_metric_is_read_or_refused(data: bytes) -> bool:
    return back(SidedMetric.parse, data) is not None


@any_input(b"my run", b"a (2)")
def test_any_name_is_read_or_refused(data: bytes) -> bool:
    read = [back(check, data) for check in (checked_name, checked_note)]
    return read != [None, None]


@any_input(
    b"afterstate:1/td/q:alpha=0.3/7/12@9.3",
    b"afterstate:1/td/td/7/3~1hlBRgBRg",
    b"afterstate:1/td/td/7/6~4lh,5=15!0123abcd@5.1.2.1+x=mc",
    b"afterstate:1/td/sha256-" + b"0a" * 32 + b".npz:epsilon=.1/7/2",
)
def test_any_address_is_read_or_refused(data: bytes) -> bool:
    """Open an address: it opens no file, and runs no code."""
    read = back(Address.parse, data)
    if read is None or read.games > GAMES or "sha256-" in str(read):
        return read is not None
    assert str(read).isascii(), "an address that is not ASCII"
    opened = attempt(lambda: open_address(read))
    if opened is None or attempt(opened.memory) is None:
        return False
    assert opened.run.games == read.games, "an address that opens another run"
    return True


@any_input(
    b"error > .3 and wrote X ....X.... or flip", b"wrote O X........@5", b"change",
    b"first visit", b"X loses", b"game 4..9", b"exploratory or draw",
    refuses=("X loſes".encode(),),
)  # fmt: skip
def test_any_condition_is_read_or_refused(data: bytes) -> bool:
    read = attempt(lambda: parse_condition(text_of(data)))
    if read is None or attempt(lambda: read.check(run().layout) or True) is None:
        return False
    read.rows(run().record(0, GAMES))
    return True


@any_input(b"visits>10 error<-.1 ply=3", b"X??.O....@5", b"never", refuses=(b"never " * 100,))
def test_any_table_filter_is_read_or_refused(data: bytes) -> bool:
    return attempt(lambda: filtered(rows(), text_of(data))) is not None


@any_input(b"X.O.X....", b".........")
def test_any_board_is_read_or_refused(data: bytes) -> bool:
    text = text_of(data)
    read = attempt(lambda: Board.parse(text), InvalidBoardError)
    is_same = read is None or (str(read) == text and Board.from_id(read.id) == read)
    assert is_same, "a board that is another one"
    return read is not None


@any_input(
    PLAN.encode(),
    b"games = 3\nseeds = 2\n",
    refuses=(
        b"games = " + b"9" * 5000,
        b"games = 0x" + b"f" * 5000,  # the same, in a sentence about it
        b"title" + b".a" * 7 + b" = 1\ngames = 3",
        b"a = " + b"[" * 50_000,
    ),
)
def test_any_plan_is_read_or_refused(data: bytes) -> bool:
    read = attempt(lambda: Plan.parse(text_of(data), "plan.toml"))
    if read is None:
        return False
    are_printable(read.title, read.question, read.source, read.prediction, read.measured)
    are_printable(read.answer, *(arm.name for arm in read.arms))
    read.resized(1, 3)
    return True


@any_input(Path(__file__).with_name("lesson.script").read_bytes())
def test_any_lesson_is_read_or_refused(data: bytes) -> bool:
    """Read a lesson."""
    text = text_of(data)
    script = attempt(lambda: Script("a.script", text))
    if script is not None:
        are_printable(script.title, script.about)
        for step in script.steps:
            are_printable(
                step.title,
                step.text,
                step.to_do,
                *(claim[0] for claim in step.claims),
                *(step.question or ()),
            )
    return script is not None


@any_input(b"12.3", b"100k", b"+", b"-.5", b"unbeatable", refuses=(b"9" * 5000,))
def test_any_number_that_is_typed_is_read_or_refused(data: bytes) -> bool:
    """Type a game to go to, a goal, a number of games, a prediction, an answer."""
    text = text_of(data)
    goal_of(text)
    games_of(text)
    Predictions().judge(text, 0.5, 0.55)
    for question in questions():
        given = question.read(text)
        assert given is None or question.is_right(given) in (True, False)
    session: Any = SimpleNamespace(timeline=timeline(), run=run())
    return attempt(lambda: Session.go_to_place(session, text) is None) is True


@any_input(bytes((1, 4, 3, 0)), bytes((2, 8)), refuses=(bytes((1, 120)),))
def test_any_script_of_moves_is_read_or_refused(data: bytes) -> bool:
    """Play a person's moves: pairs of bytes, ply and cell, where a byte far out is farther out."""
    numbers = [byte - 256 if byte > 127 else byte for byte in data]
    numbers = [number if -100 < number < 100 else number**99 for number in numbers]
    moves = dict(zip(numbers[::2], numbers[1::2], strict=False))
    before = run().games, run().memory.tobytes()
    played = run().fork(run().games)
    is_played = attempt(lambda: played.play(moves), IllegalMoveError) is not None
    is_left = (played.games, played.memory.tobytes()) == before
    assert is_played or is_left, "a wrong move did harm"
    return is_played


@any_input(
    b"board,cell\n.........,5\n",
    b"board,cell,probability\nX...O....,9,1\n",
    b"player,board,cell,value,visits\nX,X........,,.5,3\nO,X........,5,.4,1\n",
    b'[{"board": ".........", "cell": 5}]',
    b'{"x..\\n.o.\\n...": [0,0,0,0,0,0,0,0,1]}',
)
def test_any_agent_table_is_read_or_refused(data: bytes) -> bool:
    """Read an agent as a table, in CSV and in JSON, and its answers on some boards."""
    tables = [attempt(lambda: parse_table(data, is_json=j)) for j in (False, True)]  # noqa: B023
    for table in filter(None, tables):
        for board in (".........", "X...O....", "XO.......", "XOXOXO..."):
            chances = attempt(lambda: probabilities(table.answer(board), board), Complaint)  # noqa: B023
            if chances is not None:
                assert abs(sum(chances) - 1.0) < 1e-9, "probabilities that do not sum to 1"
                marked = zip(chances, board, strict=True)
                assert not any(chance for chance, mark in marked if mark != "."), "no free cell"
    return any(table is not None for table in tables)


@any_input(
    saved(
        np.savez_compressed,
        header=np.frombuffer(sound_header(), np.uint8),
        **{name: np.zeros((1, 3)) for name in policy_file.ARRAYS},
    )
)
def test_any_policy_file_is_read_or_refused(data: bytes) -> bool:
    arrays = attempt(lambda: policy_file.read_arrays(io.BytesIO(data)), policy_file.ArchiveError)
    assert arrays is None or set(arrays) == set(policy_file.LONGEST), "other arrays"
    return arrays is not None


@any_input(saved(np.save, np.zeros((1, 3))))
def test_any_array_of_a_policy_is_read_or_refused(data: bytes) -> bool:
    read = attempt(lambda: policy_file.array_of(data, "x_values"), policy_file.ArchiveError)
    is_array = read is not None and policy_file.ARRAY.match(data) is not None
    assert read is None or (is_array and read.dtype in (np.float64, np.uint8)), "other numbers"
    return read is not None


@any_input(sound_header())
def test_any_header_of_a_policy_is_read_or_refused(data: bytes) -> bool:
    """Read the header of a `.npz`, whose arrays are as they must be."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return False
    policy = attempt(lambda: policy_file.checked_policy(told, arrays_of_td()))
    assert policy is None or np.isfinite(policy[1]).all(), "memory that is not a number"
    return policy is not None


def sqlite_values(data: bytes) -> list[Any]:
    eight = data[:8].ljust(8, b"\0")
    number = float(np.frombuffer(eight, "<f8")[0])
    return [data, data.decode("utf-8", "replace"), int.from_bytes(eight, "little", signed=True),
            None if np.isnan(number) else number, None]  # fmt: skip


PARTS: tuple[Callable[[Any], Any], ...] = (
    lambda value: store.seating_changes_of(value, GAMES),
    store.moves_of,
    store.pending_of,
    lambda value: store.point_of((GAMES, 1, 2, 3, value)),
    lambda value: store.point_of((value, 1, 2, 3, "[null, null]")),
    lambda value: store.memory_of(value, 8),
    lambda value: store.tally_of(value, GAMES),
    lambda value: store.scripts_of([(3, value), (value, "1........")], GAMES),
)
"""How each part of a stored run is read."""


@any_input(
    b'[[0, "learns", "human"], [3, "frozen", "learns"]]', b'["X", "1.2......"]', b"1.5......",
    json.dumps([EVALUATION, None]).encode(), packed([0.0] * 8),
    packed(np.zeros(4 + RECENT, np.int64)),
)  # fmt: skip
def test_any_value_in_a_stored_run_is_read_or_refused(data: bytes) -> bool:
    """Put a value of any type that SQLite knows in the place of every part of a run."""
    read = [
        attempt(lambda: [part(value)], DamagedError)  # noqa: B023
        for value in sqlite_values(data)
        for part in PARTS
    ]
    return any(part is not None for part in read)


@any_input(b"td", b"7", packed([0.0]))
def test_any_column_of_the_list_of_runs_is_read_or_refused(data: bytes) -> bool:
    """Put it in the place of every column of the list of runs."""
    sound: list[Any] = [1, "a", "", 0.0, 1.0, "td", "td", "7", 3, 1, 1, 1, 0, "00"]
    found = False
    for value in sqlite_values(data):
        for column in range(len(sound)):
            row = (*sound[:column], value, *sound[column + 1 :])
            info = attempt(lambda: info_of(row))  # noqa: B023
            if info is not None:
                found = True
                are_printable(info.name, info.note, info.x, info.o, info.sha256)
                info.updated.astimezone().strftime("%Y-%m-%d %H:%M")
                json.dumps(info.as_json(), allow_nan=False)
    return found


@any_input(json.dumps(TRIAL).encode() + b"\n")
def test_any_line_of_a_journal_is_read_or_refused(data: bytes) -> bool:
    found = read_trial(data, (1, 2))
    if found is None:
        return False
    again = json.dumps({"key": ""} | found[1].as_json(), allow_nan=False).encode() + b"\n"
    assert read_trial(again, (1, 2)) is not None, "a trial that is lost"
    return True


@any_input(b"theme = 'light'\nspeed = 8\ncells = 'keypad'\n")
def test_any_file_of_settings_is_read_or_refused(data: bytes) -> bool:
    """Read a file of settings: each mistake is told in one sentence, and left out."""
    found = Preferences(path=Path("config.toml"))
    attempt(lambda: found.take(TomlText("config.toml", data.decode(errors="replace"))))
    are_printable(*found.mistakes)
    assert all(len(told) <= LONGEST_SENTENCE for told in found.mistakes), "too long a mistake"
    return bool(found.given)


# Texts


KEYS = {
    "bare": "a." * 90_000 + "a = 1",
    "quoted": '"a".' * 40_000 + "a = 1",
    "of a table": "[" + "a." * 90_000 + "a]",
    "of a table in a line": "b = {" + "a." * 90_000 + "a = 1}",
    "after a text with quotes in it": 'b = ["""x"""", {' + "a." * 90_000 + "a = 1}]",
    "after a text of many lines": "b = '''\n\"\"\"'''\n" + "a." * 90_000 + "a = 1",
    "after a quote that is said": '# "\n' + "a." * 90_000 + "a = 1",
    "after a quote that is escaped": 'b = "\\"" \n' + "a." * 90_000 + "a = 1",
}


@pytest.mark.parametrize("text", KEYS.values(), ids=KEYS)
def test_a_key_of_many_parts_takes_no_memory(text):
    wanted = pytest.raises(TomlError, match=f"a key has more than {LONGEST_KEY} parts")
    tracemalloc.start()
    try:
        with wanted:
            Plan.parse(text)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


# The store


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A store with a run in which two learners have trained, and a person has played."""
    path = tmp_path_factory.mktemp("store") / "runs.sqlite"
    run = run_of("td", "q", GAMES - 1, 7)
    play_as_x(run)
    session = Session(Settings(run.x, run.o, 7))
    store = Store.open(path)
    store.save(run, name="a", history=session.history.points)
    store.set_note("a", "mine")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


def show(path):
    """Do all that can be done with the runs of a store."""
    try:
        store = Store.open(path, patience=0.2)
        found = store.list()
        assert all(line.isprintable() for line in columns([HEADER, *map(cells, found)]))
        assert all(f"{players_of(info)} {ago(info.updated)}".isprintable() for info in found)
        json.dumps([info.as_json() for info in found], allow_nan=False)
        store.latest()
        loaded = store.load(1)
        session = Session(Settings(loaded.run.x, loaded.run.o, 0))
        session.resume(loaded)
        for view in (stats_view, curve_view, board_view, fields, log_view):
            view(session)
        for game in range(min(loaded.run.games, GAMES)):
            session.timeline.go_to(game)
            while session.timeline.step() and session.timeline.game == game:
                pass
            board_view(session)
            log_view(session)
        store.save(loaded.run, into=loaded.stored, history=loaded.history)
        store.save(loaded.run, name="copy")
        store.delete(1)
        store.undelete()
    except StoreError as error:
        refused(error)


@pytest.mark.hypothesis
def test_a_store_that_was_touched_is_shown_or_refused(sound, tmp_path):
    path = tmp_path / "runs.sqlite"

    @settings(many, max_examples=many.max_examples // 3)
    @given(
        st.lists(st.tuples(st.integers(0, 2**20), st.binary(max_size=8)), min_size=1, max_size=3)
    )
    def law(places):
        for left in tmp_path.glob("runs.sqlite-*"):
            left.unlink()
        whole = bytearray(sound)
        for place, data in places:
            at = place % max(1, len(whole))
            whole[at : at + len(data) if data else None] = data
        path.write_bytes(whole)
        show(path)

    law()


# Command lines


OPTIONS: dict[str, tuple[str, ...]] = {
    "--x": ("td", "q:alpha=.5", "random", "human", "p.npz", "none.npz", "none.py:Rule", "td:", "X"),
    "--o": ("td", "menace", "perfect:epsilon=0..1", "p.npz:epsilon=.5", "td:alpha=2", "biased"),
    "--games": ("1", "5", "0", "-1", "1_0", "five"),
    "--seed": ("0", "7", "9" * 19, "-1"),
    "--out": ("p.npz", "new.npz", "new.txt", "no/where.npz", "results"),
    "--run": ("a", "b", " ", "x" * 99),
    "--recipe": ("menace", "two-agents", "none"),
    "--format": ("csv", "json", "svg"),
    "--board": ("X.O......", "X.X......", "."),
    "--seeds": ("1", "2", "1001"),
}
COMMANDS = "train compete evaluate trace export learners recipes play experiment runs doctor"
WORDS = "--json --plain --list --help -h --version -- - p.npz plan.toml 1.1 none results"
NOISE = st.sampled_from([w.decode("utf-8", "surrogateescape").replace("\0", "") for w in HOSTILE])


@st.composite
def command_lines(draw):
    """Draw words that a user might type, and some that nobody would."""
    words = [draw(st.sampled_from(COMMANDS.split()) | NOISE)]
    if not draw(st.integers(0, 9)):
        return [*words, "--games", draw(st.sampled_from(("-1", "x")) | NOISE)]
    # A training of nobody's choice is long, and so is an experiment.
    words += ["--games", "4"] if words[0] in ("train", "compete", "experiment") else []
    for _ in range(draw(st.integers(0, 4))):
        option = draw(st.sampled_from(list(OPTIONS)))
        if option != "--games" or words[0] != "train":
            words += [option, draw(st.sampled_from(OPTIONS[option]) | NOISE)]
    return words + draw(st.lists(st.sampled_from((*WORDS.split(), "")) | NOISE, max_size=2))


@pytest.mark.hypothesis
def test_any_command_line_ends_as_one_may(nowhere, afterstate):
    policy_file.save_policy(run_of(), nowhere / "p.npz")
    (nowhere / "plan.toml").write_text(PLAN)

    @many
    @given(command_lines())
    def law(words):
        status, out, err = afterstate(*words, stdin="5\nnext\n\x1b[2J\nq\n")
        assert status in (0, 1, 2)
        assert (out + err).replace("\n", "").isprintable()
        if status == 2:
            assert err.startswith("afterstate: ")
            assert err.count("\n") == 1
        if status == 0 and "--json" in words and not {"-h", "--help", "--version"} & {*words}:
            json.loads(out)

    law()
