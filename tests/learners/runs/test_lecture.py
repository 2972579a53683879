"""A line of a lecture: about 30 bytes, and the same stop when it is read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.runs.address import Address, AddressPlace
from learners.runs.lecture import (
    LONGEST_LINE,
    LectureError,
    LectureStop,
    lecture_line,
    read_lecture_line,
)

RUN = Address.parse("afterstate:1/td/td/7/20000")
FIRST = LectureStop(0.5, RUN)


@pytest.mark.parametrize(
    ("stop", "line"),
    [
        (LectureStop(3.25, RUN.at(AddressPlace(19_999, 3))), "3.2 @19999.3\n"),
        (LectureStop(4, RUN, "train"), "4.0 @ train\n"),
        (LectureStop(5, RUN, remark="look # here"), "5.0 # look # here\n"),
        (LectureStop(6, Address.parse("afterstate:1/td/q/7/9@3")), "6.0 afterstate:1/td/q/7/9@3\n"),
        (LectureStop(7, Address.parse(f"{RUN}@3+x=mc"), "", "see"), "7.0 @3+x=mc # see\n"),
    ],
)
def test_a_line_has_what_is_new(stop, line):
    assert lecture_line(stop, FIRST) == line


@given(
    st.lists(
        st.builds(
            LectureStop,
            st.integers(0, 10**6).map(float),
            st.sampled_from(
                [RUN, Address.parse("afterstate:1/td/q/7/9"), Address.parse(f"{RUN}@3+x=mc")]
                + [RUN.at(AddressPlace(game, 3)) for game in (1, 2, 19_999)]
            ),
            st.sampled_from(("", "watch", "train")),
            st.text(max_size=30).map(str.strip).filter(str.isprintable),
        )
    )
)
def test_a_lecture_is_read_as_it_was_written(stops):
    before = read = None
    for number, stop in enumerate(stops, 1):
        read = read_lecture_line(lecture_line(stop, before).rstrip("\n"), number, read)
        assert read == stop
        before = stop


@pytest.mark.parametrize("line", ["", "  ", "# a comment", "\r"])
def test_some_lines_say_nothing(line):
    assert read_lecture_line(line, 1, None) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("@3", "line 7 of the lecture: '@3' is no time and address"),
        ("-1 @3", "is no time and address"),
        ("nan @3", "is no time and address"),
        ("3", "line 7 of the lecture: it has no address"),
        ("3 @3 dance", "'dance' is no mode: play, watch, step, train are"),
        ("3 @", "it has a place, and no line before it has a run"),
        ("3 # look", "it has no address"),
        ("3 afterstate:1/td/td/7/2000", None),
        ("3 afterstate:1/td/td", "is no whole address"),
        ("3 afterstate:1/td/td/7/20@30", "there is no game 30"),
        ("3 \x1b[31m", r"'\x1b[31m' is no address"),
        ("3 " + "x" * LONGEST_LINE, "is no time and address"),
    ],
)
def test_what_is_wrong_is_said_with_the_number_of_the_line(line, why):
    if why is None:
        assert read_lecture_line(line, 7, None) is not None
        return
    with pytest.raises(LectureError) as refused:
        read_lecture_line(line, 7, None)
    assert why in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


def test_a_remark_is_printable():
    stop = read_lecture_line("3 afterstate:1/td/td/7/20 # \x1b[31mred", 1, None)
    assert stop is not None
    assert stop.remark == "\\x1b[31mred"
