"""The setup: chosen from lists, typed and clicked; recipes in the palette."""

from pathlib import Path

import pytest
from piloting import at

from afterstate_lab.learners.players.resolve import parse_player, recipes
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.pages.setup import Setup


@pytest.fixture
def setup() -> Setup:
    td = parse_player("td")
    setup = Setup(LabController(Settings(td, td, 0)), Settings(td, td, 0))
    setup.page()
    return setup


@pytest.mark.parametrize("name", rules())
def test_every_value_offered_is_the_options_and_one_on_and_one_back_is_the_same(setup, name):
    setup.set(name)
    setup.show_all()
    for number, row in enumerate(row for row in setup.rows if row.field == "X"):
        setup.list.cursor = number
        before, (offered, at) = setup.text(row), setup.choices()
        texts = [text for text, _ in offered]
        assert (texts[at], len(set(texts))) == (before, len(texts))
        for text in texts if row.option else ():
            setup.set(text)
            assert setup.text(row) == text
            setup.change(1)
            setup.change(-1)
            assert setup.text(row) == text
        setup.set(before)


@pytest.mark.quick("menace")
@pytest.mark.parametrize("name", recipes())
async def test_a_recipes_story_stands_below_it_in_the_palette(lab, name: str):
    recipe = recipes()[name]
    async with at(lab()) as desk:
        await desk.feed(f":recipe {name}")
        entry = desk.state.found[0]
        assert all(text in entry.more for text in (recipe.did, recipe.wrong, recipe.corrected))
        await desk.finish("Enter")
        begun = desk.session.settings
        assert (begun.x, begun.o, begun.seed) == (*recipe.players, recipe.seed or 7)


async def test_a_rule_of_ones_own_comes_first_with_its_name_whole(lab, tmp_path: Path):
    """Its options in the setup and in `:`, its class in the top line, its side in Step."""
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    (tmp_path / "my_rule.py").write_text(readme.split("```python\n")[1].split("```")[0])
    for x, o in (("", "td"), ("td", "")):
        own = f"{tmp_path / 'my_rule.py'}:Optimist"
        async with at(lab(x or own, o or own)) as desk:
            side = "O" if x else "X"
            await desk.finish("s")
            assert desk.event.player == side
            assert f"{side} Optimist" in desk.text
            await desk.finish("w . .")
            assert f"{side} Optimist" in desk.text
            await desk.feed(":caution")
            assert desk.state.found[0].name == f"caution of {side}"
            await desk.finish("Enter")
            options = [
                row.option.name for row in desk.state.rows if row.field == side and row.option
            ]
            assert options == ["caution", "alpha", "epsilon"]
