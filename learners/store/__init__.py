"""The store of runs: one SQLite file, one transaction a save, everything checked when loaded.

Names are imported when first used: the list of runs needs no engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learners.store.comparison import Difference, RunComparison, compared
    from learners.store.listing import last_run, saved_runs
    from learners.store.reading import OwnRuleError
    from learners.store.records import LoadedRun, Pending, RunInfo, StoredRun
    from learners.store.store import Store
    from learners.store.verification import Verification, verify

__all__ = [
    "Difference", "LoadedRun", "OwnRuleError", "Pending", "RunComparison", "RunInfo", "Store",
    "StoredRun", "Verification", "compared", "last_run", "saved_runs", "verify",
]  # fmt: skip

HOMES = {
    "comparison": ("RunComparison", "Difference", "compared"),
    "listing": ("last_run", "saved_runs"),
    "reading": ("OwnRuleError",),
    "records": ("LoadedRun", "Pending", "RunInfo", "StoredRun"),
    "store": ("Store",),
    "verification": ("Verification", "verify"),
}
"""The module of each name."""


def __getattr__(name: str) -> Any:
    for module, names in HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
