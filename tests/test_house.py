"""The house: no circle of imports, and every file is packaged. `lint-imports` has the layers."""

import ast
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
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


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements of a module, however deep: no expression imports."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, ()):
            if isinstance(child, ast.stmt):
                yield child
            yield from statements(child)


def imported_by(module: str) -> frozenset[str]:
    """The modules of the storeys that a module imports: at once, lazily, or for types."""
    names: set[str] = set()
    for node in statements(ast.parse(modules()[module].read_text(encoding="utf-8"))):
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


def test_no_imports_go_in_a_circle():
    """Lazy imports and those for types count: a reader follows them too."""
    imports = {module: imported_by(module) for module in modules()}
    assert sum(map(len, imports.values())) > 1_000
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


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
