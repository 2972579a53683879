"""The setup without a screen: chosen from lists, typed, and filled in by a recipe."""

from __future__ import annotations

import pytest

from learners.players.recipes import recipes
from learners.players.resolve import parse_player
from tui.lab.modes import Settings
from tui.lab.outcomes import Close, Message
from tui.lab.setup import SetupController, SetupRow
from tui.lab.setup_view import about_view, choices_view, form_view


@pytest.fixture
def setup() -> SetupController:
    td = parse_player("td")
    controller = SetupController(Settings(td, td))
    controller.resize(16)
    return controller


def do(setup: SetupController, *commands: str) -> None:
    for command in commands:
        setup.perform(command)


def begun(setup: SetupController) -> tuple[str, str, int]:
    outcome = setup.perform("begin")
    assert isinstance(outcome, Close)
    return str(outcome.answer.x), str(outcome.answer.o), outcome.answer.seed


def test_a_player_is_chosen_with_the_arrows(setup: SetupController):
    do(setup, "other", "more", "more")
    assert begun(setup) == ("td", "mc", 0)


def test_an_option_is_changed_within_its_range_and_told_in_the_spec(setup: SetupController):
    do(setup, "down", "more")
    assert setup.text_of("X") == "td:alpha=0.2"
    do(setup, "less")
    assert setup.text_of("X") == "td"


def test_a_player_that_is_chosen_again_has_its_options_still(setup: SetupController):
    do(setup, "down", "more", "up", "more", "less")
    assert setup.text_of("X") == "td:alpha=0.2"


def test_the_options_of_the_other_player_are_folded_where_there_is_no_room(setup: SetupController):
    assert [row.field for row in setup.rows if row.option] == ["X"] * 11
    do(setup, "other")
    assert setup.row == SetupRow("O")
    assert [row.field for row in setup.rows if row.option] == ["O"] * 11
    setup.resize(26)
    assert setup.row == SetupRow("O")
    assert len(setup.rows) == 26


def test_a_name_begun_stands_for_the_first_that_begins_so(setup: SetupController):
    do(setup, "other")
    setup.start_typing("m")
    setup.type("me")
    assert begun(setup) == ("td", "menace", 0)


def test_what_is_typed_is_completed_as_far_as_it_is_sure(setup: SetupController):
    setup.start_typing("m")
    setup.type("men")
    texts = []
    for _ in range(5):
        do(setup, "other")
        texts.append(setup.typed)
    assert texts == ["menace", "menace:", "menace:beads=", "menace:beads=1", "menace:beads=1,"]


def test_typing_at_an_option_begins_its_value(setup: SetupController):
    do(setup, "down")
    setup.start_typing(".")
    assert setup.typed == "td:alpha=."
    setup.type("td:alpha=.3")
    assert begun(setup) == ("td:alpha=0.3", "td", 0)


def test_a_text_that_is_no_player_begins_nothing(setup: SetupController):
    setup.start_typing("t")
    setup.type("tdd")
    assert setup.note == "there is no player 'tdd' — did you mean td?"
    outcome = setup.perform("begin")
    assert isinstance(outcome, Message)
    assert outcome.text == setup.note == "there is no player 'tdd' — did you mean td?"
    do(setup, "back")
    assert begun(setup) == ("td", "td", 0)


def test_two_people_need_no_learner(setup: SetupController):
    setup.type("human")
    do(setup, "other_back")
    setup.typed = None
    setup.go_to_field("O")
    setup.type("human")
    setup.go_to_field("X")
    setup.typed = None
    setup.type("human")
    outcome = setup.perform("begin")
    assert isinstance(outcome, Message)
    assert outcome.text.startswith("two people need no learner")


def test_the_seed_is_typed_or_counted(setup: SetupController):
    setup.go_to_field("seed")
    do(setup, "more", "more", "less")
    assert setup.seed == "1"
    setup.start_typing("4")
    setup.type("42")
    assert begun(setup) == ("td", "td", 42)
    setup.start_typing("x")
    assert isinstance(setup.perform("begin"), Message)


@pytest.mark.parametrize("name", recipes())
def test_a_recipes_story_stays_while_its_players_are_filled_in(setup: SetupController, name: str):
    recipe = recipes()[name]
    setup.go_to_field("recipe")
    while setup.recipe is not recipe:
        do(setup, "more")
        assert setup.row == SetupRow("recipe")
    view = about_view(setup)
    assert recipe.did in view.paragraphs
    assert str(setup.specs["X"]) == str(recipe.players[0])
    assert str(setup.specs["O"]) == str(recipe.players[1])
    assert begun(setup) == (*map(str, recipe.players), 0)


def test_a_choice_that_is_clicked_is_taken(setup: SetupController):
    setup.go_to_field("O")
    choices_view(setup, 46, 9)
    setup.choose_value(3)
    assert setup.text_of("O") == "nstep"
    setup.choose(2)
    choices_view(setup, 46, 9)
    setup.choose_value(0)
    assert setup.text_of("O") == "nstep:n=1"


def test_the_rows_say_range_and_meaning_where_there_is_room(setup: SetupController):
    assert [column.title for column in form_view(setup, 120).columns] == [
        "option", "value", "range", "meaning",
    ]  # fmt: skip
    assert len(form_view(setup, 35).columns) == 3
