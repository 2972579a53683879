"""What is played a line at a time is saved as the lab saves it, and can be resumed."""

from afterstate_lab.learners.files import store_file
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run


def table(o: str = "td", name: str | None = None) -> Dialogue:
    """A dialogue that is saved."""
    run = seated_run(parse_player("human"), parse_player(o), 0)
    dialogue = Dialogue(run, "none", autosave=Autosave(name=name))
    dialogue.begin()
    return dialogue


def test_the_lab_goes_on_with_it_in_the_middle_of_the_game():
    dialogue = table("q")
    dialogue.answer("t 30")
    dialogue.answer("n")
    dialogue.answer("5")
    loaded = Store.open().load("q-q")
    td = parse_player("td")
    lab = Session(Settings(td, td))
    lab.resume(loaded)
    assert lab.run.games == 30
    assert lab.board == dialogue.session.board
    assert lab.human == "X"


def test_a_store_that_cannot_be_used_is_told_once_and_the_game_goes_on():
    store_file().parent.mkdir(parents=True)
    store_file().write_bytes(b"no database at all" * 100)
    dialogue = table()
    first = dialogue.answer("5")
    assert first[0].startswith("X takes 5.")
    assert first[-1].startswith("Not saved: ")
    later = dialogue.answer("u")
    assert later[0] == "The board is empty."
    assert not any("Not saved" in line for line in later)
    assert any("is not a database" in line for line in dialogue.answer("runs"))
