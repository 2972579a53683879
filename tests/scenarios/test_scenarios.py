"""What the command and plain mode answer, line by line: each file beside this one is a scenario.

A line `$ afterstate ...` is a command, a line `> words` is typed to it, and below stands what is
told. `…` is any text, and in a line of its own any lines. A line with `#` says what is shown.
`AFTERSTATE_NEW_SNAPSHOTS=1` writes what is told now where it differs; look at the change.
"""

import io
import os
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from afterstate_lab.tui.command import main

SCENARIOS = sorted(Path(__file__).parent.glob("*.txt"))
SLOW = ("break", "film", "table-of-moves", "values-and-dice", "why-of-half", "writer-and-why")
"""Long ones, which are not among the default tests."""
TURN = ("$ ", "> ", "#")
VARYING = (
    (r"in [\d.]+ seconds?", "in 0.1 seconds"),
    (r"\([\d,]+ a second\)", "(1 a second)"),
    (r"\.py:\d+", ".py:1"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-11-23 09:00"),
)


@dataclass
class Turn:
    """A line of a scenario, what should be told after it, and what is told."""

    line: str
    expected: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The line and what is told: in the words of the file where those hold."""
        pattern = "".join(
            "(?:.*\n)*" if line == "…" else f"{re.escape(line).replace('…', '.*')}\n"
            for line in self.expected
        )
        told = "".join(f"{line}\n" for line in self.told)
        lines = self.expected if re.fullmatch(pattern, told) else self.told
        return "".join(f"{line}\n" for line in [self.line, *lines])


class Typist(io.TextIOBase):
    """Standard input that types a line after the other, and sees what was told before each."""

    def __init__(self, turns: list[Turn], output: io.StringIO) -> None:
        self._turns, self._output = iter(turns), output
        self.last: Turn | None = None

    def isatty(self) -> bool:
        return True  # so that no line is echoed

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        self.take(prompted=True)
        self.last = next(self._turns, None)
        return "q\n" if self.last is None else f"{self.last.line[2:]}\n"

    def take(self, *, prompted: bool = False) -> None:
        """Keep what was told since the last line, without the prompt for the next one."""
        lines = self._output.getvalue().split("\n")
        self._output.seek(0)
        self._output.truncate()
        if self.last is not None:
            told = "\n".join(lines[:-1] if prompted else lines)
            for varying, same in VARYING:
                told = re.sub(varying, same, told)
            self.last.told += [line.rstrip() for line in told.split("\n") if line.strip()]


def play(command: Turn, typed: list[Turn], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command and type these lines to it."""
    output = io.StringIO()
    typist = Typist(typed, output)
    typist.last = command
    monkeypatch.setattr(sys, "argv", shlex.split(command.line[2:]))
    for name, stream in (("stdin", typist), ("stdout", output), ("stderr", output)):
        monkeypatch.setattr(sys, name, stream)
    try:
        main()
    except SystemExit as end:
        if end.code:
            output.write(f"status {end.code}\n")
    typist.take()


@pytest.mark.quick(*({path.stem for path in SCENARIOS} - set(SLOW)))
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path, tmp_path: Path, data_of_its_own: Path) -> None:
    turns: list[Turn] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(TURN):
            turns.append(Turn(line))
        else:
            turns[-1].expected.append(line)
    starts = [n for n, turn in enumerate(turns) if turn.line.startswith("$ ")]
    for start, stop in zip(starts, [*starts[1:], len(turns)], strict=True):
        typed = [turn for turn in turns[start + 1 : stop] if turn.line.startswith("> ")]
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("AFTERSTATE_INTERPRETED", "1")
            patched.setenv("AFTERSTATE_DATA", str(data_of_its_own))
            patched.chdir(tmp_path)
            play(turns[start], typed, patched)
    told = "".join(turn.text for turn in turns)
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
