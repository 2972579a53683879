"""The list of saved runs: what is refused stays typed."""

from dataclasses import replace
from datetime import UTC, datetime

from piloting import at, saved
from reading import runs_page


async def test_a_refused_name_or_note_stays_typed(lab):
    saved("mine")
    async with at(lab()) as desk:
        for key, text in (("e", "a" * 61), ("N", "b" * 1001)):
            await desk.finish("R")
            await desk.ask(key, text)
            assert "printable characters" in desk.front.note
            assert desk.front.asked is not None and desk.screen.line.value == text
            await desk.press("Esc Esc")


def test_a_run_was_saved_when_it_was_saved_last():
    (run, *_), page = runs_page("td").runs, runs_page("td")
    run = replace(run, created=datetime(2025, 1, 1, 12, tzinfo=UTC))
    assert page.cells(run)[5] == "2026-03-01"
