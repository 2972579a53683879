"""Memory: one flat array, in which every number has its one place."""

import numpy as np
import pytest

from afterstate_lab.game import reachable_boards, space
from afterstate_lab.learners.export import table_rows
from afterstate_lab.learners.kernel.memory import REWARDS, Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.run import Run

NAMES = list(rules())


def layout_of(x, o):
    return Layout.of(parse_player(x), parse_player(o))


@pytest.mark.parametrize("x", NAMES)
@pytest.mark.parametrize("o", ["td", "double-q", "negamax", "random"])
def test_every_number_has_one_place(x, o):
    layout = layout_of(x, o)
    places = np.zeros(layout.values, dtype=np.int64)
    for table in (layout.x, layout.o):
        shared = layout.learn_together and table is layout.o
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


def test_no_backup_writes_a_terminal_board():
    run = Run(parse_player("td"), parse_player("tdlambda"))
    run.train(1_500)
    over = [board.id for board in reachable_boards() if board.is_over]
    for table in (run.layout.x, run.layout.o):
        fresh = table.values(run.layout.fresh())[0]
        assert table.values(run.memory)[0][over].tolist() == fresh[over].tolist()
        assert not table.visits(run.memory)[0][over].any()


def test_entries_start_at_the_initial_value_and_rewards_are_by_result():
    layout = layout_of("q:initial=-2", "double-q:initial=.25")
    v = layout.fresh()
    assert set(layout.x.values(v)[0]) == {-2.0}
    assert layout.o.values(v).shape == (2, 7536)
    assert set(layout.o.values(v).ravel()) == {0.25}
    layout = layout_of("td:draw=.3", "td:draw=.1")
    tables, v = (layout.x, layout.o), layout.fresh()
    rewards = [v[t.rewards : t.rewards + REWARDS].tolist() for t in tables]
    assert rewards == [[0.0, 1.0, 0.0, 0.3], [0.0, 0.0, 1.0, 0.1]]


@pytest.mark.parametrize(
    ("x", "o", "is_shared"),
    [
        ("negamax", "negamax", True), ("negamax", "negamax:alpha=.1", True),
        ("negamax", "negamax:alpha=.2", False), ("td", "td", False),
    ],
)  # fmt: skip
def test_equal_learners_of_one_table_share_it_and_others_do_not(x, o, is_shared):
    assert layout_of(x, o).learn_together is is_shared


def test_the_table_of_every_entry():
    layout = layout_of("td", "q")
    for entry in (0, layout.x.end - 1, layout.x.end, layout.values - 1):
        assert layout.table_of(entry) is (layout.x if entry < layout.x.end else layout.o)


def test_a_stand_in_plays_with_the_learners_memory_left_as_it_is():
    layout = layout_of("td", "q")
    seated = layout.with_stand_ins(parse_player("human"), None)
    assert str(seated.x.player) == "human"
    assert str(seated.x.spec) == "td"
    assert (seated.x.base, seated.o.base, seated.values) == (0, layout.o.base, layout.values)


def test_views_write_through():
    layout = layout_of("double-q", "td")
    v = layout.fresh()
    layout.x.values(v)[1, 3] = 7.0
    layout.x.visits(v)[1, 3] = 2.0
    assert v[len(layout.x.entries.boards) + 3] == 7.0
    assert v[layout.values + len(layout.x.entries.boards) + 3] == 2.0


def test_preferences_are_the_values_of_where_a_move_leads():
    run = Run(parse_player("td"), parse_player("td"))
    run.train(300)
    told = {(r.player, r.board): r.value for r in table_rows(run.layout, run.memory)}
    s = space()
    preferences = run.layout.x.preferences(run.memory)
    for edge in np.flatnonzero(s.ply[s.edge_state] % 2 == 0)[::97]:
        after = int(s.edge_successor[edge])
        if s.outcome[after] == 0:
            assert preferences[edge] == told["X", s.text(after)]
