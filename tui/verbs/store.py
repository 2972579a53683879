"""Commands about saved runs."""

from __future__ import annotations

from afterstate_lab.learners.errors import UsageError, printable, shown
from afterstate_lab.tui.lab.commands import command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.outcomes import (
    Copy,
    Message,
    Open,
    Outcome,
    command_key,
    question,
    sentence,
)
from afterstate_lab.tui.lab.state import deleted_sentence, restored_sentence, store

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


@command(words="note")
def note(lab: LabController) -> Outcome:
    """Note what this run is for.

    note TEXT: remember it.  note: show it.  note off: forget it.
    """
    autosave = lab.autosave
    if autosave is not None and autosave.capture(lab.session, at_once=True):
        autosave.write()
    number = lab.open_id
    if number is None:
        raise UsageError("This run is not saved yet: play or train first.")

    def answer(text: str) -> Outcome:
        info = store().set_note(number, "" if text == "off" else text)
        said = f"Noted with {info.name}." if info.note else f"{info.name} has no note any more."
        return Message(said)

    now = store().info(number).note
    usage = sentence(now) if now else "It has no note; note TEXT gives it one."
    return question("note", "a line on what this run is for", answer, now or "", usage=usage)


@command(words="delete")
def delete(lab: LabController) -> Outcome:
    """Delete a saved run.

    delete 2, delete NAME. restore brings back the last deleted run.
    """

    def answer(text: str) -> Outcome:
        info = store().info(meant(text))
        if info.id == lab.open_id:
            raise UsageError(f"{shown(info.name)} is open: open another run first.")
        store().delete(info.id)
        return Message(deleted_sentence(info, command_key("restore")))

    usage = "Delete which? runs lists them; delete 2 or delete NAME."
    return question("delete", NAME, answer, usage=usage)


@command(words="restore", wrong="restore brings back the last deleted run; it takes no name.")
def restore(lab: LabController) -> Outcome:
    """Bring back the last deleted run."""
    info = store().undelete_last()
    return Message(restored_sentence(info))
