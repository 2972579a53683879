"""The notebook runs from top to bottom, and its outputs are those that it shows."""

import ast
import json
import os
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"


def outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; return what a notebook keeps of its last expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)
        return []
    exec(compile(ast.Module(tree.body[:-1], []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    data = {"text/plain": [repr(value)]}
    if hasattr(value, "_repr_svg_"):
        data["image/svg+xml"] = value._repr_svg_().splitlines(keepends=True)
    return [{"data": data, "execution_count": number, "metadata": {},
             "output_type": "execute_result"}]  # fmt: skip


def test_the_notebook_shows_what_its_cells_return():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    made = [outputs("".join(cell["source"]), names, n) for n, cell in enumerate(cells, 1)]
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        for number, cell in enumerate(cells, 1):
            cell["outputs"], cell["execution_count"] = made[number - 1], number
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        NOTEBOOK.write_text(f"{text}\n", encoding="utf-8")
    assert len(cells) == 8
    assert made == [cell["outputs"] for cell in cells]
