"""`python -m tui` is `afterstate`, also beside a stranger's `game.py`.

Beside a stranger's `tui.py` Python runs that, before anything here can; `python -P` does not.
"""

import sys
from pathlib import Path

HOME = Path(__file__).parents[1]
if sys.path[0] in ("", str(Path.cwd())) and Path.cwd() != HOME:
    del sys.path[0]

from tui.command import main  # noqa: E402

main()
