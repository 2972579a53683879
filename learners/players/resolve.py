"""Find the player that a text names: a built-in rule, a file, or a plug-in.

Built-in players need no numpy, since every command reads two names.

Plug-ins are players of installed packages, by the names of their entry points: `afterstate.rules`
names classes (`course.rules:Mine`), `afterstate.players` functions. A name stands for the file in
the package and follows the rules of files; finding it imports nothing of the package.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import SpecError, printable, shown, shown_path
from afterstate_lab.learners.files import is_file, opened
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import BUILT_IN, PlayerSpec, find_built_in, runs_code

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

CALLED: Final = re.compile(r"(?!cmd:)(.*[\w])\((.*)\)", re.DOTALL)
"""A spec with options as Python has them."""
TABLE: Final = re.compile(r"\.(?:csv|json)(?::|$)")
GROUPS: Final = ("afterstate.rules", "afterstate.players")
PLUGIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")
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


def find(text: str) -> tuple[type[Rule], str]:
    """Return the rule that a spec names, and the text of its options.

    Raises:
        SpecError: there is no such rule.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule, or of a plug-in, cannot be used.
    """
    if called := CALLED.fullmatch(text):
        name, options = called.groups()
        colon = ":" * bool(options)
        raise SpecError(f"{shown(text)} has brackets: write {shown(f'{name}{colon}{options}')}")
    path, ending, options = text.rpartition(".npz")
    if ending and (not options or options.startswith(":")):
        from afterstate_lab.learners.players.policy_file import saved_player

        return saved_player(path + ending), options[1:]
    if runs_code(text) or TABLE.search(text):
        from afterstate_lab.learners.players.agent import find_agent

        if (agent := find_agent(text)) is not None:
            return agent
    path, ending, rest = text.rpartition(".py:")
    if ending:
        from afterstate_lab.learners.players.user_rule import user_rule

        class_name, _, options = rest.partition(":")
        return user_rule(f"{path}.py", class_name), options
    named = as_file(text)
    is_known = text.endswith(".py") or text.partition(":")[0] in (*BUILT_IN, "museum")
    if named is None and not is_known and is_file(text):
        raise SpecError(described_file(Path(text)))
    return find_built_in(text) if named is None else find(named)


def parse_player(text: str) -> PlayerSpec:
    """Return the player that a spec names, files included.

    Raises:
        SpecError: an unknown name or option, or a value out of range.
        PolicyFileError: the file of a saved policy cannot be used.
        RuleFileError: the file of a user's own rule cannot be used.
        AgentError: an agent cannot be used, or its file is not the one that the spec names.
    """
    spec = PlayerSpec.parse(text, find)
    if spec.rule.is_asked:
        from afterstate_lab.learners.players.agent import with_digest

        return with_digest(spec)
    if spec.given and not spec.rule.is_trusted:
        from afterstate_lab.learners.players.user_rule import check_writes

        check_writes(spec)
    return spec


def plugins() -> dict[str, list[EntryPoint]]:
    """Return the players of installed packages by name; a name with several is refused."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for point in (point for group in GROUPS for point in entry_points(group=group)):
        if PLUGIN.fullmatch(point.name) and point.name not in (*BUILT_IN, "museum"):
            found.setdefault(point.name, []).append(point)
    return dict(sorted(found.items()))


def package_of(point: EntryPoint) -> str:
    return printable(point.dist.name) if point.dist is not None else "a package"


def as_file(text: str) -> str | None:
    """Return a spec with its installed player replaced by the file, or None."""
    name, colon, options = text.partition(":")
    if name in (*BUILT_IN, "museum") or not PLUGIN.fullmatch(name):
        return None
    points = plugins().get(name, [])
    if not points:
        return None
    if len(points) > 1:
        packages = " and ".join(map(package_of, points))
        raise SpecError(f"{packages} each have a player {shown(name)}: uninstall one of them")
    (point,) = points
    inside = point.module.replace(".", "/")
    for candidate in (f"{inside}.py", f"{inside}/__init__.py"):
        place = point.dist.locate_file(candidate) if point.dist is not None else candidate
        if (point.attr or "").isidentifier() and Path(str(place)).is_file():
            return f"{place}:{point.attr}{colon}{options}"
    raise SpecError(
        f"the player {shown(name)} of {package_of(point)} is missing: its entry point "
        f"{shown(point.value)} must be MODULE:NAME of a file that is installed with it"
    )


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
