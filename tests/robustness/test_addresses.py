"""Every player and option at every place of an address is opened, or refused in a sentence.

In the lab, in plain mode, and by the commands that take an address.
"""

from itertools import cycle, islice

import numpy as np
import pytest
from made import OWN_RULE, run_of

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.agent import sha256_of
from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.rules.museum import PIECES
from afterstate_lab.learners.rules.spec import PlayerSpec, rules
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.cli.saved import opened_address, saved_memory
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Running, Work
from afterstate_lab.tui.pages.lab import lab_page
from afterstate_lab.tui.pages.setup import values
from afterstate_lab.tui.plain import Dialogue

PLACES = ("", "@1.1", "@2", "@3.0.1", "@3.4.2.1", "@3.9.9.4", "@4.1")
"""Moments: some that every run of three games has, and some that hardly any has."""
SCRIPTS = ("", "~1hl", "~1lf", "~2=15,3=21", "~1hh", "~4lh")
"""Moves and sides of a person: all or too few."""
FORMS = ("{}/td/7/3{}{}", "td/{}/7/3{}{}", "q/td/7/3{1}{2}+x={0}", "td/td/7/3{1}{2}+o={0}")
TD, HUMAN = PlayerSpec.parse("td"), PlayerSpec.parse("human")


def in_the_lab(text: str, files: tuple[str, ...]) -> None:
    lab = LabController(Settings(TD, TD, 7))
    outcome = lab.open_address(" ".join((text, *files)))
    while isinstance(outcome, Work):
        outcome = outcome.taken(outcome.do(Running(outcome)))
    for block in lab_page(lab, lab.perform, (80, 24)).blocks:
        list(block.say())


def in_plain_mode(text: str, files: tuple[str, ...]) -> None:
    dialogue = Dialogue(Run.of(HUMAN, TD, 0))
    dialogue.begin(opened_address(text, files, with_points=True, whole=True))
    for line in ("hints exact", "next", "stats", "step", "back", "why", "watch", "play", "1"):
        dialogue.answer(line)


DOORS = (saved_memory, in_plain_mode, in_the_lab)


def open_everywhere(players, files=(), more=3, doors=3, forms=4):
    """Open addresses with players at every place, and so many others; return how many opened.

    Each is opened at every door, or at so many of them in turn, and is written in so many forms.
    """
    moments = cycle((script, place) for script in SCRIPTS for place in PLACES)
    opened, turns, written = 0, cycle(DOORS), cycle(FORMS)
    for player in players:
        for form in islice(written, forms):
            for script, place in [("", "@2"), *(next(moments) for _ in range(more))]:
                for door in islice(turns, doors):
                    text = f"afterstate:1/{form.format(player, script, place)}"
                    try:
                        door(text, files)
                        opened += 1
                    except UsageError as refusal:
                        assert str(refusal).isprintable(), text
                    except Exception as error:
                        raise AssertionError(f"{door.__name__} of {text}: {error!r}") from error
    return opened


@pytest.mark.quick("human", "menace")
@pytest.mark.parametrize("name", [*rules(), *(f"museum:{name}" for name in PIECES)])
def test_every_player_opens_at_every_place_or_is_refused(interpreted, name):
    assert open_everywhere([name], doors=1) or name == "human", "none of its addresses opens"


@pytest.mark.slow
@pytest.mark.parametrize("name", rules())
def test_every_option_opens_at_every_place_or_is_refused(interpreted, name):
    players = [
        f"{name}:{option.name}={value}"
        for option in rules()[name].options
        if option.is_told
        for value in ends(values(option, option.format(option.default)))
    ]
    assert not players or open_everywhere(players, more=0, doors=1, forms=1)


def ends(texts):
    """The two first and the two last of the values of an option, which are in order."""
    return dict.fromkeys((*texts[:2], *texts[-2:]))


@pytest.mark.slow
def test_a_player_of_a_named_file_opens_at_every_place_or_is_refused(interpreted, tmp_path):
    written = {"rule.py": OWN_RULE, "agent.py": "def move(board): return board.index('.') + 1\n"}
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    save_policy(run_of("td", games=20), tmp_path / "policy.npz")
    rests = {"rule.py": ".py:Mine", "agent.py": ".py:move", "policy.npz": ".npz"}
    files = tuple(str(tmp_path / name) for name in rests)
    players = [f"sha256-{sha256_of(str(tmp_path / name))}{rest}" for name, rest in rests.items()]
    assert open_everywhere(players, files)
    assert np.isfinite(saved_memory(f"afterstate:1/{players[2]}/td/7/3", files)[1]).all()
