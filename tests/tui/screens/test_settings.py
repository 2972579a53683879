"""A lab with settings: it starts with them, and leaves behind what was changed."""

import pytest
from piloting import Desk, at

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.session import Settings
from afterstate_lab.tui.preferences import Preferences, read_preferences


@pytest.fixture
def with_settings(data_of_its_own):
    """Makes a lab with a file of settings, at home or not."""
    data_of_its_own.mkdir()
    path = data_of_its_own / "config.toml"

    def make(text: str, *, at_home: bool = False) -> Afterstate:
        path.write_text(text)
        td = parse_player("td")
        return Afterstate(Settings(td, td), at_home=at_home, preferences=read_preferences())

    make.path = path
    return make


async def test_it_starts_as_the_file_says_and_says_what_is_wrong_in_the_log(with_settings):
    async with at(with_settings('theme = "light"\ncells = "keypad"\nspeed = 8\n')) as desk:
        assert desk.app.look.palette.name == "light"
        assert desk.session.speed == 8.0
        await desk.press("p 7")
        assert desk.session.script[1] == 0
    async with at(with_settings("speed = 3\n")) as desk:
        assert await desk.finish() == "Settings: see the log."


async def test_what_is_changed_is_remembered_and_nothing_else(with_settings):
    async with at(with_settings("# mine\nspeed = 8\n")) as desk:
        await desk.press("d space plus space")
        desk.app.save_once()
    assert with_settings.path.read_text() == '# mine\nspeed = 16.0\ntheme = "light"\n'


async def test_without_a_change_there_is_no_file_and_the_speed_outlives_the_run(
    desk: Desk, data_of_its_own
):
    await desk.press("d d plus minus space plus minus space")
    desk.app.save_once()
    assert not (data_of_its_own / "config.toml").exists()
    await desk.press("space plus space plus")
    desk.session.start(desk.session.settings)
    assert desk.session.speed == 4.0


def test_a_file_that_cannot_be_written_is_said_at_leaving(lab, tmp_path):
    (tmp_path / "file").write_text("")
    app = lab()
    app.preferences = Preferences(path=tmp_path / "file" / "config.toml")
    app.toggle_light()
    app.save_once()
    assert app.unkept == "file exists"


async def test_a_mistake_is_said_at_home_with_its_line(with_settings):
    async with at(with_settings('\ntheme = "pink"\nspeed = 3\n', at_home=True)) as desk:
        await desk.pilot.pause()
        said = "config.toml, line 2: theme: must be dark or light, not 'pink'"
        assert desk.state.note == f"{said} (1 more: afterstate doctor)."
