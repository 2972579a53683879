"""Name a file that is no player for what it is, and show the way."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from afterstate_lab.learners.errors import shown_path
from afterstate_lab.learners.files import opened

LOAD: Final = "load it in a function of a Python file, FILE.py:NAME, or write a table of it"
STARTS: Final = (
    (b"\x80", "a pickle, which could run any code here", LOAD),
    (b"\x93NUMPY", "an array of numpy", LOAD),
    (b"PK\x03\x04", "a zip archive, as models of PyTorch and Keras are", LOAD),
    (b"\x89HDF", "an HDF5 file, as models of Keras are", LOAD),
    (b"SQLite format 3", "an SQLite database", LOAD),
    (b"PAR1", "a Parquet table", LOAD),
    (b"\x7fELF", "a program", "cmd:PROGRAM asks it"),
    (b"#!", "a program", "cmd:PROGRAM asks it"),
)
"""The first bytes of a file, what it is, and the way."""
ENDINGS: Final = {
    ".ipynb": ("a notebook", "call judge_agent in it, or write the function to a FILE.py"),
    ".js": ("a program for Node", '"cmd:node FILE.js" asks it'),
    ".jar": ("a program in Java", '"cmd:java -jar FILE.jar" asks it'),
    ".c": ("a program in C", "compile it, and cmd:PROGRAM asks it"),
}


def described_file(path: Path) -> str:
    """Return what a file is, and how to judge what is in it."""
    start = b""
    with suppress(OSError), opened(path) as file:
        start = file.read(200)
    kind, way = ENDINGS.get(path.suffix, ("", ""))
    if not kind:
        known = ((what, how) for first, what, how in STARTS if start.startswith(first))
        kind, way = next(known, ("", ""))
    if not kind:
        fields = start.decode("utf-8", "replace").partition("\n")[0].split(",")
        is_data = len(fields) >= 9 and {field.strip() for field in fields[:9]} <= set("xobXOB.")
        kind = "a data set of boards without moves" if is_data else "a file, but no player"
        way = "a table of moves is FILE.csv or FILE.json, a function FILE.py:NAME"
    return f"{shown_path(path)} is {kind}: {way}"
