"""Runs that are never lost: one SQLite file, one transaction a save, nothing in it believed."""

from learners.store.comparison import Comparison, Difference, compared
from learners.store.reading import OwnRuleError
from learners.store.records import LoadedRun, Pending, RunInfo, StoredRun
from learners.store.store import Store
from learners.store.verification import Verification, verify

__all__ = [
    "Comparison", "Difference", "LoadedRun", "OwnRuleError", "Pending", "RunInfo", "Store",
    "StoredRun", "Verification", "compared", "verify",
]  # fmt: skip
