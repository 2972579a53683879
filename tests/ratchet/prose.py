"""Find phrases that read as translated, in users' texts or in docstrings.

    python tests/ratchet/prose.py [--docstrings]

Prints `path:line: [rule] text -> suggestion`. It reads Markdown outside code, strings of TOML, and
strings of Python.
"""

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


def texts(docstrings: bool = False) -> Iterator[tuple[Path, int, str]]:
    """Yield the texts for users, or the docstrings: of each its file and line."""

    def files(pattern: str, *folders: str) -> list[Path]:
        return sorted(path for name in folders for path in (ROOT / name).rglob(pattern))

    read = [(path, python(path, docstrings)) for path in files("*.py", "game", "learners", "tui")]
    if not docstrings:
        pages = (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))
        read += [(path, markdown(path)) for path in pages]
        read += [(path, toml(path)) for path in files("*.toml", "tui", "learners")]
    for path, lines in read:
        for number, text in lines:
            yield path, number, text


def found(docstrings: bool = False) -> Iterator[str]:
    """Yield each phrase with its place and what would be better."""
    for path, number, text in texts(docstrings):
        for name, pattern, better in RULES:
            for match in pattern.finditer(text):
                near = text[max(0, match.start() - 30) : match.end() + 30]
                yield f"{path.relative_to(ROOT)}:{number}: [{name}] …{near}… -> {better}"


if __name__ == "__main__":
    for line in found("--docstrings" in sys.argv):
        print(line)
