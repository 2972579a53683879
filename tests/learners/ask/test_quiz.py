"""A quiz: every answer is on the tape, and guesses earn what chance gives."""

import pytest

from afterstate_lab.learners.ask.questions import QuizAnswers, QuizKind, predicted, quiz
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.trace import trace_games

LEARNERS = [name for name, rule in rules().items() if rule.learns]
EACH = 100 // len(LEARNERS) + 1
GAMES = 300


@pytest.fixture(scope="module")
def asked(trained):
    """At least a hundred questions over all learners, each with its run."""
    runs = {name: trained(name, name, GAMES, 2) for name in LEARNERS}
    return [(run, question) for run in runs.values() for question in quiz(run, EACH, 4)]


def label(event):
    cell = event["cell"]
    return event["board"] if cell is None else f"{event['board']}@{cell}"


def backups_until_next_move(events, row, player):
    found = []
    for event in events[row + 1 :]:
        if event["kind"] == "move":
            break
        if event["kind"] == "backup" and event["player"] == player:
            found.append(event)
    return found


def target_of(rule, events, row):
    """The target of Q-learning or Sarsa by their equations, from what the mover's values were."""
    backup = events[row]
    moves = [e for e in events[:row] if e["kind"] == "move" and e["player"] == backup["player"]]
    worth, cell = moves[-1]["values"], str(moves[-1]["cell"])
    return max(worth.values()) if rule == "Q-learning" else worth[cell]


def oracle(run, question):
    """The answer, from the trace alone: a number, or the texts of the right choices."""
    game = question.place.game
    events = list(trace_games(run, game, game + 1))
    row = question.place.row
    here = events[row]
    match question.kind:
        case QuizKind.WAY:
            up, down = here["new"] > here["old"], here["new"] < here["old"]
            return {"up" if up else "down" if down else "the same"}
        case QuizKind.VALUE:
            return here["new"]
        case QuizKind.LEARNS:
            return {"yes" if backups_until_next_move(events, row, here["player"]) else "no"}
        case QuizKind.ENTRY:
            return {label(backups_until_next_move(events, row, question.player)[0])}
        case QuizKind.GREEDY:
            best = max(here["values"].values())
            return {cell for cell, value in here["values"].items() if value == best}
        case QuizKind.TARGET:
            name = "Q-learning" if "Q-learning" in question.prompt else "Sarsa"
            return target_of(name, events, row)


@pytest.mark.slow
def test_an_oracle_that_replays_the_trace_answers_a_hundred_of_a_hundred(asked):
    assert len(asked) >= 100
    for run, question in asked:
        answer = oracle(run, question)
        if question.is_number:
            assert question.score(answer) == 1.0
            assert answer == pytest.approx(question.number, abs=1e-12)
        else:
            assert {question.choices[place] for place in question.right} == answer
            assert all(question.score(place) == 1.0 for place in question.right)


@pytest.mark.slow
def test_every_kind_is_asked_and_all_but_two_rules_of_every_learner(asked):
    common = set(QuizKind) - {QuizKind.TARGET}
    for name in LEARNERS:
        kinds = {q.kind for run, q in asked if run.x.rule.name == name}
        pairs = {QuizKind.TARGET} if name in ("q", "sarsa", "expected-sarsa") else set()
        assert kinds == common | pairs, name


@pytest.mark.slow
def test_guesses_earn_what_chance_gives(asked):
    """Choices are counted; guesses on the line lie on a fine grid, so its mean is the integral."""
    for _, question in asked:
        if question.is_number:
            low, high = question.scale
            grid = [low + (high - low) * (k + 0.5) / 4_000 for k in range(4_000)]
        else:
            grid = range(len(question.choices))
        mean = sum(map(question.score, grid)) / len(grid)
        assert question.chance == pytest.approx(mean, abs=2e-3)


@pytest.mark.slow
def test_what_is_known_earns_nothing_and_half_the_way_a_half(asked):
    """The old value, or the other rule's target, unless the two rules agree."""
    for _, question in asked:
        if question.is_number and question.number != question.start:
            assert question.score(question.start) == 0.0
            half = (question.start + question.number) / 2
            is_bead = question.step == 1.0 and abs(question.number - question.start) == 1.0
            assert question.score(half) == (1.0 if is_bead else pytest.approx(0.5))
            assert question.score(question.number + question.step / 2) == 1.0
        assert question.kind is not QuizKind.VALUE or question.number != question.start


@pytest.mark.parametrize(
    ("text", "scored"),
    [(".5502", (True, True)), (".6", (False, True)), (".4", (False, False)), ("+", (False, True)),
     ("−", (False, False)), ("=", (False, False)), ("nan", None), ("up", None), ("", None)],
)  # fmt: skip
def test_a_prediction_is_scored_by_its_number_or_its_way(text, scored):
    assert predicted(text, 0.5, 0.55) == scored


@pytest.mark.slow
def test_a_streak_counts_right_answers_alone(asked):
    number = next(question for _, question in asked if question.kind is QuizKind.VALUE)
    answers = QuizAnswers([number] * 4)
    for given in (number.number, number.number, (number.start + number.number) / 2, number.number):
        answers.take(given)
    assert (answers.streak, answers.best_streak, answers.score) == (1, 2, pytest.approx(3.5))
