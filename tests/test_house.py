"""The house: no circle of imports, and every file is packaged. `lint-imports` has the layers."""

import ast
import tomllib
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
STOREYS = ("game", "learners", "tui")


@cache
def modules() -> dict[str, Path]:
    """The files of the three storeys by their modules' names."""
    found = {}
    for storey in STOREYS:
        for path in (ROOT / storey).rglob("*.py"):
            parts = ("afterstate_lab", *path.relative_to(ROOT).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def syntax(module: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))))


@cache
def imported_by(module: str) -> frozenset[str]:
    """The modules of the storeys that a module imports: at once, lazily, or for types."""
    names: set[str] = set()
    for node in syntax(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 1, f"{module} imports from another folder relatively"
            source = f"{module.rpartition('.')[0]}." * node.level + (node.module or "")
            for alias in node.names:
                # `from package import module` is the module; else it is the package's own file.
                inner = f"{source}.{alias.name}"
                names.add(inner if inner in modules() else source)
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


def test_no_imports_go_in_a_circle():
    """Lazy imports and those for types count: a reader follows them too."""
    assert sum(map(len, map(imported_by, modules()))) > 1_000
    circles = {frozenset(circle_from(module)) for module in modules()}
    assert [sorted(circle) for circle in circles if circle] == []


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
