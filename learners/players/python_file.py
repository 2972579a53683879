"""What a Python file defines, found without running it."""

from __future__ import annotations

import ast
from contextlib import suppress


def is_function(source: bytes, name: str) -> bool:
    """Return whether a file defines a function of this name, without running it.

    An object's method counts too, and a class that can be called and has no base. Any other class
    is a rule, as is an imported name with a capital letter.
    """
    for node in definitions(source):
        if node.name == name and isinstance(node, ast.ClassDef):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            return not node.bases and "__call__" in methods
        if node.name == name:
            return True
    return "." in name or name[:1].islower()


def definitions(source: bytes) -> list[ast.FunctionDef | ast.ClassDef]:
    """Return the functions and classes that a file defines, if it can be read."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        body = ast.parse(source).body
        return [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return []
