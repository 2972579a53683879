"""Runs that are never lost: one SQLite file, one transaction a save, nothing in it believed.

What is not asked for is not imported: a list of runs needs no engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learners.store.comparison import Comparison, Difference, compared
    from learners.store.last import last_run
    from learners.store.reading import OwnRuleError
    from learners.store.records import LoadedRun, Pending, RunInfo, StoredRun
    from learners.store.store import Store
    from learners.store.verification import Verification, verify

__all__ = [
    "Comparison", "Difference", "LoadedRun", "OwnRuleError", "Pending", "RunInfo", "Store",
    "StoredRun", "Verification", "compared", "last_run", "verify",
]  # fmt: skip

HOMES = {
    "comparison": ("Comparison", "Difference", "compared"),
    "last": ("last_run",),
    "reading": ("OwnRuleError",),
    "records": ("LoadedRun", "Pending", "RunInfo", "StoredRun"),
    "store": ("Store",),
    "verification": ("Verification", "verify"),
}
"""The modules of what is exported."""


def __getattr__(name: str) -> Any:
    for module, names in HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
