"""A lab with settings: it starts with them, and leaves behind what was changed."""

from __future__ import annotations

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.session import Settings
from afterstate_lab.tui.preferences import Preferences, read_preferences


@pytest.fixture
def with_settings(tmp_path, monkeypatch):
    """Makes a lab with a file of settings, at home or not."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("AFTERSTATE_CONFIG", str(path))

    def make(text: str, *, at_home: bool = False) -> Afterstate:
        path.write_text(text)
        td = parse_player("td")
        return Afterstate(Settings(td, td), at_home=at_home, preferences=read_preferences())

    make.path = path
    return make


async def test_it_starts_as_the_file_says(with_settings):
    app = with_settings('theme = "light"\ncells = "keypad"\nspeed = 8\n')
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.theme == "afterstate-light"
        assert app.session.speed == 8.0
        await pilot.press("p", "7")
        assert app.session.script[1] == 0


async def test_what_is_changed_is_remembered_and_nothing_else(with_settings):
    app = with_settings("# mine\nspeed = 8\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "plus")
        app.save_once()
    assert with_settings.path.read_text() == '# mine\nspeed = 16.0\ntheme = "light"\n'


async def test_without_a_change_there_is_no_file(lab, tmp_path, monkeypatch):
    monkeypatch.setenv("AFTERSTATE_CONFIG", str(tmp_path / "config.toml"))
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "d", "plus", "minus")
        app.save_once()
    assert not (tmp_path / "config.toml").exists()


async def test_the_speed_outlives_the_run(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("plus")
        app.session.start(app.session.settings)
        assert app.session.speed == 4.0


async def test_a_mistake_is_said_at_home_with_its_line(with_settings):
    app = with_settings('\ntheme = "pink"\nspeed = 3\n', at_home=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        said = "config.toml, line 2: theme: must be dark or light, not 'pink'"
        assert app.screen.make.__self__.note == f"{said} (1 more: afterstate doctor)."


async def test_a_mistake_is_said_in_the_log_without_home(with_settings):
    app = with_settings("speed = 3\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.session.note == "Settings: see the log."


def test_a_file_that_cannot_be_written_is_said_at_leaving(lab, tmp_path):
    (tmp_path / "file").write_text("")
    app = lab()
    app.preferences = Preferences(path=tmp_path / "file" / "config.toml")
    app.toggle_light()
    app.save_once()
    assert app.unkept == "file exists"
