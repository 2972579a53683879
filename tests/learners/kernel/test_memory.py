"""Memory: one flat array, in which every number has its one place."""

import numpy as np
import pytest
from made import layout_of

from afterstate_lab.learners.kernel.memory import REWARDS
from afterstate_lab.learners.rules.spec import rules


@pytest.mark.parametrize("x", list(rules()))
@pytest.mark.parametrize("o", ["td", "double-q", "negamax", "random"])
def test_every_number_has_one_place(x, o):
    layout = layout_of(x, o)
    places = np.zeros(layout.values, dtype=np.int64)
    for table in (layout.x, layout.o):
        shared = layout.is_shared and table is layout.o
        if not shared:
            places[table.base : table.base + table.size] += 1
        places[table.rewards : table.rewards + REWARDS] += 1
        places[table.counter] += 1
    assert places.tolist() == [1] * layout.values
    assert len(layout.fresh()) == 2 * layout.values
