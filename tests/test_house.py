"""The house: who imports what and names a rule, what is packaged. `lint-imports` has the layers."""

import ast
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from made import sentences

from afterstate_lab.learners.rules.spec import BUILT_IN, rules

ROOT = Path(__file__).parents[1]
STOREYS = ("game", "learners", "tui")
BY_THEIR_NAME = {
    "tui/cli/group.py": "the commands of the shell",
    "tui/desk.py": "the pages",
    "learners/rules/spec.py": "the rules",
    "game/__init__.py": "its own names",
}
"""Who imports modules of ours whose name is made at run time."""


@pytest.fixture(scope="module")
def trees():
    """The parsed files of the storeys, by path."""
    files = (path for storey in STOREYS for path in sorted((ROOT / storey).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in files}


def imported_by_name(tree, modules):
    """The modules that `import_module` gets, and each of a folder that an f-string names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            name, *parts = getattr(node.args[0], "values", [node.args[0]])
            text = str(getattr(name, "value", ""))
            yield from (one for one in modules if one == text or (parts and one.startswith(text)))


def test_no_imports_go_in_a_circle(trees):
    """Lazy imports, imports by name and those for types count: a reader follows them too."""
    graph = grimp.build_graph("afterstate_lab", cache_dir=None)
    imports = {one: graph.find_modules_directly_imported_by(one) for one in graph.modules}
    assert graph.count_imports() > 1_000
    for path, tree in trees.items():
        named = set(imported_by_name(tree, graph.modules))
        assert len(named) < 2 or path in BY_THEIR_NAME, f"{path} imports modules by name"
        module = ".".join(("afterstate_lab", *Path(path).with_suffix("").parts))
        module = module.removesuffix(".__init__")
        imports[module] = (imports[module] | named) - {module}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


def test_a_file_imports_a_name_late_in_one_place(trees):
    for path, tree in trees.items():
        functions = (f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef))
        nodes = (one for function in functions for one in ast.walk(function))
        late = {one for one in nodes if isinstance(one, ast.ImportFrom)}
        names = [ast.unparse(one) for one in late]
        assert len(names) == len(set(names)), f"{path}: {sorted(names)}"


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


TYPED = "5\nstats\ntable\nstep\nn\nupdate\nwhy\nwriter\ntrain 9\nruns\nsave\nplayers\ntour\nhome\n"
"""Lines for plain mode."""


@pytest.mark.parametrize(("code", "needed", "never"), sentences("house.txt", "loads"))
def test_what_is_heavy_is_loaded_when_it_is_needed(code, needed, never):
    program = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    modules = {*subprocess.check_output(program, text=True, input=TYPED).split()}
    assert needed in modules
    assert not modules & {*never.split()}


MODULES = {f"afterstate_lab.learners.rules.{home.partition('.')[0]}" for home in BUILT_IN.values()}
CLASSES = {rule.__name__ for rule in rules().values()} | {"Opponent", "FromFile"}
PLANS = ("learners/experiments/__init__.py", "learners/experiments/catalogue.py")
"""Plans of experiments say who plays."""
ALLOWED = {name: places.split() for name, places in sentences("house.txt", "names")}


def names_of_rules(nodes):
    """Imported rules, classes of rules, and texts that are a rule's name or spec."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            full = {f"{node.module}.{alias.name}" for alias in node.names} | {node.module or ""}
            yield from full & MODULES
        elif isinstance(node, ast.Name) and node.id in CLASSES:
            yield node.id
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "issubclass":
            if getattr(node.args[1], "id", "") != "Rule":
                yield "a class of rules"
        elif isinstance(node, ast.Constant):
            text = node.value if isinstance(node.value, str) else ""
            if text.partition(":")[0] in BUILT_IN:
                yield text


@pytest.mark.slow
def test_no_other_file_names_a_rule_and_every_exception_is_needed(trees):
    found = set()
    for where, tree in trees.items():
        if where.startswith(("game/", "learners/rules/", *PLANS)):
            continue
        for name in names_of_rules(ast.walk(tree)):
            places = ALLOWED.get(name, ())
            found.add((name, next((place for place in places if where.startswith(place)), where)))
    assert found == {(name, place) for name, places in ALLOWED.items() for place in places}


def test_the_map_of_the_house_names_what_is_there():
    """Paths, and files and folders that stand somewhere in the house; NAME is one to be added."""
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./]+/|[\w./]*\w\.(?:py|toml|txt|md)|\w+/[\w./]+)`", said)
    assert len(named) > 50
    for name in named:
        assert "NAME" in name or any(ROOT.glob(name)) or any(ROOT.glob(f"[!.]*/**/{name}")), name
