"""The parts of a line of source code that say what is written: found by reading the line itself."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from typing import Final

from learners.engine.backups import backup, write

WRITERS: Final = {function.__name__: function for function in (backup, write)}


@cache
def arguments_of(code: str) -> tuple[tuple[str, int, int], ...]:
    """Name, first column and column after the last of each argument of the call that writes.

    The names are those of the function's parameters. Empty where the line is no such call, or is
    only a part of one.
    """
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):
        return ()
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not code.isascii():
        return ()
    function = WRITERS.get(call.func.id)
    if function is None:
        return ()
    names = tuple(inspect.signature(function).parameters)
    return tuple(
        (name, argument.col_offset, argument.end_col_offset or argument.col_offset)
        for name, argument in zip(names, call.args, strict=False)
    )
