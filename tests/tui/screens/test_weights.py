"""How much of each target is left in a value that many backups made."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from afterstate_lab.tui.lab.why_tree import weights


def links(*backups: tuple[float, float, float]) -> list:
    """Old, target and new of each, newest first."""
    return [
        SimpleNamespace(
            backup=SimpleNamespace(old=old, new=new, error=target - old, step=0.1, trace=1.0)
        )
        for old, target, new in backups
    ]


def test_a_target_loses_a_share_to_every_backup_after_it():
    """.5 → .6 → .75 by halves towards .7 and .9: half of .9, a quarter of .7, a quarter of .5."""
    newest = links((0.6, 0.9, 0.75), (0.5, 0.7, 0.6))
    shares = weights(newest)
    assert shares == pytest.approx([0.5, 0.25])
    made = sum(share * (0.9, 0.7)[n] for n, share in enumerate(shares)) + 0.25 * 0.5
    assert made == pytest.approx(0.75)


def test_a_target_that_equals_the_value_counts_by_the_step_size():
    assert weights(links((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))) == pytest.approx([0.1, 0.09])


def test_beads_that_are_added_are_no_mean():
    assert weights(links((4.0, 5.0, 7.0))) == [None]
