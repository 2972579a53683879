"""Find phrases that read as translated, in users' texts or in docstrings.

    python tests/ratchet/prose.py [--docstrings]

Prints `path:line: [rule] text -> suggestion`. It reads Markdown outside code, strings of TOML, and
strings of Python.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = [
    (rule["name"], re.compile(rule["pattern"], 0 if rule.get("case") else re.I), rule["better"])
    for rule in tomllib.loads(Path(__file__).with_name("phrases.toml").read_text())["rule"]
]
FENCE = re.compile(r"^\s*(```|~~~)")


def markdown(path: Path) -> Iterator[tuple[int, str]]:
    inside = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", "`x`", line)


def python(path: Path, docstrings: bool) -> Iterator[tuple[int, str]]:
    """The strings of a file, or its docstrings; the help of a command is a text for users."""
    tree = ast.parse(path.read_text())
    nodes = list(ast.walk(tree))
    bare = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            texts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(map(str, texts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_asked = id(node) not in parts and (id(node) in bare) == docstrings
            if is_asked and " " in node.value:
                yield node.lineno, " ".join(node.value.split())
        elif isinstance(node, ast.FunctionDef) and not docstrings:
            is_command = any("command" in ast.dump(one) for one in node.decorator_list)
            if is_command and (text := ast.get_docstring(node)):
                yield node.lineno, " ".join(text.split())


def toml(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if '"' in line and not line.lstrip().startswith("#"):
            yield number, line


def found(docstrings: bool = False) -> Iterator[str]:
    """Each phrase with its place and what would be better."""
    sources: list[tuple[Path, Iterator[tuple[int, str]]]] = []
    if not docstrings:
        pages = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))]
        sources += [(page, markdown(page)) for page in pages]
        tables = (path for name in ("tui", "learners") for path in (ROOT / name).rglob("*.toml"))
        sources += [(path, toml(path)) for path in sorted(tables)]
    code = (path for name in ("game", "learners", "tui") for path in (ROOT / name).rglob("*.py"))
    sources += [(path, python(path, docstrings)) for path in sorted(code)]
    for path, lines in sources:
        for number, text in lines:
            for name, pattern, better in RULES:
                for match in pattern.finditer(text):
                    near = text[max(0, match.start() - 30) : match.end() + 30]
                    yield f"{path.relative_to(ROOT)}:{number}: [{name}] …{near}… -> {better}"


if __name__ == "__main__":
    for line in found("--docstrings" in sys.argv):
        print(line)
