"""The house: unique class names, no circle of imports, rooms above rooms; and all is packaged."""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STOREYS = ("game", "learners", "tui")

CORE = ("engine", "rules", "kernel", "tape", "judge", "queries", "players")
ROOMS = {
    "game": (),
    "learners.engine": (),
    "learners.rules": CORE[:1],
    "learners.kernel": CORE[:2],
    "learners.tape": CORE[:3],
    "learners.judge": CORE[:3],
    "learners.queries": CORE[:5],
    "learners.players": CORE[:5],
    "learners.grading": CORE,
    "learners.store": CORE,
    "learners.experiments": (*CORE, "training", "chart_geometry"),
    "learners.addresses": (*CORE, "store"),
    "tui.views": (),
    "tui.theme": ("views",),
    "tui.terminal": ("theme",),
    "tui.lab": ("views", "theme"),
    "tui.widgets": ("views", "theme"),
    "tui.plain": ("lab", "views", "theme", "progress"),
    "tui.screens": ("widgets", "lab", "views", "theme", "terminal", "progress"),
    "tui.pictures": ("terminal",),
    "tui.cli": (
        *("app", "plain", "lab", "theme", "terminal", "progress", "preferences"),
        *("screens", "pictures"),
    ),
}
"""For each room, what it imports of its own storey."""
OPEN = {"learners.errors", "learners.files", "learners.toml_reader", "learners.version"}
"""What every room of its storey may import."""


@cache
def modules() -> dict[str, Path]:
    """The files of the three storeys by their modules' names."""
    found = {}
    for storey in STOREYS:
        for path in (ROOT / storey).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def syntax(module: str) -> list[ast.AST]:
    """The nodes of a module's file."""
    return list(ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))))


@cache
def imported_by(module: str) -> frozenset[str]:
    """The modules of the storeys that a module imports: at once, lazily, or for types."""
    names: set[str] = set()
    for node in syntax(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            for alias in node.names:
                # `from package import module` is the module; else it is the package's own file.
                inner = f"{node.module}.{alias.name}"
                names.add(inner if inner in modules() else node.module or "")
    return frozenset(name for name in names if name in modules() and name != module)


def circle_from(start: str) -> list[str]:
    """A shortest path of imports from a module back to itself; empty if there is none."""
    paths = [[start]]
    seen = {start}
    for path in paths:
        for name in sorted(imported_by(path[-1])):
            if name == start:
                return path
            if name not in seen:
                seen.add(name)
                paths.append([*path, name])
    return []


def class_names() -> Iterator[tuple[str, str]]:
    """Each class and where it is defined."""
    for module in modules():
        for node in syntax(module):
            if isinstance(node, ast.ClassDef):
                yield node.name, f"{module}:{node.lineno}"


def test_no_name_of_a_class_is_used_twice():
    places = defaultdict(list)
    for name, place in class_names():
        places[name].append(place)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_imports_go_in_a_circle():
    """Lazy imports and those for types count: a reader follows them too."""
    circles = {frozenset(circle_from(module)) for module in modules()}
    assert [sorted(circle) for circle in circles if circle] == []


def test_every_room_of_the_upper_storeys_has_its_place():
    packages = {".".join(module.split(".")[:2]) for module in modules() if module.count(".") > 1}
    assert packages == {room for room in ROOMS if "." in room}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_below_it(room: str):
    storey = room.partition(".")[0]
    below = STOREYS[: STOREYS.index(storey)]
    allowed = {room, *OPEN, *below, *(f"{storey}.{other}" for other in ROOMS[room])}
    inside = [module for module in modules() if is_in(module, {room})]
    assert inside, f"there is no room {room}"
    wrong = {
        (module, name)
        for module in inside
        for name in imported_by(module)
        if not is_in(name, allowed)
    }
    assert sorted(wrong) == []


def is_in(module: str, rooms: set[str]) -> bool:
    """Whether a module is one of these rooms, or in one."""
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def test_a_wheel_holds_every_file_of_the_storeys():
    with (ROOT / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["package-data"]["*"]
    for storey in STOREYS:
        for path in (ROOT / storey).rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":
                packaged = path.suffix == ".py" or any(fnmatch(path.name, p) for p in patterns)
                assert packaged, f"package-data has no {path.name}"
                if path.suffix == ".py":
                    assert (path.parent / "__init__.py").is_file(), f"{path.parent} is no package"
