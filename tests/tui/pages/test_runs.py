"""The list of saved runs: what is refused stays typed."""

from piloting import at, saved


async def test_a_refused_name_or_note_stays_typed(lab):
    saved("mine")
    async with at(lab()) as desk:
        for key, text in (("e", "a" * 61), ("N", "b" * 1001)):
            await desk.finish("R")
            await desk.ask(key, text)
            assert "printable characters" in desk.front.note
            assert desk.front.asked is not None and desk.screen.line.value == text
            await desk.press("Esc Esc")
