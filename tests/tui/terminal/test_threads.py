"""The threads of what goes on in the background."""

import os
import sys
import threading

import pytest

from learners.kernel import malloc
from tui.terminal import threads
from tui.terminal.threads import NICENESS, Threads


@pytest.mark.parametrize(("longest", "times"), [(-1.0, 2), (60.0, 0)])
def test_memory_is_given_back_after_long_work_also_after_work_that_fails(
    monkeypatch, longest: float, times: int
):
    given_back = []
    monkeypatch.setattr(threads, "LONG", longest)
    monkeypatch.setattr(malloc, "give_back", lambda: given_back.append(True))
    with Threads() as crew:
        assert crew.submit(pow, 2, exp=5).result() == 32
        assert isinstance(crew.submit(pow, 2, "five").exception(), TypeError)
    assert len(given_back) == times


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_background_work_gives_way_to_the_thread_of_the_keys():
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()
    with Threads() as crew:
        assert crew.submit(priority).result() == max(before, NICENESS)
    assert priority() == before
