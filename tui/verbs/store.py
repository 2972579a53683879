"""Commands about saved runs."""

from __future__ import annotations

from afterstate_lab.tui.lab.commands import NOWHERE, Plain, Screen, Tells, command
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.outcomes import Open, Outcome


@command("R", "runs", plain=Plain("runs"))
def runs(lab: LabController) -> Outcome:
    """Show the saved runs: open, compare, export.

    runs WORD: runs with this word in their name, note or players.
    """
    lab.current.capture(at_once=True)
    return Open(Screen.RUNS)


@command(modes=NOWHERE, name="open", plain=Plain("open", tells=Tells.WHERE))
def open_run(lab: LabController) -> Outcome:
    """Continue a saved run, or open an address.

    open 2: the second in the list.  open NAME: the run with this name.
    open ADDRESS: a run and a moment; FILE after it, where a player needs one.
    """
    return lab.or_address(lab.saved.open())


@command("Y", plain=Plain("address"))
def address(lab: LabController) -> Outcome:
    """Copy the address of this moment: it opens this run there, anywhere.

    address: a line that opens this run at this moment, anywhere.
    open ADDRESS and go ADDRESS go there; so does afterstate ADDRESS.
    """
    return lab.current.address()


@command(modes=NOWHERE, plain=Plain("save"))
def save(lab: LabController) -> Outcome:
    """Give this run a name.

    save as NAME. The lab saves what you do automatically, after every line.
    """
    return lab.saved.save()


@command(modes=NOWHERE, plain=Plain("compare"))
def compare(lab: LabController) -> Outcome:
    """Compare this run with a saved one.

    compare 2: the second in the list.  compare NAME: the run with this name.
    It shows what differs, then the values that differ most.
    """
    return lab.saved.compare()


@command(modes=NOWHERE, plain=Plain("note"))
def note(lab: LabController) -> Outcome:
    """Note what this run is for.

    note TEXT: remember it.  note: show it.  note off: forget it.
    """
    return lab.saved.note()


@command(modes=NOWHERE, plain=Plain("delete"))
def delete(lab: LabController) -> Outcome:
    """Delete a saved run.

    delete 2, delete NAME. restore brings back the last deleted run.
    """
    return lab.saved.delete()


@command(modes=NOWHERE, plain=Plain(
    "restore", wrong="restore alone brings back the run that was deleted last."
))  # fmt: skip
def restore(lab: LabController) -> Outcome:
    """Bring back the last deleted run."""
    return lab.saved.restore()
