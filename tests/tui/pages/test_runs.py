"""The list of saved runs: where the cursor is after a deletion."""

from made import run_of
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
