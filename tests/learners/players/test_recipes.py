"""Every document is a recipe that trains, with its mistakes told."""

import pytest
from made import sentences

from afterstate_lab import train
from afterstate_lab.learners.judge.evaluation import evaluate_memory, expected_result
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.players.resolve import find_recipe, recipes
from afterstate_lab.learners.tape.run import Run, Seat, Seating


def test_menace_is_shown_alive_and_its_text_tells_of_its_death():
    recipe = find_recipe("menace")
    for seed, lost, drawn in ((recipe.seed, 26, 194), (0, 217, 3)):
        run = train(recipe.x, recipe.o, recipe.games, seed=seed).run
        assert run.tally[1:4].tolist() == [0, lost, drawn]
    assert "draws 194 of the 220 games; --seed 0 dies and loses 217" in recipe.corrected


def test_all_five_documents_have_recipes_with_a_story_and_no_other_name_is_one():
    documents = [recipe.document[:3] for recipe in recipes().values()]
    assert documents == ["000", "001", "002", "002", "003", "004", "004", "004"]
    for recipe in recipes().values():
        assert all((recipe.title, recipe.did, recipe.wrong, recipe.corrected, recipe.games))


def test_what_was_proved_of_a_document_is_told():
    for name, sentence in sentences("learners/players/proved.txt"):
        recipe = find_recipe(name)
        assert sentence in f"{recipe.wrong} {recipe.figures} {recipe.corrected}", name


def test_two_agents_is_the_notebook_s_setting():
    x, o = find_recipe("two-agents").players
    wanted = {"alpha": 0.3, "epsilon": ("constant", (0.1,)), "draw": 0.0}
    assert x == o
    assert wanted | {"plies": "all", "exploration": "learn"} == {
        key: x.settings[key] for key in (*wanted, "plies", "exploration")
    }


@pytest.mark.slow
def test_x_of_train_compete_play_wins_all_500_and_o_is_beatable_all_the_same():
    recipe = find_recipe("train-compete-play")
    for seed in range(6):
        run = Run(*recipe.players, seed)
        run.train(recipe.games)
        match = run.fork(run.games)
        match.seat(Seating(Seat.FROZEN, Seat.FROZEN))
        match.train(recipe.compete)
        assert (match.tally[1:4] - run.tally[1:4]).tolist() == [500, 0, 0]
        assert expected_result(run.layout, run.memory).win == 1.0
        assert [one[BEATABLE] for one in evaluate_memory(run.layout, run.memory)] == [False, True]
