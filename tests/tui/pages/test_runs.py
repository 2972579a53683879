"""The list of saved runs: where the cursor is after a deletion."""

from made import run_of
from piloting import at, saved
from reading import done

from afterstate_lab.learners.runs.store import Store
from afterstate_lab.tui.pages.runs import Runs


def test_a_deletion_selects_the_next_run():
    store = Store.open()
    for name in "abc":
        store.save(run_of("td", games=3), name=name)
    runs = Runs()
    done(runs.read())
    shown = [run.name for run in runs.runs]
    runs.at.cursor = 1
    for left in ([shown[0], shown[2]], [shown[0]]):
        done(runs.delete())
        assert [run.name for run in runs.runs] == left
        assert runs.selected.name == left[-1]
    done(runs.undo())
    assert runs.selected.name == shown[2]


async def test_a_refused_name_or_note_stays_typed(lab):
    saved("mine")
    async with at(lab()) as desk:
        for key, text in (("e", "a" * 61), ("N", "b" * 1001)):
            await desk.finish("R")
            await desk.ask(key, text)
            assert "printable characters" in desk.front.note
            assert desk.front.asked is not None and desk.screen.line.value == text
            await desk.press("Esc Esc")
