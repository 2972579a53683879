"""A slow line: fewer pictures, each of them new; a key waits for no old picture."""

from pseudo_terminal import QUESTION

SLOW = 4_000
"""Bytes a second: a picture of a watched game takes a third of one."""
SLOWEST = 1_200
REPAINT = "\x0c"


def watch(terminal, *faster: str) -> None:
    """Let games be played until much of a second's bytes are on their way."""
    terminal.press(*faster, "space")
    terminal.read_until(lambda: len(terminal.underway) > SLOW / 4)


def test_a_slow_line_gets_fewer_pictures_and_shows_the_newest_truth_in_the_end(lab):
    terminal = lab(rate=SLOW)
    watch(terminal, "+", "+")
    before, began = terminal.written.count(QUESTION), terminal.last_byte
    for _ in range(60):
        terminal.read(0.05)
        assert terminal.underway.count(QUESTION) <= 1
    pictures = terminal.written.count(QUESTION) - before
    assert 1 <= pictures <= 0.7 * 8 * (terminal.last_byte - began)
    terminal.press("space")
    terminal.read_until_shown("paused")
    terminal.read_until_quiet(1.0)
    seen, before = terminal.text, len(terminal.written)
    terminal.press(REPAINT)
    terminal.read_until(lambda: b"learning" in terminal.written[before:], 20)
    terminal.read_until_quiet(1.0)
    assert terminal.text == seen


def test_a_key_waits_for_no_queue_of_old_pictures(lab):
    terminal = lab(rate=SLOW)
    watch(terminal, "+", "+")
    for _ in range(3):
        on_its_way = len(terminal.underway)
        terminal.press("?")
        help_and_one_picture = (on_its_way + 3_000 + 3_000) / SLOW
        assert terminal.read_until_shown("back and on in time") < help_and_one_picture
        terminal.press("escape")
        terminal.read_until(lambda: "back and on in time" not in terminal.text)


def test_at_1200_bytes_a_second_a_key_is_answered_a_second_after_what_is_on_its_way(lab):
    terminal = lab(rate=SLOWEST)
    watch(terminal)
    for key, shown in (("+", "4 moves/s"), ("-", "2 moves/s"), ("+", "4 moves/s")):
        on_its_way = len(terminal.underway) / SLOWEST
        terminal.press(key)
        assert terminal.read_until_shown(shown) < on_its_way + 1.0


def test_a_terminal_that_never_answers_is_asked_once_and_where_writes_block_pictures_are_dropped(
    lab,
):
    terminal = lab(answers=False)
    terminal.press("+", "+", "space")
    terminal.read_until_shown("game 3/")
    assert terminal.written.count(QUESTION) == 1
    before, began = len(terminal.written), terminal.last_byte
    terminal.rate, terminal.room = SLOW / 3, 500
    terminal.read(6.0)
    assert len(terminal.written) - before < 1.5 * SLOW / 3 * (terminal.last_byte - began)
    assert terminal.written.count(QUESTION) == 1
