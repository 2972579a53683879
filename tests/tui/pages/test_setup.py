"""The setup: chosen from lists, typed, filled in by a recipe, and clicked."""

from pathlib import Path

import pytest
from reading import lines, press

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.recipes import recipes
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.pages.setup import Row, Setup


@pytest.fixture
def setup() -> Setup:
    td = parse_player("td")
    setup = Setup(Settings(td, td, 0))
    setup.page()
    return setup


def begun(setup: Setup) -> tuple[str, str, int]:
    outcome = press(setup.page, "enter")
    assert isinstance(outcome, Leave)
    return str(outcome.answer.x), str(outcome.answer.o), outcome.answer.seed


def typed(setup: Setup, text: str) -> None:
    """Type, character by character."""
    setup.start_typing(text[0])
    for character in text[1:]:
        setup.type(f"{setup.typed}{character}")


def down(setup: Setup, by: int = 1) -> None:
    setup.page().window.move(by)


def test_the_options_of_the_other_player_are_folded(setup: Setup):
    setup.show_all()
    for field, other in (("X", "O"), ("O", "X")):
        setup.go_to(Row(field))
        options = [row.field for row in setup.rows if row.option]
        assert options == [field] * 11
        down(setup, -1 if field == "O" else 12)
        assert setup.row == Row(other)
        assert [row.field for row in setup.rows if row.option] == [other] * 11


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        ("O", "me", ("td", "menace", 0)),
        ("O", "q:alpha=.5", ("td", "q:alpha=0.5", 0)),
        ("seed", "42", ("td", "td", 42)),
        ("X", "random", ("random", "td", 0)),
        ("X", ":alpha=.3", ("td:alpha=0.3", "td", 0)),
        ("alpha", ".3", ("td:alpha=0.3", "td", 0)),
        ("more", "me", ("menace", "perfect", 0)),
    ],
)
def test_what_is_typed_is_set_up_and_a_name_begun_is_the_first_that_begins_so(
    setup: Setup, field: str, text: str, expected: tuple[str, str, int]
):
    setup.go_to(next(r for r in setup.rows if (r.option.name if r.option else r.field) == field))
    typed(setup, text)
    assert begun(setup) == expected


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("X", "tdd", "unknown player 'tdd'. Did you mean td?"),
        ("X", "td:beauty=1", "beauty"),
        ("X", "td:alpha=7", "alpha"),
        ("seed", "x", "whole number"),
        ("seed", "-1", "whole number"),
    ],
)
def test_a_text_that_is_wrong_begins_nothing_says_why_and_is_left_by_escape(
    setup: Setup, field: str, text: str, said: str
):
    setup.go_to(Row(field))
    typed(setup, text)
    assert said in setup.note
    with pytest.raises(UsageError, match=said.split()[-1].rstrip("?")):
        press(setup.page, "enter")
    assert press(setup.page, "escape") is None
    assert (setup.typed, setup.note) == (None, "")
    assert begun(setup) == ("td", "td", 0)
    assert press(setup.page, "escape") == Leave()


def test_two_people_need_no_learner(setup: Setup):
    for field in ("X", "O"):
        setup.go_to(Row(field))
        typed(setup, "human")
        setup.typed = None
    with pytest.raises(UsageError, match="two people need no learner"):
        press(setup.page, "enter")


@pytest.mark.parametrize("name", recipes())
def test_a_recipes_story_stays_while_its_players_are_filled_in(setup: Setup, name: str):
    recipe = recipes()[name]
    press(setup.page, "shift+tab", "right")
    while setup.recipe is not recipe:
        press(setup.page, "right")
        assert setup.row == Row("recipe")
    assert recipe.did in setup.about().paragraphs
    assert begun(setup) == (*map(str, recipe.players), 0)


def test_a_choice_that_is_clicked_is_taken(setup: Setup):
    setup.show_all()
    setup.go_to(Row("O"))
    setup.table().choose(3)
    assert str(setup.specs["O"]) == "nstep"
    down(setup)
    setup.table().choose(0)
    assert str(setup.specs["O"]) == "nstep:n=1"
    setup.set("3")
    assert str(setup.specs["O"]) == "nstep:n=3"


def test_a_choice_is_the_one_that_was_shown_when_its_file_has_gone(setup: Setup, tmp_path: Path):
    file = tmp_path / "one.npz"
    file.touch()
    typed(setup, str(tmp_path / "on"))
    shown = setup.table()
    file.unlink()
    shown.choose(0)
    assert setup.typed == str(file) and setup.note


@pytest.mark.parametrize("columns", [80, 120])
def test_no_description_of_a_player_is_cut_off(setup: Setup, columns: int):
    shown = "\n".join(lines(setup.page(), columns, 40))
    assert "self-play value iteration" in shown and "…" not in shown
    assert ("one table for both sides" in shown) == (columns == 120)


# on a screen
