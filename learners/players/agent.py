"""An external agent as a player: a function of a file, a program, or a table of answers.

The lab asks it on every board of its side before the first game (see `asking`); afterwards its
moves have known probabilities. On a board that its games never reach it can fail.
"""

from __future__ import annotations

import ast
import errno
import hashlib
import math
import os
import re
import shlex
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from afterstate_lab.game import Side
from afterstate_lab.learners import files
from afterstate_lab.learners.errors import AgentError, UsageError, shown_path
from afterstate_lab.learners.players.answers import LARGEST_FILE, parse_table
from afterstate_lab.learners.players.asking import PROGRAM, ReadAgent
from afterstate_lab.learners.rules.spec import PlayerSpec

AGENTS_KEPT: Final = 16
OPTIONS: Final = re.compile(r"(.*?)(?::((?:seconds|sha256)=.*))?", re.DOTALL)
"""A name, which can contain colons, and its options."""
DIGITS: Final = 16
"""Number of hex digits of a SHA-256 in a spec."""
FILE: Final = "file"


def unread(spec: PlayerSpec, side: Side) -> type[ReadAgent] | None:
    """Return the agent of a player that must still be asked, or None."""
    if not spec.rule.is_asked:
        return None
    rule = agent_of(spec)
    return None if (side, float(spec.settings["seconds"])) in rule.known else rule


def agent_of(spec: PlayerSpec) -> type[ReadAgent]:
    return cast(type[ReadAgent], spec.rule)


def function(path: str, name: str) -> type[ReadAgent] | None:
    """Return the player of a function of a file, without running it; None for a rule."""
    try:
        source = files.source_of(Path(path), FILE)
    except UsageError:
        if name[:1].islower():
            raise
        return None  # a rule's: its own reader says why
    if not is_function(source, name):
        return None
    digest, command = hashlib.sha256(source).hexdigest(), ("-P", "function", path, name)
    # Plain minimax needs some seconds for the empty board.
    return agent_rule(f"{path}:{name}", digest, command, 20.0)


def is_function(source: bytes, name: str) -> bool:
    """Return whether a file defines a function of this name, without running it.

    An object's method counts too, and a class that can be called and has no base. Any other class
    is a rule, as is an imported name with a capital letter.
    """
    body: list[ast.stmt] = []
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        body = ast.parse(source).body
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return True
        if isinstance(node, ast.ClassDef) and node.name == name:
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            return not node.bases and "__call__" in methods
    return "." in name or name[:1].islower()


def program(text: str) -> tuple[type[ReadAgent], str]:
    """Return the player of a command line, and its options."""
    import shutil  # loads every compression

    match = OPTIONS.fullmatch(text)
    assert match is not None
    line, options = match[1], match[2] or ""
    name = shown_path(line)
    if files.is_locked():
        raise AgentError(f"refusing to run {name}: {files.LockedError(Path(line)).strerror}")
    try:
        words = shlex.split(line.removeprefix(PROGRAM))
    except ValueError:
        raise AgentError(f"{name} has an unclosed quote") from None
    if not words or shutil.which(words[0]) is None:
        missing = shown_path(words[0]) if words else "nothing"
        raise AgentError(f"no such program for {name}: {missing}")
    digest = hashlib.sha256(line.encode("utf-8", "surrogateescape"))
    for word in filter(files.is_file, words):
        digest.update(sha256_of(word)[:DIGITS].encode())
        files.check_trust(Path(word), FILE)
    return agent_rule(line, digest.hexdigest(), ("-I -S", "program", *words)), options


@lru_cache(maxsize=AGENTS_KEPT)
def agent_rule(
    name: str, sha256: str, command: tuple[str, ...] = (), default_seconds: float = 2.0
) -> type[ReadAgent]:
    """Return the player of one version of an agent; a table if there is no command."""
    fields: dict[str, Any] = {"name": name, "sha256": sha256[:DIGITS], "command": command}
    if not command:
        with files.reading(Path(name), AgentError) as file:
            data = file.read(LARGEST_FILE + 1)
        try:
            fields["table"] = parse_table(data, is_json=name.endswith(".json"))
        except AgentError as error:
            raise AgentError(f"{shown_path(name)} {error}") from None
    seconds, digest = ReadAgent.options
    fields["options"] = (replace(seconds, default=default_seconds), digest)
    return type("OneAgent", (ReadAgent,), fields)


def sha256_of(path: str, kind: type[UsageError] = AgentError, largest: float = math.inf) -> str:
    """Return the SHA-256 of a file's content, of at most so many bytes; else an error of a kind."""
    with files.reading(Path(path), kind) as file:
        if os.fstat(file.fileno()).st_size > largest:
            raise OSError(errno.EFBIG, "it is too large for a player's file")
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
