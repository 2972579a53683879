"""What is played a line at a time is saved as the lab saves it, and can be resumed."""

from __future__ import annotations

import re
from pathlib import Path

from learners.files import store_file
from learners.players.policy_file import save_policy
from learners.players.resolve import parse_player
from learners.store import Store
from learners.tape.run import Run
from tui.lab.autosave import Autosave
from tui.lab.modes import Settings
from tui.lab.session import Session
from tui.plain.dialogue import Dialogue, seated_run


def table(o: str = "td", name: str | None = None) -> Dialogue:
    """A dialogue that is saved."""
    run = seated_run(parse_player("human"), parse_player(o), 0)
    dialogue = Dialogue(run, "none", autosave=Autosave(name=name))
    dialogue.begin()
    return dialogue


def test_to_look_and_leave_saves_nothing(afterstate):
    outcome = afterstate("play", "--plain", "--train=100", stdin="stats\nhelp\nwhere\n")
    assert outcome.status == 0
    assert not store_file().exists()


def test_after_each_move_the_game_is_saved():
    dialogue = table()
    dialogue.answer("5")
    with Store.open() as store:
        loaded = store.load("td-td")
    assert loaded.pending is not None
    assert dict(loaded.pending.script) == dialogue.session.script == {1: 4}


def test_the_lab_goes_on_with_it_in_the_middle_of_the_game():
    dialogue = table("q")
    dialogue.answer("t 30")
    dialogue.answer("n")
    dialogue.answer("5")
    with Store.open() as store:
        loaded = store.load("q-q")
    td = parse_player("td")
    lab = Session(Settings(td, td))
    lab.resume(loaded)
    assert lab.run.games == 30
    assert lab.board == dialogue.session.board
    assert lab.human == "X"


def test_a_run_has_a_name_and_is_gone_on_with_by_it(afterstate):
    begun = afterstate("play", "--plain", "--train=50", "--run", "ear", stdin="5\nstats\n")
    assert "\nO is td, trained by 50 games of self-play.\n" in begun.out
    again = afterstate("play", "--plain", "--run", "ear", stdin="where\nu\n")
    lines = again.out.splitlines()
    assert lines[:3] == [
        "Going on with ear, 50 games.",
        "X is td. O is td.",
        "Playing game 51. You are X. O is td.",
    ]
    assert lines[3].startswith("X has 5, O has ")
    assert "Taken back." in lines
    other = afterstate("play", "--plain", "--run", "ear", "--o", "q", stdin="")
    assert (other.status, other.err.count("\n")) == (2, 1)


def test_a_trained_run_without_a_person_can_be_played(afterstate):
    afterstate("train", "--games=100", "--o=q", "--run=two")
    outcome = afterstate("play", "--plain", "--run=two", stdin="n\n5\nstep\n")
    assert "Going on with two, 100 games.\nX is td. O is q.\n" in outcome.out
    assert "Game 101. You are X.\n" in outcome.out
    assert "What O expects of each move:\n" in outcome.out


def test_runs_are_listed_opened_and_named():
    dialogue = table()
    assert any(line.startswith("No run is saved yet") for line in dialogue.answer("runs"))
    assert dialogue.answer("save") == ["Nothing has been played yet, so there is nothing to save."]
    dialogue.answer("5")
    assert dialogue.answer("save as first one") == ["Saved as first one."]
    dialogue.answer("players o q")
    dialogue.answer("5")
    told = dialogue.answer("runs")
    assert told[0] == "Runs: saved 2."
    assert re.match(r"1\. open in the lab, q-q, q v q, 0 games, one unfinished, just now", told[2])
    assert told[3].startswith("2. first one, td v td, 0 games")
    assert dialogue.answer("open 2")[:3] == [
        "Going on with first one, 0 games.",
        "X is td. O is td.",
        "Playing game 1. You are X. O is td.",
    ]
    assert "Runs 1 of 1." in dialogue.answer("runs q-q")
    assert dialogue.answer("open q-q")[0] == "Going on with q-q, 0 games."
    assert dialogue.answer("save as first one") == ["There is a run called 'first one' already."]


def test_what_cannot_be_opened_or_saved_is_one_sentence():
    dialogue = table()
    for line in ("open", "open 1", "open no such run", "open " + "x" * 900):
        told = dialogue.answer(line)
        assert len(told) == 1
        assert told[0].endswith(".")
    dialogue.answer("5")
    assert len(dialogue.answer("save as " + "x" * 900)) == 1
    assert Dialogue(seated_run(*(parse_player("human"),) * 2, 0)).answer("save") == [
        "Nothing is saved here."
    ]


def test_a_store_that_cannot_be_used_is_told_once_and_the_game_goes_on():
    store_file().parent.mkdir(parents=True)
    store_file().write_bytes(b"no database at all" * 100)
    dialogue = table()
    first = dialogue.answer("5")
    assert first[0].startswith("X takes 5.")
    assert first[-1].startswith("Not saved: ")
    later = dialogue.answer("u")
    assert later[0] == "Taken back."
    assert not any("Not saved" in line for line in later)
    assert any("is not a database" in line for line in dialogue.answer("runs"))


def test_two_people_go_on_as_two():
    run = seated_run(parse_player("human"), parse_player("human"), 0)
    dialogue = Dialogue(run, autosave=Autosave(name="pair"))
    dialogue.begin()
    dialogue.answer("5")
    with Store.open() as store:
        loaded = store.load("pair")
    again = Dialogue(loaded.run, autosave=Autosave())
    assert again.begin(loaded)[2] == "Playing game 1. You are both X and O."
    assert again.answer("1")[0].startswith("O takes 1.")


def test_players_are_told_and_changed_in_a_new_run():
    dialogue = table()
    assert dialogue.answer("players")[0] == "X is td. O is td. Seed 0."
    assert dialogue.answer("players o q:alpha=.2")[0] == (
        "A new run: X is human, O is q:alpha=0.2, seed 0."
    )
    assert dialogue.answer("setup seed 7")[0] == "A new run: X is human, O is q:alpha=0.2, seed 7."
    assert dialogue.answer("players sarsa mc")[0] == "A new run: X is sarsa, O is mc, seed 7."
    assert dialogue.answer("watch")[0] == "Game 1."
    assert dialogue.answer("players recipe menace")[0].startswith("A new run: X is menace")
    for wrong in ("x frogs", "frogs", "seed -1", "seed", "recipe frogs", "td q td", "human human"):
        assert len(dialogue.answer(f"players {wrong}")) == 1
    assert str(dialogue.session.run.x) == "menace"


def test_a_file_that_cannot_play_a_side_changes_nothing(tmp_path: Path):
    save_policy(Run(parse_player("td"), parse_player("random")), tmp_path / "x.npz")
    dialogue = table()
    (said,) = dialogue.answer(f"players o {tmp_path}/x.npz")
    assert said.endswith("holds no learner that plays O.")
    assert dialogue.answer("players")[0] == "X is td. O is td. Seed 0."


def test_the_experiments_are_pointed_to():
    assert "afterstate experiment" in table().answer("experiments")[1]


def two_runs() -> Dialogue:
    """A dialogue that goes on with the second of two saved runs."""
    dialogue = table()
    for line in ("5", "save as first", "players o td:alpha=.5", "1", "save as second"):
        dialogue.answer(line)
    return dialogue


def test_a_saved_run_is_compared_with_the_one_that_goes_on():
    dialogue = two_runs()
    dialogue.answer("train 300")
    dialogue.answer("runs")
    said = dialogue.answer("compare first")
    assert said[0] == "Runs: A second B first."
    assert "2. X alpha, 0.5, 0.1." in said
    assert "1. games, 300, 0." in said
    assert any(re.fullmatch(r"1\. [XO], .*, A \S+, B \.5.*\.", line) for line in said), said
    said = dialogue.answer("compare second")
    assert "Both have the same settings." in said
    assert "No value differs." in said
    assert dialogue.answer("compare nobody")[0].startswith("There is no run 'nobody'")
    assert "compare NAME" in dialogue.answer("compare")[0]


def test_a_run_has_a_note():
    dialogue = table()
    assert dialogue.answer("note") == ["This run is not saved yet: play or train first."]
    dialogue.answer("5")
    assert dialogue.answer("note")[0].startswith("It has no note")
    assert dialogue.answer("note to learn  the corners") == ["Noted with td-td."]
    assert dialogue.answer("note") == ["To learn the corners."]
    assert any("to learn the corners" in line for line in dialogue.answer("runs"))
    dialogue.answer("back")
    assert "printable" in dialogue.answer("note a\x1b[31mb")[0]
    assert dialogue.answer("note off") == ["td-td has no note any more."]


def test_a_run_is_deleted_and_brought_back_but_not_the_one_that_goes_on():
    dialogue = two_runs()
    assert dialogue.answer("restore") == ["Nothing is deleted."]
    assert dialogue.answer("delete second")[0].endswith("open another one first.")
    assert dialogue.answer("delete first") == ["first is deleted; restore brings it back."]
    assert "Runs: saved 1." in dialogue.answer("runs")
    assert dialogue.answer("delete first")[0].startswith("There is no run 'first'")
    assert dialogue.answer("restore") == ["first is back."]
    assert "Runs: saved 2." in dialogue.answer("runs")
    assert "delete NAME" in dialogue.answer("delete")[0]
