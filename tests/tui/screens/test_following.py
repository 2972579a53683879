"""The lab opens at an address, copies one, and follows a lecture behind the user's back."""

from piloting import at

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.modes import Mode, Settings

TD = parse_player("td")
RUN = "afterstate:1/td/td/7/20"


def lab_at(text: str) -> Afterstate:
    opened = open_address(Address.parse(text), with_points=True)
    return Afterstate(Settings(TD, TD), opened=opened)


async def test_it_opens_under_the_microscope_and_copies_the_address(data_of_its_own):
    app = lab_at(f"{RUN}@12.3.2")
    copied = []
    app.copy_to_clipboard = copied.append
    async with at(app) as desk:
        await desk.pilot.pause()
        assert (desk.session.mode, desk.session.timeline.game) == (Mode.STEP, 11)
        note = await desk.press("Y")
        assert copied == [f"{RUN}@12.3.2"] == [note]
    assert not data_of_its_own.exists()


async def test_a_what_if_opens_with_it():
    async with at(lab_at(f"{RUN}@12+x=mc")) as desk:
        await desk.pilot.pause()
        await desk.finish()
        assert desk.screen.page.name == "WHAT IF"
