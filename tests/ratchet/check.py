"""The size of the house and the phrases that read as translated: numbers that may only fall.

    python tests/ratchet/check.py            compare with limits.toml; exit 1 where one is exceeded
    python tests/ratchet/check.py --write    write the numbers of now

A commit that raises a number in limits.toml says what the reader or the user gets for it.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
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


BANNED = re.compile(
    r"\b(?:whence|foretell|foretold|whoever|anew|unasked|for ever|such a one|thereof|therein"
    r"|hitherto|henceforth|his own|trainings|by which game|decides right(?:ly)?|can be had"
    r"|entries seen)\b",
    re.IGNORECASE,
)
LONGEST_LABEL = 12
LONGEST_SENTENCE = 30


def users_texts() -> Iterator[tuple[Path, str]]:
    """Yield the files with texts for users, and each of those texts."""
    for path, lines in prose.sources():
        for _, text in lines:
            yield path, text


def labels() -> Iterator[str]:
    """Yield the footer's label of each key of the lab and of its pages."""
    for path in (ROOT / "tui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Key", "command"):
                texts = [arg.value for arg in node.args[:2] if isinstance(arg, ast.Constant)]
                if len(texts) == 2 and isinstance(texts[1], str):
                    yield texts[1]


def sentences() -> Iterator[str]:
    """Yield the sentences of documents and screens, of lessons and `--help`."""
    pages = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    texts = []
    for page in pages:
        lines = [text for _, text in prose.markdown(page)]
        texts.append("\n".join("" if line.startswith(("|", "#")) else line for line in lines))
    for path in (ROOT / "tui" / "lab" / "scripts").glob("*.script"):
        texts += path.read_text().splitlines()
    for path, told in users_texts():
        if path.suffix == ".toml":
            texts += re.findall(r'"([^"]*)"', told)
        elif path.suffix == ".py" and not told.startswith("CREATE TABLE"):
            texts.append(re.sub(r"\x08.*", "", told))
    for text in texts:
        yield from re.split(r"[.!?:;](?=\s|$)|\n\n|\n(?=[-\d])", text)


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
        "banned_words": sum(len(BANNED.findall(text)) for _, text in users_texts()),
        "long_labels": sum(len(label) > LONGEST_LABEL for label in labels()),
        "long_sentences": sum(len(one.split()) > LONGEST_SENTENCE for one in sentences()),
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
