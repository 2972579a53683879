"""Somebody's agent as a player: a function of a file, a program, or a table."""

from __future__ import annotations

import ast
import hashlib
import re
import shlex
import shutil
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from game import Side, space
from learners.errors import AgentError, shown_path
from learners.files import LockedError, check_trust, is_locked, opened, source_of
from learners.players.agent_policy import AGENTS_KEPT, AgentSource, Answers, Progress
from learners.players.agent_process import FunctionProcess, Program
from learners.players.agent_table import read_table
from learners.rules.base import Rule
from learners.rules.opponents import Agent
from learners.rules.spec import PlayerSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from learners.engine.entries import Entries

OPTIONS: Final = re.compile(r"(.*?)(?::((?:seconds|sha256)=.*))?", re.DOTALL)
"""A text whose options may follow a colon: what comes before may have colons, too."""
TABLE: Final = re.compile(r"(.+\.(?:csv|json))(?::(.*))?", re.DOTALL)
DIGITS: Final = 16
"""Of a SHA-256, in a spec."""
FUNCTION_SECONDS: Final = 20.0
"""A minimax without a table needs some for the empty board."""
PROGRAM: Final = "cmd:"
FILE: Final = "the file"
"""What messages call the file of an agent."""


class ReadAgent(Agent):
    """An agent that is asked when its first run begins; a subclass names one."""

    from_where: ClassVar[AgentSource]

    @classmethod
    def check_side(cls, side: int) -> None:
        source = cls.from_where
        if source.table is not None and not source.table.plays(Side(side)):
            raise source.error(f"has no row for {'XO'[side]}")

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        side = Side(int(space().ply[entries.boards[0]]) % 2)
        policy = cls.answers(side, settings).policy
        return policy[space().edge_of[entries.boards, entries.cells]]

    @classmethod
    def answers(
        cls, side: Side, settings: Mapping[str, Any], progress: Progress | None = None
    ) -> Answers:
        """What it answers for a side; it is asked once.

        Raises:
            AgentError: it does not play this side, or not legally.
        """
        cls.check_side(side)
        return cls.from_where.read(side, float(settings["seconds"]), progress)


def agent_of(spec: PlayerSpec) -> type[ReadAgent]:
    """The agent that a player is, of those that are asked."""
    return cast(type[ReadAgent], spec.rule)


def unread(spec: PlayerSpec, side: Side) -> type[ReadAgent] | None:
    """The agent that a player is, where it has still to be asked; None for all others."""
    if not spec.rule.is_asked:
        return None
    rule = agent_of(spec)
    return None if rule.from_where.is_read(side, float(spec.settings["seconds"])) else rule


def agent_rule(source: AgentSource, default_seconds: float = 2.0) -> type[Rule]:
    """The player that an agent is.

    Args:
        source: the agent.
        default_seconds: how long it may take for a move, where the spec does not say.
    """

    class OneAgent(ReadAgent):
        """The agent of one file, in one version, or of one command line."""

        name = source.name
        from_where = source
        options = (replace(Agent.options[0], default=default_seconds), Agent.options[1])

    return OneAgent


def find_agent(text: str) -> tuple[type[Rule], str] | None:
    """The player that is an agent, and the text of its options; None where the text names none.

    Nothing of the agent is run for it.

    Raises:
        AgentError: there is no such file or program, or it may not be used.
    """
    if text.startswith(PROGRAM):
        match = OPTIONS.fullmatch(text)
        assert match is not None
        return program_rule(match[1]), match[2] or ""
    if match := TABLE.fullmatch(text):
        return table_rule(match[1], digest_of(match[1])), match[2] or ""
    path, ending, rest = text.rpartition(".py:")
    name, _, options = rest.partition(":")
    if not ending or not is_function(f"{path}.py", name):
        return None
    return function_rule(f"{path}.py", name), options


def is_function(path: str, name: str) -> bool:
    """Whether a file defines a function of this name, or what may be one; it is not run.

    A class is a rule, and so is a name with a capital that comes from elsewhere.
    """
    try:
        tree = ast.parse(source_of(Path(path), FILE))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return name[:1].islower()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return isinstance(node, ast.FunctionDef)
    return name[:1].islower()


def function_rule(path: str, name: str) -> type[Rule]:
    """The player that a function of a file is."""
    source = source_of(Path(path), FILE)
    return one_function(path, name, hashlib.sha256(source).hexdigest()[:DIGITS])


@lru_cache(maxsize=AGENTS_KEPT)
def one_function(path: str, name: str, sha256: str) -> type[Rule]:
    """`function_rule` for one version of the file."""
    source = AgentSource(
        f"{path}:{name}", sha256, start=lambda seconds: FunctionProcess(path, name, seconds)
    )
    return agent_rule(source, FUNCTION_SECONDS)


@lru_cache(maxsize=AGENTS_KEPT)
def table_rule(path: str, sha256: str) -> type[Rule]:
    """The player that a table is, in one version of its file."""
    try:
        return agent_rule(AgentSource(path, sha256, read_table(Path(path))))
    except AgentError as error:
        raise AgentError(f"{shown_path(path)} {error}") from None


def program_rule(text: str) -> type[Rule]:
    """The player that the program of a command line is.

    Raises:
        AgentError: the lab is locked, or there is no such program.
    """
    name = shown_path(text)
    if is_locked():
        raise AgentError(f"{name} is not run: {LockedError(Path(text)).strerror}")
    try:
        words = tuple(shlex.split(text.removeprefix(PROGRAM)))
    except ValueError:
        raise AgentError(f"{name} has a quote that does not end") from None
    if not words or shutil.which(words[0]) is None:
        program = shown_path(words[0]) if words else "nothing"
        raise AgentError(f"there is no program {program} to run for {name}")
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape"))
    for word in words:
        if is_own_file(word):
            digest.update(digest_of(word).encode())
            check_trust(Path(word), FILE)
    return one_program(text, words, digest.hexdigest()[:DIGITS])


def is_own_file(word: str) -> bool:
    """Whether a word of a command line is the path of a file that can be read."""
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False


@lru_cache(maxsize=AGENTS_KEPT)
def one_program(text: str, words: tuple[str, ...], sha256: str) -> type[Rule]:
    """`program_rule` for one version of the files that the command line names."""
    return agent_rule(AgentSource(text, sha256, start=lambda seconds: Program(words, seconds)))


def digest_of(path: str) -> str:
    """The first digits of the SHA-256 of a file.

    Raises:
        AgentError: it cannot be read.
    """
    try:
        with opened(Path(path)) as file:
            digest = hashlib.sha256()
            while data := file.read(1 << 20):
                digest.update(data)
            return digest.hexdigest()[:DIGITS]
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "it is no path").lower()
        raise AgentError(f"{shown_path(path)} cannot be read: {why}") from None


def with_digest(spec: PlayerSpec) -> PlayerSpec:
    """An agent whose spec names its file by its SHA-256, so that a saved run knows which it was.

    Raises:
        AgentError: the spec names another.
    """
    rule = agent_of(spec)
    wanted, found = spec.settings["sha256"], rule.from_where.sha256
    if wanted and not (wanted.startswith(found) or found.startswith(wanted)):
        raise AgentError(
            f"{shown_path(rule.name)} has changed: it has sha256={found} now, not "
            f"{wanted} (leave sha256 out to take it as it is)"
        )
    return spec.with_setting("sha256", found)
