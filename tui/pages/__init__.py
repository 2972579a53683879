"""What the screen and plain mode show: pages, each in a file of its name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.outcomes import Open
    from afterstate_lab.tui.pages.page import Opened


def page_of(lab: LabController, opened: Open) -> Opened:
    """Open a page by its file's `open_on`."""
    module: Any = import_module(f"afterstate_lab.tui.pages.{opened.page}")
    found: Opened = module.open_on(lab, opened.data, opened.text)
    return found
