"""What the panes are given: the board, its heat, the figures, the log of a training, the film."""

from dataclasses import replace

import numpy as np
import pytest
from made import own_rule, run_of
from reading import done, lab_of, lines, session_of, trained_lab

from afterstate_lab.game import Board, Side, reachable_boards
from afterstate_lab.game.exact import minimax
from afterstate_lab.learners.ask.table import TableRows
from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.grading.grade import grade
from afterstate_lab.learners.judge.curve import History, Point
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, optimum, true_values
from afterstate_lab.learners.judge.evaluation import Evaluation, evaluate_memory
from afterstate_lab.learners.judge.evaluator import minimax_rewards
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.replay import address_of, open_address
from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.run import Seat, Seating
from afterstate_lab.learners.training import PATIENCE, Goal
from afterstate_lab.tui.blocks.cells import HeatScale
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.cli.grade import summary_of
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import player_label
from afterstate_lab.tui.lab.log import Judged, both_games, holding_cells, sentences, training_log
from afterstate_lab.tui.lab.modes import SPEEDS, Help, Mode, goal_of
from afterstate_lab.tui.lab.panes import board_view, curve_view, film_track, stats_view
from afterstate_lab.tui.lab.session import Session, Settings, WhatIfSummary
from afterstate_lab.tui.pages.review import Review
from afterstate_lab.tui.plain import Dialogue


def test_double_learning_ranks_by_the_mean():
    made = session_of("double-q:alpha=0.5", "random", 0)
    made.run.train(200)
    means = made.run.layout.x.values(made.timeline.v).mean(axis=0)
    assert [view.value for view in board_view(made).cells] == list(means[:9])


@pytest.mark.parametrize("rate", ["0", ".3..0", "0/1/0.3", "1/0"])
def test_a_rate_is_named_without_the_zero_before_its_point(rate: str):
    assert player_label(parse_player(f"td:epsilon={rate}")) == f"td α.1 ε{rate}"


@pytest.mark.parametrize(
    "opponent", ["td", "td:learn=off", "human", "random", "perfect:epsilon=0.3"]
)
def test_minimax_and_v_star_are_named_as_what_they_are(opponent: str):
    """No play does better than v*; minimax can be exceeded against an opponent that errs."""
    is_known = opponent in ("random", "perfect:epsilon=0.3")
    name, short = ("v*", "v*") if is_known else ("minimax", "mm")
    made = session_of("td", opponent, 0)
    layout, v = made.run.layout, made.run.layout.fresh()
    state = EvaluatedState(layout, v)
    values = true_values(layout, Side.X, 0)
    assert optimum(layout, Side.X) == name
    if is_known:
        assert (values >= state.v_pi(Side.X) - 1e-12).all()
    else:
        assert np.array_equal(values, minimax_rewards(layout.x))
    assert TableRows(layout, v, Side.X, 0).optimum == name
    made.mode, made.help = Mode.PLAY, Help.EXACT
    cells = board_view(made).cells
    assert {joined(cell.note).split()[0] for cell in cells if not cell.mark} == {short}


JUDGED = """
XX.OO....  3  Cell 3 wins; cells 6, 7, 8 and 9 would lose the win.
X.....O..  3  Cell 3 keeps the win; cells 4, 5, 6 and 8 would lose the win.
.........  5  Cell 5 keeps the draw, as every cell does.
X........  2  Cell 2 lost the draw: only cell 5 kept it.
X...O...X  2  Cell 2 keeps the draw; cells 3 and 7 would lose.
"""


def test_what_the_coach_says_of_a_move_agrees_with_minimax_and_names_cells():
    for line in JUDGED.strip().splitlines():
        position, cell, said = line.split(maxsplit=2)
        assert Judged.of(Board.parse(position), int(cell) - 1).sentence == said
    for board in list(reachable_boards())[::7]:
        was = minimax(board) * (1 if board.to_move == "X" else -1)
        for cell in board.legal_cells:
            after = board.play(cell)
            said = Judged.of(board, cell).sentence
            assert (": only " in said) == (minimax(after) != minimax(board))
            assert (said == "Already lost: every cell loses.") == (was < 0)
            assert said.endswith(".") and said.isascii()
            if not after.is_over:
                right = [c for c in after.legal_cells if minimax(after.play(c)) == minimax(after)]
                assert list(holding_cells(after)) == right


REWARDS = (1.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("scale", "heats"),
    [
        ((0.5, 0.55, 0.2), {0.5: 0.0, 0.35: -0.5, 0.2: -1.0, 0.55: 1 / 6}),
        ((0.90, 0.95, 1.0), {0.90: 0.2, 0.95: 0.6, 1.0: 1.0}),
        ((0.5, 0.5002), {0.5002: 0.01}),
        ((0.9, 0.9), {0.9: 0.0}),
        ((0.9,), {0.9: 1.0}),
    ],
)
def test_heat(scale: tuple[float, ...], heats: dict[float, float]):
    """A draw has no heat, and what is farthest from it has all; values on one side of a draw share
    nearly the whole scale. What cannot be read as different does not look different: several equal
    values have no heat, one has its own.
    """
    heat = HeatScale(scale, REWARDS).heat
    assert {value: heat(value) for value in heats} == pytest.approx(heats)


def test_the_scale_says_where_a_draw_lies_if_values_differ():
    heats = HeatScale((0.4, 0.7), REWARDS).shades()
    assert [n for n, heat in enumerate(heats) if heat == 0.0] == [3]
    assert heats[0] < 0 < heats[4] < heats[9]
    assert all(HeatScale((0.6, 0.7), REWARDS).shades())
    assert HeatScale((0.5,) * 9, REWARDS).shades() == []


def test_a_table_that_both_players_share_is_counted_once_unless_each_has_boxes_of_its_own():
    for spec, marks in (("negamax", [""]), ("menace-code", ["X", "O"])):
        session = session_of(spec, spec, 200)
        layout, seen = session.run.layout, stats_view(session).seen
        entries, live = layout.x.entries, layout.x.entries.live | layout.o.entries.live
        live &= (entries.boards > 0) | (entries.cells >= 0)  # the empty board comes after no move
        written = np.count_nonzero(layout.x.visits(session.run.memory)[0][live])
        assert [mark for mark, _, _ in seen] == marks
        assert (sum(n for _, n, _ in seen), sum(of for *_, of in seen)) == (written, live.sum())
        told = Dialogue(session.run).answer("stats")
        shared = f"X and O have visited {written:,} of the {live.sum():,} values that they share."
        assert (shared in told) == (spec == "negamax")
        assert any(line.startswith("X has visited") for line in told) == (spec == "menace-code")


def test_only_changes_at_milestones_exact_ones_and_the_newest_have_lines_of_whole_shares() -> None:

    def lines(*points: Point) -> list[str]:
        """The heads and the lines; nobody could be beaten who is not judged."""
        view = training_log(History(points), 0)
        return [joined(words).rstrip() for words in (view.heads, *view.lines)]

    both, neither = ((Evaluation("td", {"beatable": now}),) * 2 for now in (True, False))
    first = Point(10, (5, 0, 5), both, (8,))
    found = lines(
        first,
        replace(first, games=20, results=(6, 0, 4)),
        Point(30, (20, 60, 20)),
        Point(40, (20, 60, 20), neither, (4,)),
        Point(50, (20, 60, 20), (both[0], neither[1]), (4,)),
        Point(73, (21, 69, 11), neither, (4,)),
        Point(80, (20, 60, 20), both, (4,)),
        Point(100, (20, 60, 20), both, (4,)),
    )
    assert found == [
        " games  X won draw O won  what changed",
        "    10    50%   0%   50%  opens with 9",
        "    50    20%  60%   20%  opening turned to 5",
        "                          O unbeatable",
        "    73    21%  68%   11%  X unbeatable",
        "   100    20%  60%   20%  X beatable again",
        "                          O beatable again",
    ]
    found = lines(Point(10, (5, 0, 5), both, (8,)), Point(20, (6, 1, 3), both, (8,)))
    assert found[-1] == "    20    60%  10%   30%"
    _, opening = lines(*session_of(games=0).history.points)
    assert opening.endswith("opens anywhere"), "a learner that knows nothing"


def test_results_are_those_of_games_up_to_the_one_shown() -> None:
    session = session_of(games=3000)
    session.history.add_all([Point(64, (40, 4, 20)), Point(3000, (60, 100, 40))])
    shown = {}
    for game in (0, 5, 63, 64, 2000):
        session.timeline.go_to(game)
        shown[game] = stats_view(session).results
    early, later = (0, 0, 0), (40, 4, 20)
    assert shown == {0: early, 5: None, 63: None, 64: later, 2000: later}


def test_a_training_until_unbeatable_that_may_never_end_ends_with_a_sentence() -> None:
    for text, games in {"1e6": 10**6, "2E3": 2000, "1m": 10**6, "20,000": 20_000}.items():
        assert goal_of(text) == Goal(games)
    assert goal_of("unbeatable") == Goal(PATIENCE, until_unbeatable=True)
    controller = LabController(Settings(parse_player("menace"), parse_player("td"), 0))
    controller.session.begin_training(Goal(5, until_unbeatable=True)).work()
    said = controller.end_training()
    assert said == "X and O can still be beaten after 5 games. More may not help."


def test_step_begins_on_another_side_where_the_own_rule_changed_nothing(tmp_path):
    hook = """def after_step(v, tape, me, steps, greedy, t, over, game):
                  if over:
                      backup(v, tape, me, steps[t], me.nothing, 1.0, me.alpha)"""
    made = Session(Settings(parse_player(own_rule(tmp_path, hook)), parse_player("td"), 1))
    for _ in range(15):
        made.play_game()
    begun = ""
    for game in range(made.run.games):
        made.timeline.go_to(game, at_end=True)
        made.enter_step_mode()
        event = made.timeline.event
        begun += event.player if isinstance(event, Backup) else "."
        made.mode = Mode.WATCH
    assert begun == "XOOXO.XOXO.OOOO", "X changes a value in 4 games, O in 13, neither in 2"


@pytest.mark.parametrize("game", [0, 1])
def test_a_branch_has_a_learning_curve_where_its_run_has_no_point(game: int):
    """An address has points from its first games on only, plain mode the last point of its run."""
    run = run_of(games=3)
    session = Session(run)
    if not game:
        session.resume(open_address(address_of(run), with_points=True))
    session.show_game(game, {1: 0, 2: 3, 3: 1, 4: 4, 5: 2})
    assert [point.games for point in session.history.points] == [game]
    assert curve_view(session).title == "learning"


def test_you_play_a_learner_that_learns_also_from_a_game_shown_between_two_that_do_not():
    session = Session(run_of(games=3))
    session.show_game(3, {1: 0, 2: 3, 3: 1, 4: 4, 5: 2})
    assert session.run.seating == Seating(Seat.FROZEN, Seat.FROZEN)
    for resumed in (session, Session(session.run)):
        resumed.new_game()
        assert resumed.run.seating == Seating(Seat.HUMAN, Seat.LEARNS)


def test_the_film_takes_20_seconds_marks_its_games_and_any_command_stops_it():
    lab = trained_lab("td:alpha=.3", "td:alpha=.3", 400)
    lab.session.mode = Mode.WATCH
    assert done(lab.perform("film")) is None
    film, games = lab.session.film, []
    for second in range(21):
        lab.session.tick_film(100 + second)
        games.append(lab.session.timeline.game)
        assert film.is_playing == (second < 20)
    assert games == sorted(games)
    assert (games[0], games[10], games[-1]) == (0, round(401**0.5) - 1, 399)
    marked = [mark.place.game for mark in film.marks.in_order]
    assert len({*marked}) > 2
    (track,) = film_track(lab.session)
    assert [at for at, _ in track.marks] == [film.part_of(game) for game in marked]
    assert [round(400**at) - 1 for at, _ in track.marks] == marked
    done(lab.perform("film"))
    assert lab.session.mode is Mode.WATCH
    lab.perform("run")
    assert not lab.session.film.is_playing
    assert not lab.session.is_running
    with pytest.raises(UsageError, match="needs games"):
        LabController(lab.given).perform("film")


def test_every_milestone_is_gone_to_in_order_and_back_again():
    lab = trained_lab(games=60)
    lab.perform("home")
    done(lab.perform("next_mark"))
    marks = lab.session.film.marks.in_order
    places = [*dict.fromkeys(mark.place for mark in marks)]
    assert len(places) > 2
    for name, there in (("next_mark", places[1:]), ("mark_back", places[-2::-1])):
        for place in there:
            done(lab.perform(name))
            assert lab.session.timeline.place == place


def test_the_speed_ends_at_the_slowest_and_the_fastest():
    lab = trained_lab(games=0)
    session = lab.session
    session.mode, session.is_running = Mode.WATCH, True
    for name, speed in (("slower", SPEEDS[0]), ("faster", SPEEDS[-1])):
        for _ in range(len(SPEEDS) + 1):
            lab.perform(name)
        assert session.speed == speed


def test_the_verdict_is_on_the_memory_of_each_moment_of_a_game():
    session = session_of()
    rows = session.timeline.rows
    for at in (rows.start + 1, rows.stop):
        session.timeline.seek(at)
        assert session.evaluation == evaluate_memory(session.run.layout, session.timeline.v)


def test_a_game_that_was_left_comes_back_until_another_is_played():
    lab = lab_of(session_of("human", games=0))
    session = lab.session
    session.new_game()
    session.move(4)
    lab.perform("new_game").do("yes")
    assert session.take_back() and session.script == {1: 4}
    lab.perform("new_game").do("yes")
    while session.game_goes_on:
        session.move(session.board.legal_cells[0])
    session.new_game()
    assert not session.take_back()


def test_a_fork_of_the_reply_in_a_game_that_goes_on_keeps_your_move():
    session = session_of("human", games=0)
    session.new_game()
    session.move(4)
    session.timeline.go_to(0)
    while session.last_move is None or session.last_move.ply < 2:
        session.timeline.step()
    session.fork(next(iter(session.board.legal_cells)))
    assert session.waits and session.board.ply == 2 and str(session.board)[4] == "X"


def test_the_game_that_beats_a_player_follows_a_game_that_is_over():
    session = session_of(games=12)
    timeline = session.timeline
    for game, at_end, coming in ((6, False, 6), (6, True, 7), (11, True, 12)):
        timeline.go_to(game, at_end=at_end)
        assert session.coming_game == coming


@pytest.mark.parametrize("other", ["td", "td:alpha=0.5", "q", "random", "mc"])
def test_the_log_has_every_event_of_both_games_from_the_first_that_differs(other: str):
    run, spec = run_of("td", "td", 60, 5), parse_player(other)
    result = replay_game(run, 40, x=spec)
    asked = WhatIfSummary(run, result, "X", spec)
    first, *_ = result.differences or [0]
    assert len(both_games(asked).lines) == len(result.pairs[first:])
    assert bool(result.differences) == (other != "td")
    for which, recording in enumerate((result.original, result.other)):
        events = [(pair.one, pair.other)[which] for pair in result.pairs]
        there = [event for event in events if event is not None]
        assert sorted(map(repr, there)) == sorted(map(repr, recording.events()))
    said = sentences(asked)
    assert (said == ["Every event is the same."]) == (other == "td")


def test_a_graded_bug_is_told_by_its_first_difference():
    found = grade(parse_player("museum:draw-as-loss"), parse_player("td"), games=60, seeds=1)
    said = " ".join(sentences(summary_of(found)))
    assert "First difference: another target. " in said
    assert " .50000 to .50000 " in said and " Would be: .45000." in said


def test_a_review_shows_every_verdict_whole():
    run = run_of("human", "td", seed=1)
    run.play({1: 0, 2: 4, 3: 8, 4: 2, 5: 6, 6: 3, 7: 7})
    shown = "\n".join(lines(Review(trained_lab(games=0), run, 0).page()))
    assert "the only move that keeps the draw" in shown
    assert "lost the draw: 2 4 6 8 kept it" in shown


def test_a_review_is_of_the_side_that_you_had_though_you_have_another_now():
    run = run_of("human", "td", seed=1)
    run.play({1: 0, 2: 1, 3: 4, 4: 2, 5: 8})
    run.seat(Seating(Seat.LEARNS, Seat.HUMAN))
    review = Review(trained_lab(games=0), run, 0)
    assert (review.names[0], review.title) == (("X", "you"), "game 1: you won in 5 moves")
