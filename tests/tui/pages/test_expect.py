"""What to expect: what the page refuses, and how it is found. Its numbers are kept as text."""

import os
import signal
from types import SimpleNamespace

import numpy as np
import pytest
from reading import session_of, trained_lab

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments import expect
from afterstate_lab.learners.experiments.expect import sampled
from afterstate_lab.tui.pages.expect import Expectation, strip_of
from afterstate_lab.tui.pages.palette import Palette
from afterstate_lab.tui.plain import Dialogue


def test_a_run_without_games_has_nothing_to_compare():
    with pytest.raises(UsageError, match="this run has no games yet"):
        Expectation(session_of(games=0).run)


def test_numbers_that_differ_in_their_last_bits_alone_are_drawn_as_one():
    assert strip_of(np.nextafter(0.5, [0.0, 0.5, 2.0]), None).count((" ", "dim")) == 19


@pytest.mark.parametrize("typed", ["normal", "expect", "wrong"])
def test_the_palette_finds_it_by_what_people_ask(typed: str):
    palette = Palette(SimpleNamespace(controller=trained_lab(), is_in_lab=True))
    palette.type(typed)
    assert any(entry.says.startswith("show what to expect") for entry in palette.found[:3])


@pytest.mark.parametrize("ends", ["an error", "Ctrl-C"])
def test_other_seeds_that_cannot_be_trained_are_not_tried_for_ever(monkeypatch, ends: str):
    tried = []

    def fails(*asked, stop=None, **how):
        if stop is not None:
            tried.append(asked)
            assert len(tried) == 1
            if ends == "an error":
                raise UsageError("game 77 of the rule fails")
            os.kill(os.getpid(), signal.SIGINT)
        return sampled(*asked[:3], 0)

    monkeypatch.setattr(expect, "sampled", fails)
    told = Dialogue(session_of().run).answer("expect")
    assert {"an error": "Game 77 of the rule fails.", "Ctrl-C": "Given up."}[ends] in told
    assert len(tried) == 1
