"""The learner on two pages: short, plain, and the same numbers as the lab."""

import ast
import csv
import subprocess
import sys
from io import StringIO
from typing import Any

import pytest

SPECS = (
    "td", "td:alpha=0.2,epsilon=0.05", "td:draw=0,initial=-.5", "td:alpha=1,epsilon=0",
    "td:epsilon=1e-1,draw=1",
)  # fmt: skip
ADDRESSES = [
    f"afterstate:1/{SPECS[n % 5]}/{SPECS[n // 4]}/{seed}/{7 * n}"
    for n, seed in enumerate([*range(16), 2**32 - 1, 2**32, 2**62 + 12345, 2**63 - 1])
]


@pytest.fixture
def program(afterstate) -> str:
    return str(afterstate("source").out)


@pytest.fixture
def table(program) -> Any:
    """What the program makes of an address."""
    learner: dict[str, Any] = {"__name__": "learner"}
    exec(compile(program, "learner.py", "exec"), learner)
    return learner["table"]


def test_it_has_at_most_120_lines_and_needs_the_standard_library_alone(program):
    assert len([line for line in program.splitlines() if line.strip()]) <= 120
    assert max(map(len, program.splitlines())) <= 100
    imports = [node for node in ast.walk(ast.parse(program)) if "Import" in type(node).__name__]
    names = {getattr(node, "module", None) or node.names[0].name for node in imports}  # type: ignore[attr-defined]
    assert names <= sys.stdlib_module_names


@pytest.mark.quick("15")
@pytest.mark.parametrize("first", range(0, 20, 5), ids=str)
def test_it_prints_the_values_of_export_to_the_last_bit(table, afterstate, first):
    for address in ADDRESSES[first : first + 5]:
        rows = csv.DictReader(StringIO(afterstate("export", address).out))
        wanted = [f"{row['player']},{row['board']},{row['value']}" for row in rows]
        assert table(address) == ["player,board,value", *wanted], address


@pytest.mark.parametrize(
    ("address", "refusal"),
    [
        ("td", "'td' is not an address such as afterstate:1/td/td/7/2000."),
        ("afterstate:1/td/td/7/20@3", "is not an address"),
        (f"afterstate:1/td/td/{2**63}/20", "is not an address"),
        ("afterstate:1/q/td/7/20", "'q' is not td, the only rule here."),
        ("afterstate:1/td/td:gamma=1/7/20", "'gamma=1' is not an option here. Use alpha, "),
        ("afterstate:1/td/td:alpha=.1,alpha=.2/7/20", "'alpha=.2' is not an option here."),
        ("afterstate:1/td/td:epsilon=.3..0/7/20", "'epsilon=.3..0' is not an option here."),
        ("afterstate:1/td/td:alpha=2/7/20", "'alpha=2' is not valid. Use 0 to 1."),
    ],
)
def test_it_refuses_what_it_does_not_know_in_a_sentence(table, address, refusal):
    with pytest.raises(SystemExit) as ended:
        table(address)
    assert refusal in str(ended.value) and str(ended.value).isprintable()


def test_it_runs_as_a_program(program, tmp_path):
    (tmp_path / "learner.py").write_text(program)
    command = [sys.executable, "-IW", "error", str(tmp_path / "learner.py")]
    made = subprocess.run([*command, ADDRESSES[1]], capture_output=True, text=True, check=True)
    assert made.stdout.startswith("player,board,value\nO,.........,")
    assert len(made.stdout.splitlines()) == 1 + 2_423 + 2_098
    refused = subprocess.run(command, capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("learner.py: ''")
