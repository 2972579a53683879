"""What an independent check found once (issue 23) and no other test holds: it must stay mended."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab import train
from afterstate_lab.learners.ask.be import Hand
from afterstate_lab.learners.ask.why import chain, last_write
from afterstate_lab.learners.engine.backups import backup
from afterstate_lab.learners.grading.grade import Property, grade, report
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.rules.state_values import TemporalDifference
from afterstate_lab.learners.tape.recording import Move, TapePosition
from afterstate_lab.tui.theme.numerals import percents

TD = parse_player("td")


class AfterTheGame(TemporalDifference):
    """TD(0) that makes all its backups after the game, in the same order."""

    after_step = Rule.after_step

    def after_game(v, tape, me, steps, greedy, t, over, game):
        for s in range(1, t + 1):
            if greedy[s]:
                backup(v, tape, me, steps[s - 1], steps[s], 0.0, me.alpha)


def test_two_rules_are_compared_only_where_a_move_is_made_next():  # 12
    run = train("q", "sarsa", 100, 2).run
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


def test_the_same_values_in_another_order_differ_and_it_is_said_that_order_counts():  # 13
    found = grade(PlayerSpec(AfterTheGame), TD, games=60, seeds=2)
    assert {each for each in found.properties if not found.holds(each)} == {Property.ENTRIES}
    assert found.holds(Property.SAME_TABLE) and found.first is not None
    last = report(found)["properties"][-1]
    assert (last["name"], last["holds"]) == ("same-table", True)


@pytest.mark.parametrize(
    ("rule", "against", "is_the_end"),
    [("mc", "chain", False), ("chain", "mc", True), ("td:draw=0.2", "td", True)],
)
def test_what_the_end_is_worth_is_said_only_of_that_target(rule, against, is_the_end):  # 13
    told = report(grade(parse_player(rule), parse_player(against), games=40, seeds=1))["first"]
    assert told["kind"] == "target"
    assert (" that is worth " in told["hint"]) is is_the_end


@pytest.mark.slow
def test_the_chain_of_a_colour_ends_with_the_refill_that_its_beads_came_from():  # 17
    run = train("menace", "menace:beads=1,empty=refill", 150, 5).run
    table, end = run.layout.o, TapePosition(150, -1)
    written = table.base + np.flatnonzero(table.visits(run.memory)[0])
    chains = [chain(run, last_write(run, int(entry), end), limit=100) for entry in written]
    ended = [links for links in chains if any(link.is_refill for link in links)]
    assert len(ended) > 3
    for links in ended:
        assert [link.is_refill for link in links] == [False] * (len(links) - 1) + [True]
        assert links[-1].reads == {}


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=5).filter(any), st.integers(0, 2))
def test_shares_of_a_whole_sum_to_a_hundred(counts, places):  # 18
    exact = [100 * count / sum(counts) for count in counts]
    parts = percents([part / 100 for part in exact], places)
    assert round(sum(parts), places) == 100
    assert max(abs(a - b) for a, b in zip(parts, exact, strict=True)) <= 10**-places


@pytest.mark.slow
def test_the_library_trains_many_games_compiled_as_the_command_does(monkeypatch):  # 19
    pytest.importorskip("numba")
    monkeypatch.delenv("AFTERSTATE_INTERPRETED")
    train(games=5_000)  # makes the machine code, if this is the first time
    assert train(games=100_000).run.kernel().is_compiled
