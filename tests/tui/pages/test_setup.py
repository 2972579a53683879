"""The setup: chosen from lists, typed, filled in by a recipe, and clicked."""

from pathlib import Path

import pytest
from reading import press

from afterstate_lab.learners.players.recipes import recipes
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.pages.setup import Row, Setup


@pytest.fixture
def setup() -> Setup:
    td = parse_player("td")
    setup = Setup(Settings(td, td, 0))
    setup.page()
    return setup


def test_the_options_of_the_other_player_are_folded(setup: Setup):
    setup.show_all()
    for field, other in (("X", "O"), ("O", "X")):
        setup.go_to(Row(field))
        options = [row.field for row in setup.rows if row.option]
        assert options == [field] * 11
        setup.page().window.move(-1 if field == "O" else 12)
        assert setup.row == Row(other)
        assert [row.field for row in setup.rows if row.option] == [other] * 11


@pytest.mark.parametrize("name", recipes())
def test_a_recipes_story_stays_while_its_players_are_filled_in(setup: Setup, name: str):
    recipe = recipes()[name]
    press(setup.page, "shift+tab", "right")
    while setup.recipe is not recipe:
        press(setup.page, "right")
        assert setup.row == Row("recipe")
    assert recipe.did in setup.about().paragraphs
    begun = press(setup.page, "enter").answer
    assert (begun.x, begun.o, begun.seed) == (*recipe.players, recipe.seed)


def test_a_choice_is_the_one_that_was_shown_when_its_file_has_gone(setup: Setup, tmp_path: Path):
    file = tmp_path / "one.npz"
    file.touch()
    setup.start_typing(str(file)[0])
    setup.type(str(tmp_path / "on"))
    shown = setup.table()
    file.unlink()
    shown.choose(0)
    assert setup.typed == str(file) and setup.note
