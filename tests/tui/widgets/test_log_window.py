"""The log moves its window rarely, keeps the tape's line in sight, and scrolls back."""

from __future__ import annotations

from tui.views.lab import LogView, window
from tui.widgets.log_pane import LogPane


def test_a_full_log_moves_by_half_a_window() -> None:
    view = LogView(tuple("abcdefghi"))
    assert window(view, 8) == [4, 5, 6, 7, 8, None, None, None]
    assert window(view._replace(jump=1), 8) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_the_log_keeps_its_cursor_in_sight() -> None:
    view = LogView(tuple("abcdefghijklmnop"))
    assert all(
        cursor in window(view._replace(cursor=cursor), rows)
        for cursor in range(16)
        for rows in range(1, 20)
    )


def test_the_log_scrolls_back_by_its_offset() -> None:
    assert window(LogView(tuple("abcdefghi"), offset=2), 4) == [3, 4, 5, 6]


def test_dropped_lines_do_not_move_the_window() -> None:
    whole = LogView(tuple("abcdefghi"))
    assert window(whole._replace(lines=whole.lines[3:], first=3), 8) == window(whole, 8)


def test_a_ring_overwrites_one_row_and_moves_its_rule() -> None:
    before, after = (window(LogView(tuple("abcdefghi")[:count], ring=True), 4) for count in (8, 9))
    assert before == [None, 5, 6, 7]
    assert after == [8, None, 6, 7]


def test_sentences_are_wrapped_where_the_log_is_narrow_and_events_are_cut() -> None:
    event = (("X→5", "x"), (" backup of a board that is long", "dim"))
    said = "5 keeps a draw, as every cell does."
    view = LogView((event, ((said, "text"),)), cursor=0)
    rows = ["".join(text for text, _ in line)[2:-1] for line in LogPane().lines(view, 24, 8)[1:-1]]
    assert rows[0].strip() == "X→5 backup of a boar"
    assert " ".join(row.strip() for row in rows[1:]).strip() == said


def test_the_last_line_is_seen_where_it_and_the_cursor_both_fit() -> None:
    view = LogView(tuple("abcdefgh"), cursor=2, jump=4)
    assert window(view, 7) == [1, 2, 3, 4, 5, 6, 7]
    assert window(view._replace(cursor=0), 7) == [0, 1, 2, 3, 4, 5, 6]
