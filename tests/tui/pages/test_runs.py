"""The list of saved runs: what is searched for, and where the cursor is after a deletion."""

from made import run_of
from reading import done

from afterstate_lab.learners.runs.store import Store
from afterstate_lab.tui.pages.runs import Runs


def test_a_deletion_selects_the_next_run_and_a_search_looks_at_names_notes_and_players():
    store = Store.open()
    for name, x, note in (("a", "td", "homework"), ("b", "q", ""), ("c", "mc", "")):
        store.save(run_of(x, games=3), name=name)
        store.set_note(name, note)
    runs = Runs()
    done(runs.read())
    shown = [run.name for run in runs.shown]
    for text, name in (("HOMEWORK", "a"), ("q", "b"), ("c", "c")):
        runs.search_for(text)
        assert name in [run.name for run in runs.shown] != shown
    runs.search_for("")
    runs.at.cursor = 1
    for left in ([shown[0], shown[2]], [shown[0]]):
        done(runs.delete())
        assert [run.name for run in runs.shown] == left
        assert runs.selected.name == left[-1]
    done(runs.undo())
    assert runs.selected.name == shown[2]
