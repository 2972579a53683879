"""What is said of a search that goes on."""

from __future__ import annotations

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.outcomes import RunningSearch, Search


def test_a_search_tells_how_far_it_is_and_that_it_ends_once_it_was_given_up():
    run = Run(parse_player("td"), parse_player("td"))
    search = Search("what if X were q", lambda part, stop: None, lambda found: None, run)
    running = RunningSearch(search)
    assert running.words.endswith("0%  Esc gives up")
    running.stop()
    assert running.words == "what if X were q: giving up."
