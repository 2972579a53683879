"""What is foretold is told by nothing before; a break is seen; a fork finds its move."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from reading import PEN, session_of

from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.log import log_view
from afterstate_lab.tui.lab.microscope.words import terms_of
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.pages.value import MASKED, ValueCard
from afterstate_lab.tui.theme.numerals import decimals


def stepping(spec: str = "td:alpha=0.5") -> Session:
    made = session_of(spec, "random", 60)
    made.timeline.go_to(40)
    made.enter_step_mode()
    return made


def to_target(made: Session) -> Backup:
    while True:
        event = made.timeline.event
        if isinstance(event, Backup) and event.new != event.old:
            while made.timeline.phase > TARGET:
                made.timeline.step_phase_back()
            return event
        assert made.timeline.step()


def picture(made: Session) -> list[str]:
    return list(map(joined, replace(made.picture, rows=24).draw(118, 20, PEN)))


def told(made: Session) -> str:
    """Everything that log, picture, rule and words say at this place."""
    numbers = (term.number for term in terms_of(made.picture.update))
    return "\n".join([*map(joined, log_view(made).lines), *picture(made), *numbers])


@pytest.mark.parametrize("spec", ["q:alpha=0.5", "tdlambda:alpha=0.5", "chain:alpha=0.5"])
def test_nothing_tells_what_is_written_before_it_is_foretold(spec: str):
    made = stepping(spec)
    made.predictions.wanted = True
    backup = to_target(made)
    u = made.picture.update
    assert decimals(backup.new, 5) not in told(made)
    assert "?" in "".join(picture(made))
    assert ValueCard(SimpleNamespace(session=made), u.entry).curve().note == MASKED
    made.timeline.step_phase()
    assert made.timeline.phase == WRITE
    assert decimals(backup.new, 5) in told(made)
    assert "?" not in "".join(picture(made))


def test_the_log_counts_beads_and_says_which_move_was_a_bead():
    lines = list(map(joined, log_view(session_of("menace", "random", 20)).lines))
    assert any(re.fullmatch(r"X→\d bead drawn", line) for line in lines)
    assert any(re.fullmatch(r"O→\d by chance", line) for line in lines)
    assert any(re.fullmatch(r"  beads \S+ \d+→\d+ [+−]\d+", line) for line in lines)
    assert not any("δ" in line and "backup" in line for line in lines)
