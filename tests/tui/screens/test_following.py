"""The lab opens at an address, copies one, and follows a lecture behind the user's back."""

from __future__ import annotations

from piloting import settled

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.scripts.recording import Follower, open_walkthrough

TD = parse_player("td")
RUN = "afterstate:1/td/td/7/20"


def lab_at(text: str) -> Afterstate:
    opened = open_address(Address.parse(text), with_points=True)
    return Afterstate(Settings(TD, TD), opened=opened)


async def test_it_opens_under_the_microscope_and_copies_the_address(data_of_its_own):
    app = lab_at(f"{RUN}@12.3.2")
    copied = []
    app.copy_to_clipboard = copied.append
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert (app.session.mode, app.session.timeline.game) == (Mode.STEP, 11)
        await pilot.press("Y")
        assert copied == [f"{RUN}@12.3.2"] == [app.session.note]
    assert not data_of_its_own.exists()


async def test_a_what_if_opens_with_it():
    app = lab_at(f"{RUN}@12+x=mc")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await settled(pilot)
        assert app.screen.page.name == "WHAT IF"


async def test_it_goes_where_the_lecture_goes_until_a_key_steps_aside(tmp_path):
    lecture = tmp_path / "lecture"
    lecture.touch()
    follower = Follower(open_walkthrough(str(lecture)), grows=True, fast=True)
    app = Afterstate(Settings(TD, TD), follower=follower)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen

        async def goes(line: str) -> None:
            with lecture.open("a") as file:
                print(line, file=file)
            screen.follow()
            await settled(pilot)

        await goes(f"1 {RUN}@3.2 # see")
        assert (app.session.timeline.game, app.session.note) == (2, "see")
        await pilot.press("]")
        assert app.session.follows == "aside: * returns"
        await goes("2 @5")
        assert app.session.timeline.game == 2
        await pilot.press("asterisk")
        await settled(pilot)
        assert (app.session.timeline.game, app.session.follows) == (4, "following")
    follower.close()
