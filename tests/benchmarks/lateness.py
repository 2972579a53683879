"""How late the machine itself wakes a process that does nothing but sleep.

    python tests/benchmarks/lateness.py

Sleeps for a moment again and again until its input is closed, then prints the 99th percentile of
how much longer it took, in milliseconds. A machine with idle processors is late by less than one.
"""

from __future__ import annotations

import select
import subprocess
import sys
import time
from types import TracebackType
from typing import Self

PAUSE = 0.002


class Lateness:
    """Watches the machine while something is measured."""

    milliseconds = 0.0
    """Known at the end."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        out, _error = self._process.communicate()
        self.milliseconds = float(out)


def main() -> None:
    late = []
    while True:
        began = time.perf_counter()
        if select.select([sys.stdin], [], [], PAUSE)[0]:
            break
        late.append(time.perf_counter() - began - PAUSE)
    late.sort()
    print(1000 * late[int(0.99 * len(late))] if late else 0.0)


if __name__ == "__main__":
    main()
