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


def tokens(source: str) -> int:
    """Tokens without comments, docstrings and line ends: lines can be packed, these cannot."""
    docstrings = {
        (node.lineno, node.col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return sum(
        token.type not in IDLE and token.start not in docstrings
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
    )


def packed_lines(source: str) -> int:
    """Lines that `fmt: skip` keeps from the formatter."""
    marked = {n for n, line in enumerate(source.split("\n"), 1) if "fmt: skip" in line}
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt)
        and not isinstance(node, ast.FunctionDef | ast.ClassDef)
        and node.end_lineno in marked
    )


def lazy_imports(source: str) -> int:
    """Imports inside functions."""
    return sum(
        isinstance(inner, ast.Import | ast.ImportFrom)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
    )


def calls(folder: str, name: str) -> Iterator[ast.Call]:
    """Yield the calls of a function by its name in the files of a folder."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
                yield node


BANNED = re.compile(
    r"\b(?:whence|foretell|foretold|whoever|anew|unasked|for ever|such a one|thereof|therein"
    r"|hitherto|henceforth|his own|trainings|by which game|decides right(?:ly)?|can be had"
    r"|entries seen)\b",
    re.IGNORECASE,
)
KEPT = (".txt", ".script", ".svg", ".json")
"""Endings of texts that the tests compare with."""
LONGEST_LABEL = 12
LONGEST_SENTENCE = 30


def labels() -> Iterator[str]:
    """Yield the footer's label of each key of the lab and of its pages."""
    made = [call.args[:2] for name in ("Key", "command") for call in calls("tui", name)]
    for args in (*made, *(call.args[2:4] for call in calls("tui/verbs", "page"))):
        texts = [arg.value for arg in args if isinstance(arg, ast.Constant)]
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
    for path, _, told in prose.texts():
        if path.suffix == ".toml":
            texts += re.findall(r'"([^"]*)"', told)
        elif path.suffix == ".py" and not told.startswith("CREATE TABLE"):
            texts.append(re.sub(r"\x08.*", "", told))
    for text in texts:
        yield from re.split(r"[.!?:;](?=\s|$)|\n\n|\n(?=[-\d])", text)


def measured() -> dict[str, int]:
    from afterstate_lab.tui import verbs
    from afterstate_lab.tui.cli import group

    folders = ("afterstate_lab", "game", "learners", "tui")
    product = [path.read_text() for name in folders for path in (ROOT / name).rglob("*.py")]
    tests = [path.read_text() for path in (ROOT / "tests").rglob("*.py")]
    kept = [path for path in (ROOT / "tests").rglob("*") if path.suffix in KEPT]
    pages = {ast.unparse(call.args[0]) for call in calls("tui/pages", "Page")}
    return {
        "tokens": sum(map(tokens, product)),
        "files": len(product),
        "packed_lines": sum(map(packed_lines, product)),
        "lazy_imports": sum(map(lazy_imports, product)),
        "verbs": len({getattr(one.do, "func", one.do) for one in verbs.COMMANDS}),
        "commands": len(group.COMMANDS),
        "pages": len(pages),
        "test_lines": sum(text.count("\n") for text in tests),
        "kept_lines": sum(path.read_text(errors="replace").count("\n") for path in kept),
        "phrases": len(list(prose.found())),
        "phrases_in_docstrings": len(list(prose.found(docstrings=True))),
        "banned_words": sum(len(BANNED.findall(text)) for *_, text in prose.texts()),
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
