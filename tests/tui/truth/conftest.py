"""Every figure that is shown, against a referee that knows the game by itself."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
