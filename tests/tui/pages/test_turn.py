"""The knob: what is on screen belongs to the setting, whoever turns while it is turning."""

from math import inf

import pytest
from reading import do, do_work, lines, press

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.expect import sampled
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.pages import turn as page
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.pages.turn import Knob


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """However slow the machine, all seeds are played."""
    monkeypatch.setattr(page, "SECONDS", inf)


def knob_of(x: str = "td", o: str = "td", name: str = "") -> Knob:
    return Knob(LabController(Settings(parse_player(x), parse_player(o), 7)), name, size=(3, 60))


@pytest.fixture
def knob() -> Knob:
    """A knob that shows the players as they are."""
    knob = knob_of()
    do_work(knob.page)
    return knob


def players(knob: Knob) -> tuple[str, str]:
    return str(knob.players[0]), str(knob.players[1])


def test_an_opening_of_which_x_learned_nothing_has_no_values():
    knob = knob_of("perfect", "td")
    do_work(knob.page)
    assert {cell.value for cell in knob.page().body.parts[2].parts[0].cells} == {None}


def test_the_settings_to_which_a_key_leads_are_computed_ahead(knob):
    for key, setting in (("right", "td:alpha=0.11"), ("left", "td"), ("left", "td:alpha=0.09")):
        press(knob.page, key)
        assert knob.is_current and str(knob.shown.players[0]) == setting
        do_work(knob.page)
    fresh = knob_of("td:alpha=0.09", "td:alpha=0.09")
    do_work(fresh.page)
    assert (knob.shown.values == fresh.shown.values).all()


def meanwhile(monkeypatch, act):
    """Let something happen while a setting is played."""

    def played(*given, **how):
        act()
        return sampled(*given, **how)

    monkeypatch.setattr(page, "sampled", played)


@pytest.mark.parametrize(("key", "is_wanted"), [("right", True), ("left", False)])
def test_a_setting_that_is_computed_ahead_goes_on_when_you_turn_to_it_and_ends_otherwise(
    monkeypatch, key, is_wanted
):
    knob = knob_of()
    done = knob.page().work
    done.taken(done.do(lambda: False))
    ahead = knob.page().work
    meanwhile(monkeypatch, lambda: press(knob.page, key))
    ahead.taken(ahead.do(lambda: False))
    monkeypatch.undo()
    assert knob.is_current == is_wanted
    do_work(knob.page)
    assert knob.is_current


def test_a_newer_turn_ends_the_older_one_unless_nothing_was_shown_for_long(knob, monkeypatch):
    for patience, is_dropped in ((1e9, True), (-1.0, False)):
        monkeypatch.setattr(page, "PATIENCE", patience)
        meanwhile(monkeypatch, lambda: knob.set(f"{knob.value(knob.players) + 0.2}"))
        knob.set(f"{knob.value(knob.players) + 0.1}")
        older = knob.page().work
        found = older.do(lambda: False)
        assert (found is None) == is_dropped
        older.taken(found)
        assert not knob.is_current
        monkeypatch.setattr(page, "sampled", sampled)
        do_work(knob.page)
        assert knob.is_current


def test_what_was_ended_is_not_taken_for_whole_when_you_turn_back(knob, monkeypatch):
    knob.set("0.3")
    work = knob.page().work

    def turned_away_and_back(*given, stop, **how):
        knob.set("0.5")
        assert stop()
        knob.set("0.3")
        return sampled(*given, stop=stop, **how)

    monkeypatch.setattr(page, "PATIENCE", 1e9)
    monkeypatch.setattr(page, "sampled", turned_away_and_back)
    assert work.do(lambda: False) is None


def test_the_learners_are_turned_whoever_sits_on_their_seats():
    lab = LabController(Settings(parse_player("human"), parse_player("td")), None)
    shown = page.open_on(lab, None, "alpha")
    assert [label for _, label in shown().title] == ["td α.1 ε.1"] * 2


def test_a_result_that_comes_late_does_not_cover_a_setting_that_is_known(knob):
    first = knob.shown
    knob.set("0.3")
    late = knob.page().work
    found = late.do(lambda: False)
    knob.set("0.1")
    assert knob.is_current and knob.shown is first
    late.taken(found)
    assert knob.is_current and knob.shown is first


def test_the_ghost_is_the_setting_on_which_you_rested(knob, monkeypatch):
    first = knob.shown
    monkeypatch.setattr(page, "REST", 1e9)
    for _ in range(2):
        press(knob.page, "right")
        do_work(knob.page)
        assert knob.ghost is first
    monkeypatch.setattr(page, "REST", -1.0)
    last = knob.shown
    press(knob.page, "right")
    assert knob.ghost is last


@pytest.mark.parametrize(
    ("x", "name", "keys", "setting"),
    [
        ("td", "", "right", "td:alpha=0.11"),
        ("td:alpha=0.995", "", "right", "td:alpha=1"),
        ("td:alpha=0.1234", "", "left", "td:alpha=0.11"),
        ("td", "ε", "right left right", "td:epsilon=0.11"),
        ("td:epsilon=.3..0", "epsilon", "left", "td:epsilon=0.29"),
        ("nstep:n=8", "n", "right right", "nstep:n=9"),
        ("td", "every", "right", "td:every=11000"),
        ("td", "draw", "left", "td:draw=0.4"),
        ("tdlambda", "λ", "left", "tdlambda:lambda=0.79"),
    ],
)
def test_a_key_turns_by_a_step(x, name, keys, setting):
    knob = knob_of(x, "random", name)
    press(knob.page, *keys.split())
    assert players(knob) == (setting, "random")


def test_what_cannot_be_turned_is_refused_in_a_sentence():
    for x, name in (("td", "gamma"), ("td", "step"), ("random", "")):
        with pytest.raises(UsageError):
            knob_of(x, "random", name)
    knob = knob_of("td:alpha=1", "random")
    assert do(knob.page, "right") == "alpha is 1 already."
    for text in ("2", "much", ""):
        with pytest.raises(UsageError, match="use 0 to 1"):
            do(knob.page, "set", text)


def test_without_machine_code_it_plays_as_many_seeds_as_there_is_time_for(monkeypatch):
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    monkeypatch.setattr(page, "SECONDS", 1e-9)
    knob = Knob(LabController(Settings(parse_player("td"), parse_player("td"))), size=(1_000, 50))
    do_work(knob.page)
    shown = "\n".join(lines(knob.page()))
    assert f"{len(knob.shown)} seed" in shown and 1 <= len(knob.shown) < 1_000


def test_a_rule_that_fails_is_a_note_and_is_not_tried_again(monkeypatch):
    def fails(*_, **__):
        raise UsageError("it fails")

    monkeypatch.setattr(page, "sampled", fails)
    knob = knob_of()
    do_work(knob.page)
    assert knob.page().note == "It fails."
    monkeypatch.undo()
    press(knob.page, "right")
    do_work(knob.page)
    assert knob.is_current and knob.page().note == ""


async def test_keys_held_down_end_at_the_last_setting(desk, monkeypatch):
    monkeypatch.setattr(Knob.__init__, "__defaults__", ("", (2, 60)))
    monkeypatch.setattr(page, "REST", 1e9)  # however slow the machine, no key is let go
    desk.screen.take(Open("turn"))
    await desk.finish()
    await desk.finish("right right right left right right")
    assert "alpha .14" in desk.text and "2 seeds of 60 games" in desk.text
    await desk.finish("enter")
    assert str(desk.session.run.x) == "td:alpha=0.14"


@pytest.mark.parametrize(("games", "saved"), [(0, ""), (2, " The previous run is saved.")])
def test_a_setting_that_is_kept_begins_a_new_run_and_says_so(games: int, saved: str):
    lab = LabController(Settings(parse_player("td"), parse_player("td:alpha=0.4"), 7), Autosave())
    lab.session.run.train(games)
    make = page.open_on(lab, None, "epsilon .11")
    assert do(make, "enter") == Leave(Leave(f"A new run with epsilon .11.{saved}"))
    found = lab.session.settings
    assert (str(found.x), str(found.o)) == ("td:epsilon=0.11", "td:alpha=0.4,epsilon=0.11")
    assert found.seed == 7
