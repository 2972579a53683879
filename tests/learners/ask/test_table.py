"""The filter of the table: what each word shows, and what is said of a wrong one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.ask.table import FIELDS, TableRows, filtered, table_rows
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run

pytestmark = pytest.mark.usefixtures("interpreted")


def rows_of(x: str, o: str, games: int) -> TableRows:
    run = Run(parse_player(x), parse_player(o), 7)
    run.train(games)
    rows = table_rows(run.layout, run.memory, Side.X, run.games)
    assert rows is not None
    return rows


@pytest.fixture(scope="module")
def td() -> TableRows:
    return rows_of("td", "td", 200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("visits>10", lambda rows: rows.visits > 10),
        ("n<=1", lambda rows: rows.visits <= 1),
        ("never", lambda rows: rows.visits == 0),
        ("error>.1", lambda rows: np.abs(rows.errors) > 0.1),
        ("error<-.1", lambda rows: rows.errors < -0.1),
        ("error>+.1", lambda rows: rows.errors > 0.1),
        ("ply=3", lambda rows: space().ply[rows.boards] == 3),
        ("V!=.5 v*=1", lambda rows: (rows.values != 0.5) & (rows.truth == 1)),
        ("vpi>=.5  visits>0", lambda rows: (rows.policy >= 0.5) & (rows.visits > 0)),
        ("", lambda rows: np.ones(len(rows), dtype=bool)),
    ],
)
def test_comparisons_show_what_they_say(td: TableRows, text: str, expected) -> None:
    assert np.array_equal(filtered(td, text), expected(td))


def shown(rows: TableRows, text: str) -> list[str]:
    return [space().text(int(board)) for board in rows.boards[filtered(rows, text)]]


def test_a_board_matches_itself_and_wildcards_match_any(td: TableRows) -> None:
    assert shown(td, "x.o...x..") == ["X.O...X.."]
    assert shown(td, "ply=1 ????x****") == ["....X...."]
    assert len(shown(td, "ply=1 ?????????")) == 9
    assert shown(td, "X........ O........") == []


def test_class_matches_a_board_in_all_eight_ways(td: TableRows) -> None:
    assert sorted(shown(td, "X........ class")) == sorted(
        ["X........", "..X......", "......X..", "........X"]
    )
    found = shown(td, "class xo......x")
    assert {str(Board.parse(board).canonical) for board in found} == {
        str(Board.parse("XO......X").canonical)
    }


def test_a_cell_behind_a_board_turns_with_it() -> None:
    rows = rows_of("q", "random", 1)
    found = filtered(rows, "X...O....@2 class")
    told = {
        (space().text(int(board)), int(cell) + 1)
        for board, cell in zip(rows.boards[found], rows.cells[found], strict=True)
    }
    assert ("X...O....", 2) in told
    assert ("X...O....", 4) in told
    assert ("..X.O....", 6) in told
    assert len(told) == 8


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "'hello' is not a filter"),
        ("X.O", "nine characters"),
        ("X.O......@0", "nine characters"),
        ("size>3", "'size' cannot be compared"),
        (">3", "cannot be compared"),
        ("visits>many", "needs a number"),
        ("visits>", "needs a number"),
        ("visits>nan", "needs a number"),
        ("class", "needs a board"),
        ("\x1b[31m", "is not a filter"),
    ],
)
def test_a_wrong_filter_is_refused_in_one_sentence(td: TableRows, text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        filtered(td, text)
    assert said in str(error.value)
    assert str(error.value).isprintable()


def test_a_comparison_that_a_table_cannot_make_is_refused(td: TableRows) -> None:
    for text in ("share>.1", "cell=5", "X........@5", "q1>0"):
        with pytest.raises(UsageError):
            filtered(td, text)
    with pytest.raises(UsageError, match="no error"):
        filtered(rows_of("menace", "random", 20), "error>.1")


words = st.one_of(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(sorted(FIELDS)),
        st.sampled_from([">", "<", "=", ">=", "<=", "!="]),
        st.floats(-5, 5).map(lambda number: f"{number:.3f}"),
    ),
    st.text("XO.?*", min_size=9, max_size=9),
    st.just("never"),
    st.text(max_size=12),
)


@given(st.lists(words, max_size=4))
def test_a_filter_shows_what_all_its_words_show_or_is_refused(td: TableRows, parts) -> None:
    try:
        together = filtered(td, " ".join(parts))
    except UsageError as error:
        assert "\n" not in str(error)
        return
    if "class" not in " ".join(parts).lower():
        alone = [filtered(td, part) for part in parts]
        assert np.array_equal(together, np.logical_and.reduce([np.ones(len(td), bool), *alone]))
