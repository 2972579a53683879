"""Grading: what is right is the same, and a mistake is found where it was planted."""

from functools import cache, partial
from typing import Any

import pytest
from made import LEARNERS

from afterstate_lab.learners.ask.what_if import EventDifference
from afterstate_lab.learners.engine.backups import backup, step_size, write
from afterstate_lab.learners.engine.play import GAME
from afterstate_lab.learners.grading.grade import Property, grade
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.museum import PIECES, story
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.rules.td import TemporalDifference
from afterstate_lab.learners.tape.run import Run, trace

GAMES = 60


@cache
def events():
    """What td does on seed 0, as `afterstate trace` tells it."""
    player = parse_player("td")
    return list(trace(Run(player, player, 0), GAMES))


def result_of(game):
    return next(e for e in events() if e["kind"] == "outcome" and e["game"] == game)


def backups():
    return (event for event in events() if event["kind"] == "backup")


def is_end(event):
    return event["ply"] == result_of(event["game"])["plies"]


def mover(event):
    return "XO"[(event["ply"] + 1) % 2]


# Mistakes: how each is planted, and where the trace of the reference says that it must show first.


def wrapping(planted):
    """The hooks of a rule that learn are called by a function, which is given each."""

    def wrap(rule):
        hooks = {name: vars(rule).get(name) for name in ("after_step", "after_game")}
        return {name: partial(planted, getattr(rule, name)) for name, own in hooks.items() if own}

    return wrap


def skipping(when):
    """Learns nothing `when` so."""

    def planted(hook, v, tape, me, steps, greedy, t, over, game):
        if not when(me, over, game):
            hook(v, tape, me, steps, greedy, t, over, game)

    return wrapping(planted)


def twice(hook, *event):
    hook(*event)
    hook(*event)


def writes_the_end(rule):
    hook = rule.after_game

    def planted(v, tape, me, steps, greedy, t, over, game):
        hook(v, tape, me, steps, greedy, t, over, game)
        backup(v, tape, me, steps[t], 0.3, step_size(v, me, steps[t]))

    return {"after_game": planted}


def win_is_less(rule):
    return {"rewards": classmethod(lambda cls, settings: (0.9, 0.5, 0.0))}


def first(of, when):
    return lambda: next(event for event in of() if when(event))


def first_tie_elsewhere():
    for event in events():
        if event["kind"] == "move" and event["dice"]["explore"] >= 0.1:
            values = event["values"]
            if str(event["cell"]) != max(values, key=values.__getitem__):
                return event
    raise AssertionError


def first_other_draw():
    """The first move that ε = .3 draws at random and ε = .1 does not, where that is another one."""
    for event in events():
        if event["kind"] == "move" and 0.1 <= event["dice"]["explore"] < 0.3:
            cells = list(event["values"])
            if cells[int(event["dice"]["pick"] * len(cells))] != str(event["cell"]):
                return event
    raise AssertionError


D = EventDifference
MISTAKES: dict[str, tuple[Any, Any, set[EventDifference]]] = {
    "half the step": (
        "td:alpha=.05", first(backups, lambda e: e["new"] != e["old"]), {D.STEP},
    ),
    "epsilon .3": ("td:epsilon=.3", first_other_draw, {D.CHOICE}),
    "a draw is a loss": (
        "museum:draw-as-loss",
        first(backups, lambda e: is_end(e) and result_of(e["game"])["result"] == "draw"),
        {D.TARGET},
    ),
    "a win is .9": (
        win_is_less, first(backups, lambda e: e["target"] == 1.0), {D.TARGET},
    ),
    "first cell": ("museum:first-cell", first_tie_elsewhere, {D.CHOICE}),
    "every backup twice": (wrapping(twice), lambda: next(backups()), {D.EXTRA}),
    "the end is written": (writes_the_end, lambda: result_of(0), {D.EXTRA}),
    "O learns nothing": (
        skipping(lambda me, over, game: me.side),
        first(backups, lambda e: e["player"] == "O"), {D.MISSING},
    ),
    "gives up at game 8": (
        skipping(lambda me, over, game: game.clock[GAME] >= 7),
        first(backups, lambda e: e["game"] >= 7), {D.MISSING},
    ),
    "no learning from the other's end": (
        "museum:no-losses",
        first(backups, lambda e: is_end(e) and e["player"] != mover(e)), {D.MISSING},
    ),
    "learns from exploring": (
        "museum:learns-from-exploring", first(events, lambda e: e["kind"] == "no-backup"),
        {D.EXTRA, D.TARGET},
    ),
}  # fmt: skip


def plant(mistake):
    player = parse_player(mistake if isinstance(mistake, str) else "td")
    if isinstance(mistake, str):
        return player
    rule = type("Planted", (player.rule,), mistake(player.rule))
    return PlayerSpec(rule, player.given)


@pytest.mark.quick("double-q", "tdlambda")
@pytest.mark.parametrize("name", LEARNERS)
def test_every_rule_is_the_same_as_itself(name):
    found = grade(parse_player(name), parse_player(name), games=GAMES, seeds=1, ulps=0)
    assert found.is_same
    assert found.score == found.most
    assert found.ulps == 0.0


@pytest.mark.quick("half the step", "first cell", "the end is written", "O learns nothing")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_shows_first_where_it_was_planted(mistake):
    planted, expected, kinds = MISTAKES[mistake]
    found = grade(plant(planted), parse_player("td"), games=GAMES, seeds=1)
    event = expected()
    assert found.first is not None and found.first.pair is not None
    place = found.first.place
    assert (place.game, place.ply) == (event["game"] + 1, event["ply"])
    assert found.first.pair.difference in kinds
    assert found.score < found.most


def test_other_initial_values_show_before_the_first_game():
    found = grade(plant("td:initial=.4"), parse_player("td"), games=3, seeds=1)
    assert found.first is not None and found.first.pair is None
    assert found.first.initial[1:] == (0.5, 0.4)
    assert failing(found) == {Property.INITIAL}


class OtherOrder(TemporalDifference):
    """TD(0) that takes the mean of the old value and the target."""

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if greedy[t]:
            s, target = steps[t - 1], v[steps[t]]
            new = (1.0 - me.alpha) * v[s] + me.alpha * target
            write(v, tape, me, s, target, me.alpha, 1.0, new)


def test_a_sum_in_another_order_is_the_same_within_units_in_the_last_place():
    td = parse_player("td")
    found = grade(PlayerSpec(OtherOrder), td, games=GAMES, seeds=2)
    assert found.is_same
    assert 0.0 < found.ulps <= 2.0
    strict = grade(PlayerSpec(OtherOrder), td, games=GAMES, seeds=2, ulps=0)
    assert strict.first is not None and strict.first.pair is not None
    assert strict.first.pair.difference is EventDifference.NEW
    assert failing(strict) == {Property.NEW, Property.SAME_TABLE}


def failing(found):
    return {which for which in found.properties if not found.holds(which)}


P = Property
BITES = {
    "draw-as-loss": {P.TARGET},
    "missed-wins": {P.CHOICE, P.EXPLORATORY, P.OWN_END, P.TARGET},
    "before-own-move": {P.OWN_END, P.OTHERS_END, P.ENTRIES},
    "no-losses": {P.OTHERS_END},
    "born-winners": {P.INITIAL},
    "before-the-answer": {P.OWN_END, P.OTHERS_END, P.ENTRIES, P.TARGET, P.STEP, P.NEW},
    "draws-teach-nothing": {P.OWN_END, P.OTHERS_END},
    "reverse-chain": {P.ENTRIES},
    "learns-from-exploring": {P.EXPLORATORY},
    "first-cell": {P.CHOICE},
    "vanishing-step": {P.STEP},
    "lost-copy": {
        *(P.EXPLORATORY, P.OWN_END, P.OTHERS_END, P.ENTRIES, P.TERMINAL),
        *(P.TARGET, P.STEP, P.NEW),
    },
    "next-move-counts": {P.EXPLORATORY},
    "value-of-the-end": {P.TARGET},
}
"""The properties that each piece of the museum does not have; it has all others."""


@pytest.mark.quick("vanishing-step")
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_of_the_museum_lacks_what_its_mistake_breaks_and_nothing_else(name):
    found = grade(parse_player(f"museum:{name}"), parse_player("td"), games=100, seeds=2)
    assert not found.is_same
    learns_otherwise = BITES[name] - {P.CHOICE, P.INITIAL}
    assert failing(found) == BITES[name] | ({P.SAME_TABLE} if learns_otherwise else set())
    assert len(story(name)) >= 3
