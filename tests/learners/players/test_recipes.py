"""Every document is a recipe that trains, with its mistakes told."""

from __future__ import annotations

import pytest

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.recipes import find_recipe, recipes
from afterstate_lab.learners.tape.run import Run

NAMES = {
    "two-agents", "sutton-barto", "opengenus", "opengenus-q", "train-compete-play", "menace",
    "menace-article", "menace-code",
}  # fmt: skip


def test_all_five_documents_have_recipes_and_no_other_name_is_one():
    assert set(recipes()) == NAMES
    documents = {recipe.document[:3] for recipe in recipes().values()}
    assert documents == {"000", "001", "002", "003", "004"}
    with pytest.raises(UsageError, match="menace-code"):
        find_recipe("manace")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_recipe_trains_and_tells_what_was_wrong(name):
    recipe = find_recipe(name)
    x, o = recipe.players
    run = Run(x, o, 0)
    run.train(50)
    assert run.games == 50
    assert recipe.games > 0
    assert all((recipe.did, recipe.wrong, recipe.corrected, recipe.title))


def test_two_agents_is_the_notebook_s_setting():
    x, o = find_recipe("two-agents").players
    wanted = {"alpha": 0.3, "epsilon": ("constant", (0.1,)), "draw": 0.0}
    assert x == o
    assert wanted | {"plies": "all", "exploration": "learn"} == {
        key: x.settings[key] for key in (*wanted, "plies", "exploration")
    }


def test_sutton_barto_s_step_size_falls_as_the_notebook_s():
    """The notebook ends at .002951479...: .5 x .8^23, after 100,000 games."""
    alpha = 0.5
    for _ in range(23):
        alpha *= 0.8
    assert alpha == pytest.approx(0.002951479051793532, rel=1e-12)
    x, _ = find_recipe("sutton-barto").players
    assert (x.settings["alpha"], x.settings["decay"], x.settings["every"]) == (0.5, 0.8, 10_000)
