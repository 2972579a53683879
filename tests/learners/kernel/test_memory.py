"""Memory: one flat array, in which every number has its one place."""

import numpy as np
import pytest
from made import layout_of

from afterstate_lab.game import reachable_boards
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


@pytest.mark.parametrize(
    ("spec", "side", "of_x_won", "of_o_won", "of_draw"),
    [
        ("td", "x", 1.0, 0.0, 0.5),
        ("td", "o", 0.0, 1.0, 0.5),
        ("td:draw=0", "o", 0.0, 1.0, 0.0),
        ("mc:draw=.2", "x", 1.0, 0.0, 0.2),
        ("negamax", "x", 1.0, 1.0, 0.5),
    ],
)
def test_terminal_boards_are_worth_their_rewards(spec, side, of_x_won, of_o_won, of_draw):
    # negamax values a board from the side of who has just moved, so its win is a win.
    layout = layout_of(spec, spec)
    values = getattr(layout, side).values(layout.fresh())[0]
    worth = {"X": of_x_won, "O": of_o_won, None: of_draw}
    for board in reachable_boards():
        assert values[board.id] == (worth[board.winner] if board.is_over else 0.5)
