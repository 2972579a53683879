"""Two games in lockstep: at one place, at one phase, and from difference to difference."""

import pytest
from reading import do, lines

from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.grading.grade import grade
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.cli.grade import summary_of
from afterstate_lab.tui.lab.microscope.equation import Equation
from afterstate_lab.tui.lab.session import WhatIfSummary
from afterstate_lab.tui.pages.what_if import BothGames, pair_line


def graded(name: str) -> BothGames:
    found = grade(parse_player(name), parse_player("td"), games=60, seeds=1, is_brief=True)
    return BothGames(summary_of(found))


def shown(games: BothGames, which: int) -> tuple[Equation, SmallBoard]:
    """The update and the board of one of both games."""
    return games._game(which).parts


def test_it_begins_on_the_first_difference_with_the_numbers_of_both():
    lockstep = graded("museum:draw-as-loss")
    (one, _), (other, _) = shown(lockstep, 0), shown(lockstep, 1)
    assert lockstep.phase == WRITE
    assert [term.number.strip() for term in one.terms][:3] == [".500000", "←", ".500000"]
    assert [term.number.strip() for term in other.terms][:3] == [".450000", "←", ".500000"]
    assert other.title == (
        ("museum:draw-as-loss", "title"),
        ("  ≠ another target", "key"),
    )


def test_a_phase_back_both_know_the_target_and_not_yet_what_is_written():
    lockstep = graded("museum:draw-as-loss")
    at = lockstep.at
    lockstep.step(-1)
    assert (lockstep.at, lockstep.phase) == (at, TARGET)
    for which in (0, 1):
        assert shown(lockstep, which)[0].terms[0].number.startswith("?")
        assert lockstep.timelines[which].phase == TARGET


@pytest.mark.parametrize("other", ["td", "td:alpha=0.5", "q", "random", "mc"])
def test_every_phase_of_every_event_is_shown_whoever_plays(other: str):
    run, spec = Run(parse_player("td"), parse_player("td"), 5), parse_player(other)
    run.train(60)
    result = replay_game(run, 40, x=spec)
    lockstep = BothGames(WhatIfSummary(run, result, "X", spec))
    lockstep.go_to(0, first_phase=True)
    seen = {lockstep.at}
    for _ in range(200):
        for which in (0, 1):
            shown(lockstep, which)
        before = lockstep.at, lockstep.phase
        lockstep.step(1)
        if (lockstep.at, lockstep.phase) == before:
            break
        seen.add(lockstep.at)
    assert seen == set(range(len(lockstep.pairs)))
    assert all(map(pair_line, lockstep.pairs))
    assert bool(lockstep.differences) == (other != "td")
    for which, recording in enumerate((result.original, result.other)):
        events = [(pair.one, pair.other)[which] for pair in lockstep.pairs]
        there = [event for event in events if event is not None]
        assert sorted(map(repr, there)) == sorted(map(repr, recording.events()))
    assert any(isinstance(pair.one, Backup) for pair in lockstep.pairs)


def test_tab_compares_both_whole_runs():
    run = Run(parse_player("td"), parse_player("td"), 1)
    run.train(60)
    for other in ("td:exploration=learn", "random", "q"):
        spec = parse_player(other)
        games = BothGames(WhatIfSummary(run, replay_game(run, 50, x=spec), "X", spec))
        make = do(games.page, "tab")
        assert make().title == (("A", "X td"), ("B", f"X {other}"))
        assert make().blocks[1].series[1].points[-1][0] == 60
        assert len(lines(make())) == 24
