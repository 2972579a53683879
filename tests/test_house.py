"""The house: who imports what and names a rule, what is packaged. `lint-imports` has the layers."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from afterstate_lab.learners.rules.spec import BUILT_IN, rules

ROOT = Path(__file__).parents[1]
STOREYS = ("game", "learners", "tui")


@cache
def modules() -> dict[str, Path]:
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


BY_THEIR_NAME = {
    "afterstate_lab.tui.cli.group": "the commands of the shell",
    "afterstate_lab.tui.desk": "the pages",
    "afterstate_lab.learners.rules.spec": "the rules",
    "afterstate_lab.game": "its own names",
}
"""Who imports modules of ours whose name is made at run time."""


def imported_by_name(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that `import_module` gets, and each of a folder that an f-string names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            name, *parts = getattr(node.args[0], "values", [node.args[0]])
            text = str(getattr(name, "value", ""))
            yield from (one for one in modules() if one == text or (parts and one.startswith(text)))


def imported_by(module: str) -> frozenset[str]:
    """The modules of the storeys that a module imports: at once, lazily, by name, or for types."""
    tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
    named = set(imported_by_name(tree))
    assert len(named) < 2 or module in BY_THEIR_NAME, f"{module} imports modules by name"
    names: set[str] = named
    for node in statements(tree):
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


def test_a_file_imports_a_name_late_in_one_place():
    for module, path in modules().items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = (f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef))
        late = {one for function in functions for one in statements(function)}
        names = [ast.unparse(one) for one in late if isinstance(one, ast.ImportFrom)]
        assert len(names) == len(set(names)), f"{module}: {sorted(names)}"


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


SCREEN = {"textual", "rich", "click", "afterstate_lab.tui"}
COMPILER = {"numba", "llvmlite"}


def loaded_by(statement):
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


TRAINS = """
import contextlib, io, sys
sys.argv = ["afterstate", "train", "--games", "50", "--json"]
from afterstate_lab.tui.command import main
with contextlib.redirect_stdout(io.StringIO()):
    main()
"""


@pytest.mark.parametrize(
    ("statement", "needed", "never"),
    [
        ("from afterstate_lab.learners import training\n"
         "from afterstate_lab.learners.tape import recording\n"
         "from afterstate_lab.learners.players import policy_file\n"
         "from afterstate_lab.learners.rules.spec import PlayerSpec, rules\n"
         "from afterstate_lab.learners.tape.run import Run\n"
         "rules(); td = PlayerSpec.parse('td'); Run(td, td).train(20)", "numpy", SCREEN | COMPILER),
        ("from afterstate_lab.learners.rules import options, spec", "", {"numpy"}),
        ("from afterstate_lab.learners.runs.listing import RunList; RunList.open()", "", {"numpy"}),
        ("import afterstate_lab.tui.command", "",
         {"textual", "rich", "numpy", "numba", "sqlite3"}),
        ("from afterstate_lab.game import Board; Board.parse('X.O.X....').play(1).canonical",
         "", {"numpy", "afterstate_lab.learners"}),
        ("import afterstate_lab.game.exact", "", SCREEN | COMPILER | {"afterstate_lab.learners"}),
        (TRAINS, "afterstate_lab.learners.training", {"textual", "rich", "numba"}),
        ("from afterstate_lab.tui.cli.group import afterstate\n"
         "for words in (['--help'], ['runs'], ['play', '--help']):\n"
         "    afterstate.main(words, standalone_mode=False)", "click", {"numpy"}),
        ("import afterstate_lab.tui.app, afterstate_lab.tui.screens.lab\n"
         "import afterstate_lab.tui.pages.home, afterstate_lab.tui.verbs", "textual",
         {"numpy", "numba", "click", "dask", "afterstate_lab.tui.blocks.curve"}),
    ],
    ids=["the core", "options", "last run", "the command", "a board",
         "exact answers", "train", "help", "first picture"],
)  # fmt: skip
def test_what_is_heavy_is_loaded_when_it_is_needed(statement, needed, never):
    modules = loaded_by(statement)
    assert needed in modules | {""}
    assert not modules & never


MODULES = {f"afterstate_lab.learners.rules.{home.partition('.')[0]}" for home in BUILT_IN.values()}
CLASSES = {rule.__name__ for rule in rules().values()} | {"Opponent", "FromFile"}
PLANS = ("learners/experiments/__init__.py", "learners/experiments/catalogue.py")
"""Plans of experiments say who plays."""
ALLOWED: dict[str, tuple[str, ...]] = {
    "td": ("learners/tape/run.py", "learners/library.py", "tui/"),
    "mc": ("learners/experiments/like.py",),
    "td:exploration=learn": ("tui/",),
    "td:alpha=.2, agent.py:move, policy.npz or museum:NAME": ("tui/",),
    "human": ("learners/", "tui/"),
    "q": (
        "tui/", "learners/ask/table.py", "learners/kernel/compiler.py",
        "learners/experiments/like.py",
    ),
    "random": (
        "tui/lab/microscope/choice.py", "learners/players/judged.py", "learners/judge/evaluator.py",
        "learners/players/scripted.py",
    ),
    "perfect": ("tui/blocks/stats.py",),
    "menace": ("tui/lab/scripts/__init__.py",),
    "FromFile": ("learners/players/policy_file.py",),
    "afterstate_lab.learners.rules.opponents": (
        "learners/players/policy_file.py", "learners/players/asking.py",
    ),
}  # fmt: skip
"""Where else a name may be: a seat, a default, the base of a benchmark, another meaning."""
SOURCES = [
    path
    for storey in ("learners", "tui")
    for path in sorted((ROOT / storey).rglob("*.py"))
    if not path.is_relative_to(ROOT / "learners" / "rules")
    and path.relative_to(ROOT).as_posix() not in PLANS
]


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
def test_no_other_file_names_a_rule_and_every_exception_is_needed():
    found = set()
    for path in SOURCES:
        where = path.relative_to(ROOT).as_posix()
        for name in names_of_rules(ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
            places = ALLOWED.get(name, ())
            found.add((name, next((place for place in places if where.startswith(place)), where)))
    assert found == {(name, place) for name, places in ALLOWED.items() for place in places}
