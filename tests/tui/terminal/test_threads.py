"""The threads of what goes on in the background."""

import os
import sys
import threading

import pytest

from afterstate_lab.tui.terminal.threads import NICENESS, Threads


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_background_work_gives_way_to_the_thread_of_the_keys():
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()
    with Threads() as crew:
        assert crew.submit(priority).result() == max(before, NICENESS)
    assert priority() == before
