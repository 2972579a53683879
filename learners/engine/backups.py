"""What a rule may do to memory: back up an entry, or say why it does not.

These are the only functions that write what a learner knows, so every write leaves an event behind
when a tape is running: entry, the entry read, old, target, step size, trace weight, new. They run
interpreted as they stand here, and compiled from the same source (`learners.kernel.hooks`);
without a tape the recording is compiled away.

The arguments that recur: `v` float64[2N], memory (values first, then their visit counts);
`tape` a `TapeColumns` or None; `me` the player's parameters; `entry` and `read` indices into `v`:
of what is written, and of what the target is made of. `me.nothing` is the index of a number that is
always 0, for a target that reads no value: nothing follows the end of a game.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

MOVE: Final = 0
BACKUP: Final = 1
NO_BACKUP: Final = 2
OUTCOME: Final = 3

SEVERAL: Final = -1
"""In place of `read`: the target is made of several values."""

EXPLORATORY: Final = 1
"""Reason for no backup: the move into the next afterstate was exploratory."""

CONSTANT: Final = 0
HARMONIC: Final = 1
DECAYING: Final = 2


NUMBERS: Final = 5
"""How many consecutive numbers `TapeColumns.numbers` has for each event."""


class TapeColumns(NamedTuple):
    """Columns of recorded events, one row an event; `at` holds the next row and its author."""

    meta: Any
    """int64[n]: kind, player, ply, detail and game, packed by `packed`."""
    entries: Any
    """int32[2 n]: `entry` and `read` of each event."""
    numbers: Any
    """float64[5 n]: old, target, step, trace and new of each event; 0 unless it is a backup.

    In one row, as processors store five adjacent zeros faster than one in each of five columns.
    """
    at: Any
    """int64[2]: the next row; the game, ply and player under which events are recorded."""

    @property
    def entry(self) -> Any:
        """int32[n]: the padded move, the memory entry, or the result, by kind."""
        return self.entries[0::2]

    @property
    def read(self) -> Any:
        """int32[n]: the entry that a backup read, or `SEVERAL`."""
        return self.entries[1::2]

    @property
    def old(self) -> Any:
        """float64[n]: the value before each backup."""
        return self.numbers[0::NUMBERS]

    @property
    def target(self) -> Any:
        """float64[n]: what each backup moved the value towards."""
        return self.numbers[1::NUMBERS]

    @property
    def step(self) -> Any:
        """float64[n]: the step size of each backup."""
        return self.numbers[2::NUMBERS]

    @property
    def trace(self) -> Any:
        """float64[n]: the trace of each backup's entry."""
        return self.numbers[3::NUMBERS]

    @property
    def new(self) -> Any:
        """float64[n]: the value after each backup."""
        return self.numbers[4::NUMBERS]

    def until(self, size: int) -> TapeColumns:
        """The first rows, so many."""
        return TapeColumns(
            self.meta[:size], self.entries[: 2 * size], self.numbers[: NUMBERS * size], self.at
        )


def packed(kind, player, ply, detail, game):
    """One int64: kind (2 bits), player (1), ply (4), detail (8) and game (the rest)."""
    return kind | player << 2 | ply << 3 | detail << 7 | game << 15


def record(tape, kind, detail, entry, read, old, target, step, trace, new):
    """Append one event to the tape."""
    row = tape.at[0]
    tape.meta[row] = tape.at[1] | kind | detail << 7
    tape.entries[2 * row] = entry
    tape.entries[2 * row + 1] = read
    first = NUMBERS * row
    tape.numbers[first] = old
    tape.numbers[first + 1] = target
    tape.numbers[first + 2] = step
    tape.numbers[first + 3] = trace
    tape.numbers[first + 4] = new
    tape.at[0] = row + 1


def backup(v, tape, me, entry, read, reward, step):
    """Back up one value: new = old + step (reward + gamma v[read] - old)  (S&B 6.2)."""
    old = v[entry]
    target = reward + me.gamma * v[read]
    new = old + step * (target - old)
    if tape is not None:
        record(tape, BACKUP, 0, entry, read, old, target, step, 1.0, new)
    v[entry] = new
    v[entry + me.visits] += 1.0


def backup_towards(v, tape, me, entry, read, target, step):
    """Move an entry towards a target that the rule has computed itself  (S&B 2.4)."""
    write(v, tape, me, entry, read, target, step, 1.0, v[entry] + step * (target - v[entry]))


def write(v, tape, me, entry, read, target, step, trace, new):
    """Store a value that the rule has computed itself, and record the terms given with it."""
    if tape is not None:
        record(tape, BACKUP, 0, entry, read, v[entry], target, step, trace, new)
    v[entry] = new
    v[entry + me.visits] += 1.0


def no_backup(tape, entry, reason):
    """Record that an entry is left unchanged, and why."""
    if tape is not None:
        record(tape, NO_BACKUP, reason, entry, 0, 0.0, 0.0, 0.0, 0.0, 0.0)


def constant_step(v, me, entry):
    """Always alpha."""
    return me.alpha


def harmonic_step(v, me, entry):
    """1/n at the n-th backup of an entry: the value is the mean of its targets (S&B 2.4)."""
    return 1.0 / (v[entry + me.visits] + 1.0)


def decaying_step(v, me, entry):
    """Alpha, multiplied by `decay` after every `every` greedy moves of the player (seed 001).

    A move is counted once its backup is made, so the N-th still uses the alpha before it.
    """
    return me.alphas[min(int(v[me.counter]) // me.every, me.last_alpha)]


STEP_SIZES: Final = (constant_step, harmonic_step, decaying_step)
"""By `CONSTANT`, `HARMONIC`, `DECAYING`."""


def step_size(v, me, entry):
    """The step size for an entry.

    In a specialized engine this name is bound to the player's own schedule, without a branch.
    """
    return STEP_SIZES[me.schedule](v, me, entry)
