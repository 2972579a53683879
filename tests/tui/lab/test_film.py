"""The film of a run: its ease, its marks to go to, and what stops it."""

import pytest
from reading import done

from afterstate_lab.learners.ask.marks import Film, Marks
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.log import film_log
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Key
from afterstate_lab.tui.lab.panes import film_view


@pytest.fixture
def lab() -> LabController:
    td = parse_player("td:alpha=.3")
    lab = LabController(Settings(td, td, 7))
    lab.session.run.train(400)
    lab.session.end_training()
    lab.session.snapshot = None
    return lab


def test_the_film_takes_the_seconds_that_were_said_and_any_command_stops_it(lab):
    asked = done(lab.perform("film"))
    assert isinstance(asked, Key)
    assert asked.given == "20"
    for wrong in ("", "soon", "0", "nan", "1e9"):
        with pytest.raises(UsageError):
            asked.do(wrong)
    assert asked.do("8") is None
    film, games = lab.session.film, []
    for quarter in range(33):
        lab.session.tick_film(100 + quarter / 4)
        games.append(lab.session.timeline.game)
        assert film.is_playing == (quarter < 32)
    assert games == sorted(games)
    assert (games[0], games[16], games[-1]) == (0, round(401**0.5) - 1, 399)
    asked.do("20")
    assert lab.session.mode is Mode.WATCH
    lab.perform("run")
    assert not lab.session.film.is_playing
    assert not lab.session.is_running


def test_a_line_of_its_log_leads_to_that_mark_and_one_of_a_log_that_is_gone_nowhere(lab):
    done(lab.perform("film")).do("20")
    session, film = lab.session, lab.session.film
    lines = len(film_log(film, session.timeline).lines)
    for number, mark in ((lines, None), (1, film.marks.in_order[1]), (30, None)):
        before = session.timeline.place
        lab.clicked("log line", number, lines)
        assert session.timeline.place == (mark.place if mark else before)
        assert film.is_playing is (number == lines)


def test_a_mark_on_the_scrubber_stands_at_its_game(lab):
    done(lab.perform("film")).do("20")
    film = lab.session.film
    track = film_view(film, lab.session.timeline)
    games = [mark.game for mark in film.marks.in_order]
    assert len({*games}) > 2
    assert [film.game_of(at) for at, _ in track.marks] == games


def test_a_place_of_the_scrubber_and_its_game_belong_together_and_no_games_have_no_film():
    run = Run.of(parse_player("td"), parse_player("td"), 1)
    run.train(300)
    opened = Film(run, Marks())
    assert [opened.game_of(opened.part_of(game)) for game in range(300)] == list(range(300))
    td = parse_player("td")
    with pytest.raises(UsageError, match="needs games"):
        LabController(Settings(td, td, 7)).perform("film")
