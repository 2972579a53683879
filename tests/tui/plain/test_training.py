"""Training by ear: a few short lines, and what changed, exactly."""

from __future__ import annotations

import re

import pytest

from learners.judge.evaluation import evaluate_memory
from learners.judge.figures import OPTIMAL, WIN
from learners.players.resolve import parse_player
from learners.tape.run import Run
from tui.blocks.speech import figure
from tui.lab.modes import Mode
from tui.plain.dialogue import Dialogue, seated_run
from tui.plain.long_work import SAY_SECONDS, ProgressReporter


def test_training_says_that_it_begins_and_ends_with_what_changed():
    told: list[str] = []
    run = seated_run(parse_player("human"), parse_player("td"), 0)
    dialogue = Dialogue(run, tell=told.append)
    dialogue.begin()
    ended = dialogue.answer("t 500")
    assert told[0] == "Training 500 games; Ctrl-C stops it and keeps what was learned."
    straight = Run(parse_player("td"), parse_player("td"), 0)
    straight.train(500)
    assert dialogue.session.run.memory.tobytes() == straight.memory.tobytes()
    won_x, won_o, drawn = straight.tally[1:4].tolist()
    assert re.fullmatch(
        rf"Trained 500 games in [\d.]+ seconds: X won {won_x}, {drawn} draws, O won {won_o}\.",
        ended[0],
    )
    assert [line[0] for line in ended[1:]] == ["X", "X", "A", "O", "O", "A"]
    assert re.fullmatch(r"X decides 1,\d{3} of 2,423 positions rightly, 1,\d{3} before\.", ended[2])
    assert dialogue.prompt == "n for a new game, h for help: "
    assert dialogue.answer("n")[0] == "Game 501. You are X."


@pytest.mark.parametrize(("text", "games"), [("200", 200), ("1,000", 1000), ("1k", 1000)])
def test_a_number_of_games_is_said_in_several_ways(sit, text: str, games: int):
    dialogue = sit()
    dialogue.answer(f"train {text}")
    assert dialogue.session.run.games == games


@pytest.mark.slow
def test_until_unbeatable_ends_when_neither_can_be_beaten(sit):
    dialogue = sit(o="negamax")
    told = dialogue.answer("train until unbeatable")
    assert "Neither can be beaten now." in told
    assert "X cannot be beaten." in dialogue.answer("stats")
    assert "O cannot be beaten." in dialogue.answer("stats")


@pytest.mark.parametrize("text", ["", "many", "-5", "0", "1e6", "9" * 300, "until the cows", "٣"])
def test_a_wrong_length_is_one_sentence(sit, text: str):
    dialogue = sit()
    told = dialogue.answer(f"train {text}")
    assert len(told) == 1
    assert told[0].endswith("train 20000 or train until unbeatable trains the two learners.")
    assert dialogue.session.run.games == 0
    assert dialogue.session.mode is Mode.PLAY


def test_a_game_that_training_drops_is_told():
    run = seated_run(parse_player("human"), parse_player("td"), 0)
    dialogue = Dialogue(run)
    dialogue.begin()
    dialogue.answer("5")
    assert dialogue.answer("t 10")[-1] == "Your game was dropped."


def test_training_while_stepping_stays_there(lab):
    dialogue = lab("td", "td", train=10)
    dialogue.answer("t 10")
    assert dialogue.session.mode is Mode.STEP
    assert dialogue.answer("where")[1].startswith("Game 20 of 20, ")


def test_where_nobody_learns_there_is_nothing_to_train(lab):
    dialogue = lab("random", "perfect")
    assert dialogue.answer("t 10") == ["Neither player learns, so there is nothing to train."]


def test_stats_are_the_exact_verdicts(lab):
    dialogue = lab("td", "random", train=200)
    dialogue.answer("go last")
    evaluation = evaluate_memory(dialogue.session.run.layout, dialogue.session.timeline.v)[0]
    told = dialogue.answer("stats")
    right, of = evaluation[OPTIMAL]
    assert f"X decides {right:,} of {of:,} positions rightly." in told
    assert any(f"wins {figure(evaluation[WIN])}, " in line for line in told)
    assert told[-1] == "O is random, which does not learn."


def test_stats_of_an_earlier_place_are_of_what_was_known_there(lab):
    dialogue = lab("td", "td", train=300)
    dialogue.answer("go 1")
    told = dialogue.answer("stats")
    assert told[0] == "In game 1 of 300, at this place."
    assert "X has written 0 of 2,097 values." in told


def test_a_line_is_said_every_few_seconds_at_most():
    told: list[str] = []
    now = [0.0]
    reporter = ProgressReporter(told.append, clock=lambda: now[0])
    for tenth in range(int(3 * SAY_SECONDS * 10) + 1):
        now[0] = tenth / 10
        reporter.say(lambda: f"at {now[0]}")
    assert told == [f"at {SAY_SECONDS * many}" for many in (1, 2, 3)]
