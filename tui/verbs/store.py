"""Commands about saved runs."""

from __future__ import annotations

from afterstate_lab.learners.errors import UsageError, printable
from afterstate_lab.tui.lab.commands import command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.outcomes import (
    Copy,
    Message,
    Open,
    Outcome,
    question,
)
from afterstate_lab.tui.lab.state import store

NAME = "the name of a run"


def meant(text: str) -> str | int:
    """Resolve a number of the list of runs, or a name."""
    if text.isascii() and text.isdigit():
        runs = store().list()
        if 1 <= int(text[:9]) <= len(runs):
            return runs[int(text[:9]) - 1].id
    return text


@command("R", "runs", words="runs")
def runs(lab: LabController) -> Outcome:
    """Show the saved runs: open, export, verify.

    runs WORD: runs with this word in their name, note or players.
    """
    lab.capture(at_once=True)
    return Open("runs")


@command(words="open", name="open")
def open_run(lab: LabController) -> Outcome:
    """Continue a saved run, or open an address.

    open 2: the second in the list.  open NAME: the run with this name.
    open ADDRESS: a run and a moment; FILE after it, where a player needs one.
    """
    usage = "Open which? runs lists them; open 1, open NAME or open ADDRESS."
    return lab.or_address(question("open", NAME, lambda text: lab.load(meant(text)), usage=usage))


@command("Y", words="address")
def address(lab: LabController) -> Outcome:
    """Copy the address of this moment: it opens this run there, anywhere.

    address: a line that opens this run at this moment, anywhere.
    open ADDRESS and go ADDRESS go there; so does afterstate ADDRESS.
    """
    from afterstate_lab.tui.lab.session import session_address

    return Copy(str(session_address(lab.session)))


@command(words="save")
def save(lab: LabController) -> Outcome:
    """Give this run a name.

    save as NAME. The lab saves what you do automatically, after every line.
    """

    def answer(text: str) -> Outcome:
        autosave, name = lab.autosave, text.removeprefix("as ").strip()
        if autosave is None:
            raise UsageError("Nothing is saved here.")
        known = autosave.trouble
        autosave.save_as(lab.session, name)
        autosave.write()
        if known and known == autosave.trouble:
            raise UsageError(f"Not saved: {known}.")
        stored = lab.stored
        if autosave.trouble:
            return None
        if stored is None:
            raise UsageError("Nothing has been played yet, so there is nothing to save.")
        if autosave.notice:
            return None
        saved = store().rename(stored.id, name).name if name else printable(stored.name)
        return Message(f"Saved as {saved}.")

    return question("save", "a name", answer)
