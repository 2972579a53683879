"""The film of a run: its ease, its marks to go to, and what stops it."""

import pytest
from reading import done

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.panes import film_track


@pytest.fixture
def lab() -> LabController:
    td = parse_player("td:alpha=.3")
    lab = LabController(Settings(td, td, 7))
    lab.session.run.train(400)
    lab.session.end_training()
    lab.session.snapshot = None
    return lab


def test_the_film_takes_20_seconds_and_any_command_stops_it(lab):
    assert done(lab.perform("film")) is None
    film, games = lab.session.film, []
    for second in range(21):
        lab.session.tick_film(100 + second)
        games.append(lab.session.timeline.game)
        assert film.is_playing == (second < 20)
    assert games == sorted(games)
    assert (games[0], games[10], games[-1]) == (0, round(401**0.5) - 1, 399)
    done(lab.perform("film"))
    assert lab.session.mode is Mode.WATCH
    lab.perform("run")
    assert not lab.session.film.is_playing
    assert not lab.session.is_running


def test_a_mark_on_the_scrubber_stands_at_its_game_and_no_games_have_no_film(lab):
    done(lab.perform("film"))
    film = lab.session.film
    (track,) = film_track(lab.session)
    games = [mark.game for mark in film.marks.in_order]
    assert len({*games}) > 2
    assert [at for at, _ in track.marks] == [film.part_of(game) for game in games]
    assert [round(400**at) - 1 for at, _ in track.marks] == games
    with pytest.raises(UsageError, match="needs games"):
        LabController(lab.given).perform("film")
