"""Questions: a hand that reads the trace answers all of them."""

import pytest
from made import LEARNERS, own_rule, run_of

from afterstate_lab.game import Board, space
from afterstate_lab.learners.ask.be import ByHand, Hand, Predictions, written
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.recording import Move
from afterstate_lab.learners.tape.run import Run, trace_games

OPTIONS = (
    "td:step=1/n", "td:decay=.9,every=5", "chain:plies=all", "mc:exploration=forget", "td:draw=0",
    "td:symmetry=on", "nstep:n=4", "double-q:gamma=.9", "menace:empty=refill", "q:win=2,loss=-1",
    "tdlambda:traces=dutch", "museum:draw-as-loss",
)  # fmt: skip


class TraceHand:
    """Answers from the trace alone; of the questions it reads the event, the names and the
    choices."""

    def __init__(self, run, game):
        self.events, self.spec = list(trace_games(run, game, game + 1)), str(run.x)

    def backups(self, question):
        player, moves = question.player, [e for e in self.events if e["kind"] == "move"]
        last = max(n for n, e in enumerate(self.events) if e["kind"] == "move" and
                   e["ply"] == question.ply)  # fmt: skip
        assert moves[question.ply - 1] is self.events[last]
        found = []
        for event in self.events[last + 1 :]:
            if event["kind"] == "move":
                break
            if event["kind"] == "backup" and event["player"] == player:
                found.append(event)
        if self.spec.startswith("menace"):  # the first of a box; others fill it anew
            boards = [e["board"] for e in found]
            found = [e for n, e in enumerate(found) if e["board"] not in boards[:n]]
        return found

    def named(self, question, backup):
        for shown in question.boards:
            here, there = (Board.parse(one).id for one in (shown.cells, backup["board"]))
            is_same = space().canonical[here] == space().canonical[there]
            if is_same and (shown.placed is None) == (backup["cell"] is None):
                name = f"({shown.name})"
                if backup["rule"].startswith("menace"):
                    return shown.name
                return f"{'V' if backup['cell'] is None else 'Q'}{name}"
        raise AssertionError(backup)

    def answer(self, question):
        """The number, or the text of the right choice."""
        made, event = self.backups(question), self.events[question.place.row]
        match question.kind:
            case "greedy":
                best = max(event["values"].values())
                cells = [cell for cell, value in event["values"].items() if value == best]
                return f"cell{'s' * (len(cells) > 1)} {' '.join(cells)}"
            case "entry":
                order = [shown.name for shown in question.boards]
                names = {self.named(question, one) for one in made}
                return ", ".join(sorted(names, key=lambda name: order.index(
                    name.split("(")[-1].rstrip(")")))) or "none"  # fmt: skip
            case "target" if self.spec.startswith("tdlambda"):
                return made[0]["target"] - made[0]["old"]
            case "target" if self.spec.startswith("menace"):
                result = self.events[-1]["result"]
                lost, drawn, won = (-1, 0, 1) if "article" in self.spec else (-1, 1, 3)
                return drawn if result == "draw" else won if result == question.player else lost
            case "target":
                return event["target"]
            case "value":
                return event["new"]

    def given(self, question):
        """The answer as the number of a choice, or as the number itself."""
        answer = self.answer(question)
        if question.is_number:
            return answer
        if isinstance(answer, str):
            return float(question.choices.index(answer))
        numbers = [float(choice.replace("−", "-")) for choice in question.choices]
        return float(min(range(len(numbers)), key=lambda n: abs(numbers[n] - answer)))


def played(spec, seed):
    by_hand = ByHand(parse_player(spec), seed)
    game = by_hand.questions[0].place.game
    run = Run(by_hand.spec, by_hand.spec, seed)
    run.train(game + 1)
    hand = TraceHand(run, game)
    return by_hand, [hand.given(question) for question in by_hand.questions]


def check(spec, seed):
    by_hand, answers = played(spec, seed)
    by_hand.given[:] = answers
    right, asked = by_hand.result(), by_hand.questions
    assert right["score"] == right["of"] > 0 and right["first_wrong"] is None, (spec, seed)
    (typed,) = [question for question in asked if question.is_number]
    assert all(len(q.choices) in range(2, 10) for q in asked if q is not typed)
    for n, question in enumerate(asked):
        wrong = answers[n] + 1 if question is typed else (answers[n] + 1) % len(question.choices)
        by_hand.given[:] = [*answers[:n], wrong, *answers[n + 1 :]]
        told = by_hand.result()
        first = told["first_wrong"]
        place = n + 1, question.place.row + 1, question.ply, question.kind
        assert (first["n"], first["event"], first["ply"], first["kind"]) == place
        assert told["score"] == told["of"] - 1
    return len(asked) + len(f"{typed.right:.3f}".lstrip("0"))


@pytest.mark.quick("td", "tdlambda", "menace")
@pytest.mark.parametrize("spec", LEARNERS)
def test_a_perfect_hand_is_right_and_each_wrong_answer_is_named_at_its_event(spec):
    assert check(spec, 1) <= (36 if spec in ("tdlambda", "negamax") else 25)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*LEARNERS, *OPTIONS])
def test_the_hand_is_right_in_fifty_games(spec):
    run = run_of(spec, games=150, seed=3)
    for game in range(100, 150):
        hand = TraceHand(run, game)
        for question in Hand(run, game, "XO"[game % 2], run.record(game, game + 1)).questions():
            assert question.is_right(hand.given(question)), (spec, game, question)


def test_what_is_unfinished_scores_only_what_was_answered():
    by_hand, answers = played("td", 2)
    for answer in answers[:3]:
        by_hand.take(answer)
    told = by_hand.result()
    assert told["first_wrong"] is None
    assert 0 < told["score"] < told["of"]


def test_a_rule_of_your_own_is_asked_by_its_events(tmp_path):
    hook = """
        def after_game(v, tape, me, steps, greedy, t, over, game):
            for k in range(t):
                backup(v, tape, me, steps[k], steps[t], 0.0, me.alpha / 2)
    """
    check(own_rule(tmp_path, hook), 0)
    (tmp_path / "idle").mkdir()
    idle = own_rule(tmp_path / "idle", hook.replace("range(t)", "range(0)"))
    with pytest.raises(UsageError, match="changes no value in 20 games"):
        ByHand(parse_player(idle), 0)


@pytest.mark.parametrize("spec", ["q", "sarsa"])
def test_a_target_has_that_of_the_other_rule_beside_it(spec):
    by_hand, _ = played(spec, 1)
    asked = [q for q in by_hand.questions if q.kind == "target" and "Q of" in str(q.facts)]
    for question in asked:
        facts = dict(question.facts)
        now = [float(one.split(": ")[1]) for one in facts["Q of its moves now"].split(", ")]
        both = max(now), dict(question.boards[-1].values)[f"Q({question.boards[-1].name})"]
        assert {written(one) for one in both} <= set(question.choices)
    assert asked


@pytest.mark.parametrize(
    ("text", "said"),
    [(".5502", "right"), (".6", "the right way"), (".4", "the other way"), ("+", "the right way"),
     ("−", "the other way"), ("=", "the other way"), ("nan", None), ("up", None), ("", None)],
)  # fmt: skip
def test_a_prediction_is_a_question_of_a_number_or_its_way(text, said):
    told = Predictions().judge(text, 0.5, 0.55)
    way = int(said != "the other way")
    assert told == (said and f"{said}: 0.500 becomes 0.550. So far {way} of 1.")


def test_a_move_that_teaches_nothing_says_that_it_was_exploratory():
    told = [one.why for one in ByHand(parse_player("td"), 0).questions]
    assert "none: exploratory." in told


def test_two_rules_are_compared_only_where_a_move_is_made_next():
    run = run_of("q", "sarsa", 100, 2)
    hands = (Hand(run, game, "XO"[game % 2], run.record(game, game + 1)) for game in range(40))
    asked = [one for hand in hands for one in hand.questions() if one.kind == "target"]
    assert asked
    for question in asked:
        events = run.record(question.place.game, question.place.game + 1).events()
        learner = events[question.place.row].player
        moves = [e for e in events[: question.place.row] if isinstance(e, Move)]
        own = [move for move in moves if move.player == learner]
        assert question.boards[-1].placed == own[-1].cell
        is_next = len(own) > 1 and moves[-1] is own[-1]
        assert ("Q of its moves now" in dict(question.facts)) == is_next
