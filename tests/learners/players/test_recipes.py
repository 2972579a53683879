"""Every document is a recipe that trains, with its mistakes told."""

from __future__ import annotations

import pytest

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.judge.evaluation import evaluate_memory, expected_result
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.players.recipes import find_recipe, recipes
from afterstate_lab.learners.tape.run import Run, Seat, Seating

NAMES = {
    "two-agents", "sutton-barto", "opengenus", "opengenus-q", "train-compete-play", "menace",
    "menace-article", "menace-code",
}  # fmt: skip
PROVED = {
    "two-agents": (
        "A draw is worth 0, as a loss is", "keeps exploring and learning in its test",
        ".34 .41 .41 .50 (centre) .33 .41 .44 .43",
    ),
    "sutton-barto": (
        "backs up the board before its own move", "the turn is carried over from game to game",
        "a draw stays at .5", "misses wins", "ties go to the last cell", ".00295",
    ),
    "opengenus": (
        "so every chain has length 1", "no value ever rises", "a loss is never seen",
        "four of five updates punish a game that is not over",
        "all but 13 of 19,683 boards start at 1", "that the wins of O do has no effect",
    ),
    "train-compete-play": (
        "It calls a reverse chain TD(0)", "Policies are saved as pickles",
        "a taken cell is asked again without a word; a word or a number above 9 ends the program",
        "X wins all 500 with each of the seeds 0 to 5",
    ),
    "menace-code": (
        "255 of its 916 boxes are of positions that are over", "89 boxes are there twice",
        "Draws change nothing",
    ),
    "menace": ("304 boxes", "22 of the 304"),
}  # fmt: skip
"""What was proved by running the documents' own code, which never changes, and counting boxes."""


def test_all_five_documents_have_recipes_and_no_other_name_is_one():
    assert set(recipes()) == NAMES
    documents = {recipe.document[:3] for recipe in recipes().values()}
    assert documents == {"000", "001", "002", "003", "004"}
    with pytest.raises(UsageError, match="menace-code"):
        find_recipe("manace")


@pytest.mark.parametrize("name", PROVED)
def test_what_was_proved_of_a_document_is_told(name):
    recipe = find_recipe(name)
    told = f"{recipe.wrong} {recipe.figures} {recipe.corrected}"
    assert [sentence for sentence in PROVED[name] if sentence not in told] == []


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_recipe_trains_and_tells_what_was_wrong(name):
    recipe = find_recipe(name)
    run = Run(*recipe.players, 0)
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
