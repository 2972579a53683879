"""Any text, archive, store or command line is read, or refused in one printable sentence."""

import json
import sqlite3
import tracemalloc
from contextlib import closing

import numpy as np
import pytest
from fuzz import HOSTILE, PLAN, SEEDS, TARGETS, inputs, refused, tried
from hypothesis import given
from hypothesis import strategies as st
from made import play_as_x, run_of

from afterstate_lab.game import Board
from afterstate_lab.learners.errors import StoreError
from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.players import policy_file
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import Move
from afterstate_lab.learners.tape.run import Seat, Seating
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.learners.toml_reader import LONGEST_KEY, TomlError
from afterstate_lab.tui.cli.errors import columns
from afterstate_lab.tui.cli.runs import HEADER, cells
from afterstate_lab.tui.lab.labels import ago, players_of
from afterstate_lab.tui.lab.log import log_view
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.panes import board_view, curve_view, fields, stats_view
from afterstate_lab.tui.lab.session import Session

GAMES = 12


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """An empty folder to be in: no file is found by its name, and none may be made."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


# Texts


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_sound_is_read(target):
    assert any(TARGETS[target](data) for data in SEEDS[target])


@tried(15, 120)
@pytest.mark.parametrize("target", TARGETS)
def test_any_input_is_read_or_refused_in_a_sentence(target, profile, nowhere):
    @profile
    @given(inputs(target))
    def law(data):
        TARGETS[target](data)

    law()
    assert not list(nowhere.iterdir())


FOUND = {
    "a number of 5,000 digits": ("plan", b"games = " + b"9" * 5000),
    "the same, in a sentence about it": ("plan", b"games = 0x" + b"f" * 5000),
    "a table of tables without end": ("plan", b"title" + b".a" * 7 + b" = 1\ngames = 3"),
    "lists without end": ("plan", b"a = " + b"[" * 50_000),
    "a letter that is an s to some": ("condition", "X loſes".encode()),
    "a number of 5,000 digits, typed": ("typed_number", b"9" * 5000),
    "a cell that is not a number at all": ("script", bytes((1, 120))),
    "words without end": ("table_filter", b"never " * 100),
}


@pytest.mark.parametrize(("target", "data"), FOUND.values(), ids=FOUND)
def test_what_fuzzing_found_is_refused(target, data):
    assert not TARGETS[target](data)


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


@tried(8, 40)
def test_a_store_that_was_touched_is_shown_or_refused(sound, tmp_path, profile):
    path = tmp_path / "runs.sqlite"

    @profile
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


ILLEGAL = {
    "a cell that is taken": {1: 0, 3: 0},
    "the cell of a position farther on": {1: 4, 3: 4, 5: 4},
    "no move at all": {1: 0},
}


@pytest.mark.parametrize("moves", ILLEGAL.values(), ids=ILLEGAL)
def test_a_stored_game_that_cannot_be_replayed_stops_where_it_cannot_go_on(moves):
    run = run_of(seed=7)
    run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
    run.scripts = {game: tuple(moves.get(ply, -1) for ply in range(10)) for game in range(3)}
    run.games = 3
    recording = run.record(0, 3)
    assert all(1 <= len(recording.rows_of(game)) < 9 for game in range(3))
    moved = (event.afterstate for event in recording.events() if isinstance(event, Move))
    assert all(Board.from_id(board).ply <= 3 for board in moved)
    timeline = Timeline(run)
    timeline.go_to(0)
    while timeline.step():
        assert np.isfinite(timeline.v).all()
    assert timeline.game == 2


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


@tried(40, 120)
def test_any_command_line_ends_as_one_may(nowhere, afterstate, profile):
    policy_file.save_policy(run_of(), nowhere / "p.npz")
    (nowhere / "plan.toml").write_text(PLAN)

    @profile
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
