"""Compile one kernel, or what searches run, in this process and store it in the cache.

    python -m afterstate_lab.learners.precompile X_SPEC O_SPEC FROZEN_X FROZEN_O RECORDING
    python -m afterstate_lab.learners.precompile greedy-changes
    python -m afterstate_lab.learners.precompile evaluator

`learners.kernel.compiler` runs it. It ends with the process that started it: on Linux at once, else
when the compiler lets the thread run that waits for the end of standard input.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from afterstate_lab.learners.ask.marks import MARKS, compiled_marks
from afterstate_lab.learners.judge import evaluator
from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.host import PARENT_DEATH, control
from afterstate_lab.learners.players.resolve import parse_player


def end_with_parent() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    if sys.platform != "win32":
        control(PARENT_DEATH, signal.SIGKILL)
    threading.Thread(target=end_with_parent, daemon=True).start()
    if sys.argv[1:] == [MARKS]:
        compiled_marks()
    elif sys.argv[1:] == [evaluator.EVALUATOR]:
        evaluator.load()
    else:
        x, o, *flags = sys.argv[1:]
        layout = Layout.of(parse_player(x), parse_player(o))
        frozen_x, frozen_o, recording = (flag == "True" for flag in flags)
        kernel = Kernel(layout, 0, frozen_x=frozen_x, frozen_o=frozen_o)
        kernel.compile(recording=recording, in_child=False)
