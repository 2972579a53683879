"""Runs an agent in a process of its own, within limits; it imports nothing of this project.

Started by its path (see `agent_process`), so that an agent that imports its own `game.py` gets that
one. `program` turns into the program of a command line. `function` asks a function of a Python file
for its answer to every board that stands on a line of the input; each answer is a line of JSON:
`{"answer": …}`, or `{"failed": text, "line": number}`; the first line says that the file was read.
The limits keep mistakes from hurting the machine. This is no sandbox.
"""

from __future__ import annotations

import importlib.util
import json
import operator
import os
import sys
import traceback
from pathlib import Path
from typing import Any

LARGEST_MEMORY = 4 << 30
"""Bytes of address space."""
LONGEST_TEXT = 200
"""Characters of what is told of an error or of an answer that is none."""
LARGEST_NUMBER = 99


def limit() -> None:
    """Let this process use only so much memory, and leave no core behind."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, LARGEST_MEMORY), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, hard))


def plain(value: Any) -> Any:
    """An answer as what JSON has: a number, some numbers, or numbers by name."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if isinstance(value, dict) and len(value) <= 2 * LONGEST_TEXT:
        return {str(name)[:LONGEST_TEXT]: plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)) and len(value) <= LONGEST_TEXT:
        return [plain(part) for part in value]
    try:
        number = operator.index(value)
    except TypeError:
        return f"something of type {type(value).__name__}"[:LONGEST_TEXT]
    return number if abs(number) <= LARGEST_NUMBER else "a number beyond 99"


def failure(error: BaseException, path: str) -> dict[str, object]:
    """What went wrong, and in which line of the file."""
    try:
        told = str(error)
    except Exception:
        told = ""
    name = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == path]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return {"failed": (f"{name}: {told}" if told else name)[:LONGEST_TEXT], "line": line}


def ask(path: str, name: str) -> None:
    """Answer the boards on the input by a function of a file."""
    boards = os.fdopen(os.dup(0), "r", encoding="ascii")
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what the agent prints is no answer

    def tell(what: dict[str, object]) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    file = Path(path).resolve()
    path, sys.path[0] = str(file), str(file.parent)
    sys.argv = [path]
    try:
        spec = importlib.util.spec_from_file_location(file.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        spec.loader.exec_module(module)
        function = getattr(module, name)
    except BaseException as error:
        tell(failure(error, path))
        return
    if not callable(function):
        tell({"failed": f"{name} is no function", "line": None})
        return
    tell({"answer": None})
    for board in boards:
        try:
            told: dict[str, object] = {"answer": plain(function(board.strip()))}
        except BaseException as error:
            told = failure(error, path)
        tell(told)


if __name__ == "__main__":
    limit()
    if sys.argv[1] == "function":
        ask(sys.argv[2], sys.argv[3])
    else:
        os.execvp(sys.argv[2], sys.argv[2:])
