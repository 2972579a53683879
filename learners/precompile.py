"""Compile one kernel, or what searches run, in this process and store it in the cache.

    python -m learners.precompile X_SPEC O_SPEC FROZEN_X FROZEN_O RECORDING
    python -m learners.precompile greedy-changes

`learners.kernel.order` runs it. It ends at once when its standard input does: with the process that
ordered the machine code, however that one ended.
"""

from __future__ import annotations

import os
import sys
import threading

from learners.kernel.kernel import Kernel
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player
from learners.queries.greedy_changes import MARKS, compiled_marks


def end_with_parent() -> None:
    """End this process when the one that started it is gone."""
    while os.read(0, 1024):
        pass
    os._exit(1)


def main(x: str, o: str, frozen_x: str, frozen_o: str, recording: str) -> None:
    """Compile one kernel in this process."""
    layout = Layout.of(parse_player(x), parse_player(o))
    frozen = {"frozen_x": frozen_x == "True", "frozen_o": frozen_o == "True"}
    Kernel(layout, 0, **frozen).compile(recording=recording == "True", elsewhere=False)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    if sys.argv[1:] == [MARKS]:
        compiled_marks(None)
    else:
        main(*sys.argv[1:])
