"""The settings of the documentation: `python -m sphinx -W docs docs/_build` makes the site.

The pages of the reference are made from the program's own tables, so they cannot be behind it.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import reference  # noqa: E402

project = "Afterstate"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Afterstate"
html_show_copyright = False
html_copy_source = False

reference.write(HERE / "reference")
