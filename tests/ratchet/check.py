"""The size of the house and the phrases that read as translated: numbers that may only fall.

    python tests/ratchet/check.py            compare with limits.toml; exit 1 where one is exceeded
    python tests/ratchet/check.py --write    write the numbers of now

A commit that raises a number in limits.toml says what the reader or the user gets for it.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import prose

ROOT = prose.ROOT
LIMITS = Path(__file__).with_name("limits.toml")
IDLE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


def code_lines(source: str) -> int:
    """Lines with a token that is neither a comment nor a docstring."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in IDLE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def measured() -> dict[str, int]:
    folders = ("game", "learners", "tui")
    product = [path.read_text() for name in folders for path in (ROOT / name).rglob("*.py")]
    tests = [path.read_text() for path in (ROOT / "tests").rglob("*.py")]
    return {
        "code_lines": sum(map(code_lines, product)),
        "files": len(product),
        "test_lines": sum(text.count("\n") for text in tests),
        "phrases": len(list(prose.found())),
        "phrases_in_docstrings": len(list(prose.found(docstrings=True))),
    }


def main() -> int:
    now = measured()
    if "--write" in sys.argv:
        LIMITS.write_text("".join(f"{name} = {number}\n" for name, number in now.items()))
    limits = tomllib.loads(LIMITS.read_text())
    for name, number in now.items():
        print(f"{name:24}{number:8,} of at most {limits[name]:,}")
    return int(any(number > limits[name] for name, number in now.items()))


if __name__ == "__main__":
    sys.exit(main())
