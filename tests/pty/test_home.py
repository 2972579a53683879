"""Home in a real terminal: little is sent until the menu is there, and nothing at rest."""

import pytest


def test_home_is_painted_in_6_kb_plays_and_then_nothing_is_written(lab):
    quick = "from afterstate_lab.tui.pages import home; home.PICTURE_SECONDS = 0.15"
    terminal = lab(before=quick, at_home=True, shows=("board", "play it", "the tour", "quit"))
    assert terminal.text.splitlines()[0].endswith("train  HOME")
    assert len(terminal.written) < 6_000
    terminal.read_until_shown("76,675 games", "Neither can be")
    terminal.read_until_quiet(0.3)
    assert terminal.read(0.5) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "shows",
    [("play it", "quit"), pytest.param((), marks=pytest.mark.slow, id="typed ahead")],
)
def test_one_key_leads_to_a_backup_that_changes_something(lab, shows):
    terminal = lab(at_home=True, shows=shows)
    terminal.press("s")
    terminal.read_until_shown("STEP", "was just played", "4 target")
    terminal.press("q", "q")
    assert terminal.wait(5) == 0
