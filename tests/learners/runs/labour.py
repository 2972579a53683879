"""A process that plays, saves and says what it has saved, until it is killed.

    labour.py work STORE NAME       goes on for ever with a run of the store
    labour.py undisturbed GAMES     plays as many games without a store, and prints what was learned

The games are a function of their number alone, so both must come to the same bits.
"""

import sys
from pathlib import Path

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.listing import Pending
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.events import Move
from afterstate_lab.learners.tape.run import Run, Seat, Seating

TRAINED = 40
"""Games of training between two games of a person."""


def new_run():
    return Run(parse_player("td:epsilon=0.3"), parse_player("q"), 11)


def cell_for(run, script):
    """The person's next move as O, a function of the game alone: the first free cell."""
    marked = {event.cell for event in run.play(script).events() if isinstance(event, Move)}
    return min(set(range(9)) - marked)


def work(store, name):
    """Train, play and save in turn; every save is announced once it is done."""
    if store.has(name):
        loaded = store.load(name)
        run, stored, pending = loaded.run, loaded.stored, loaded.pending
    else:
        run, pending = new_run(), None
        stored = store.save(run, name=name)
    script = dict(pending.script) if pending else {}
    while True:
        if not run.seating.has_human:
            run.train(TRAINED)
            run.seat(Seating(Seat.LEARNS, Seat.HUMAN))
            stored = announced(store, run, stored, None)
        while not run.play(script).is_over:
            script[2 * len(script) + 2] = cell_for(run, script)
            stored = announced(store, run, stored, Pending(script, "O"))
        script = {}
        run.seat(Seating())
        stored = announced(store, run, stored, None)


def announced(store, run, stored, pending):
    stored = store.save(run, into=stored, pending=pending)
    moves = len(pending.script) if pending else 0
    print(stored.generation, run.games, moves, run.sha256, flush=True)
    return stored


def undisturbed(games):
    run = new_run()
    while run.games < games:
        run.train(TRAINED)
        if run.games == games:
            break
        run.seat(Seating(Seat.LEARNS, Seat.HUMAN))
        script: dict[int, int] = {}
        while not run.play(script).is_over:
            script[2 * len(script) + 2] = cell_for(run, script)
        run.seat(Seating())
    return run


if __name__ == "__main__":
    if sys.argv[1] == "work":
        work(Store.open(Path(sys.argv[2])), sys.argv[3])
    else:
        print(undisturbed(int(sys.argv[2])).state().sha256)
