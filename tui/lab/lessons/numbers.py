"""The live numbers of a lesson: what `{...}` in a text stands for, and what a step asserts.

old, target, new, error, step, trace    of the backup that is looked at
game, games, ply, player, cell          the place, from 1; of a move, whose and where
written                                 values that the game has changed so far
result                                  of the game, once it is over: X, O or draw
alpha X, epsilon O, ...                 an option of a player
win X, draw X, loss X                   what a result is worth to a player
V X ....X....                           a value of X; V X .........@5 of a move
visits X ....X....                      how often that was written
v* X ....X....                          its exact value against this opponent, as everywhere
worst-loss X, beatable O, optimal X     any exact figure, with greedy play
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import Board, InvalidBoardError, Side
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.theme.numerals import decimals, signed

if TYPE_CHECKING:
    from collections.abc import Callable

    from afterstate_lab.tui.lab.session import Session

BACKUP: Final = ("old", "target", "new", "error", "change", "step", "trace")
PLACE: Final = ("game", "games", "ply", "player", "cell", "written", "result")
REWARDS: Final = ("win", "draw", "loss")
ENTRY: Final = re.compile(r"(V|visits|v\*) ([XO]) ([.XO]{9})(?:@([1-9]))?")
OF_PLAYER: Final = re.compile(r"([a-z][a-z_*-]*) ([XO])")
LIVE: Final = re.compile(r"\{([^{}]*?)(?::([0-9]))?\}")
"""A live number in a text, with its decimals where they are given."""
CLAIM: Final = re.compile(r"(.+?) (=|<|>|!=) (.+)")
EXACT: Final = 6
"""Decimals of the numbers of a backup, as the equation has them."""
USUAL: Final = 3

Number = float | str


def check_name(name: str) -> None:
    """Check that a live number has a name that can be read.

    Raises:
        UsageError: it has not.
    """
    if name in (*BACKUP, *PLACE):
        return
    if found := ENTRY.fullmatch(name):
        try:
            Board.parse(found[3])
        except InvalidBoardError as error:
            raise UsageError(str(error)) from None
        return
    if OF_PLAYER.fullmatch(name):
        return
    raise UsageError(
        f"{shown(name)} is no live number: that is old, target, new, error, game, written,"
        " alpha X, win O, V X ....X...., worst-loss O and the like"
    )


def live(name: str, session: Session) -> Number:
    """A live number, where the lab is now.

    Raises:
        UsageError: there is none here.
    """
    if name in BACKUP:
        from afterstate_lab.learners.tape.events import Backup

        event = session.timeline.event
        if not isinstance(event, Backup):
            raise UsageError(f"{name} is a number of a backup, and no backup is shown here")
        return event.new - event.old if name == "change" else float(getattr(event, name))
    if name in PLACE:
        return of_place(name, session)
    if found := ENTRY.fullmatch(name):
        return of_entry(found, session)
    word, _, side = name.rpartition(" ")
    return of_player(word, Side.parse(side), session)


def of_place(name: str, session: Session) -> Number:
    from afterstate_lab.learners.tape.events import Backup, GameOver, Move

    timeline, event, move = session.timeline, session.timeline.event, session.move_looked_at
    match name:
        case "games":
            return session.run.games
        case "game":
            return timeline.game + 1
        case "ply":
            return session.board.ply
        case "written":
            events = (event for event in timeline.events_so_far() if isinstance(event, Backup))
            return sum(event.new != event.old for event in events)
        case "result":
            if not isinstance(event, GameOver):
                raise UsageError("result is known where a game is over, and it is not here")
            return event.result
    if not isinstance(move, Move):
        raise UsageError(f"{name} is known where a move was made, and none was here")
    return move.player if name == "player" else move.cell + 1


def of_entry(found: re.Match[str], session: Session) -> Number:
    from afterstate_lab.learners.ask.conditions import Wrote
    from afterstate_lab.learners.judge.evaluated_state import true_values

    what, player, board, cell = found.groups()
    layout, v = session.run.layout, session.timeline.v
    if what == "v*":
        values = true_values(layout, v, Side.parse(player), session.timeline.game)
        return float(values[Board.parse(board).id])
    entries = Wrote.read(player, board, cell).entries(layout)
    if len(entries) != 1:
        raise UsageError(f"{player} keeps a value for each move here: V {player} {board}@5 is one")
    return float(v[entries[0] + (len(v) // 2 if what == "visits" else 0)])


def of_player(word: str, side: Side, session: Session) -> Number:
    from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
    from afterstate_lab.learners.judge.figures import FIGURES

    spec = session.run.x if side is Side.X else session.run.o
    if word in REWARDS and spec.learns:
        return float(spec.rule.rewards(spec.settings)[REWARDS.index(word)])
    if word in spec.settings:
        option = next(option for option in spec.rule.options if option.name == word)
        text = option.format(spec.settings[word])
        number = number_in(text)
        return text if number is None else number
    figure = next((figure for figure in FIGURES if figure.name == word), None)
    if figure is None or not spec.learns:
        raise UsageError(f"{spec} has no {shown(word)}")
    state = EvaluatedState(session.run.layout, session.timeline.v, session.timeline.game)
    value = figure.measure(state, side)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return float(figure.kind.number(value))


def written_out(name: str, places: str | None, session: Session) -> str:
    """A live number as a text has it."""
    value = live(name, session)
    if isinstance(value, str):
        return value
    if places is None and value == round(value) and abs(value) >= 2:
        return f"{value:,.0f}"
    if places is None and (name not in BACKUP or name in ("step", "trace")):
        text = decimals(value, USUAL)
        return text.rstrip("0").rstrip(".") or "0" if "." in text else text
    how: Callable[[float, int], str] = signed if name == "error" else decimals
    return how(value, EXACT if places is None else int(places))


def filled(text: str, session: Session) -> str:
    """A text with its live numbers in it.

    Raises:
        UsageError: one of them is not there.
    """
    return LIVE.sub(lambda found: written_out(found[1], found[2], session), text)


def check_claim(claim: str) -> None:
    """Check that an assertion can be read: `new = .55`, `worst-loss O > 0`.

    Raises:
        UsageError: it cannot.
    """
    found = CLAIM.fullmatch(claim)
    if found is None:
        raise UsageError(f"{shown(claim)} asserts nothing: new = .55 and worst-loss O > 0 do")
    check_name(found[1])
    if number_in(found[3]) is None and not found[3].isalpha():
        check_name(found[3])


def number_in(text: str) -> float | None:
    """The number that is written in a text."""
    try:
        value = float(text.replace("−", "-").replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def check_holds(claim: str, session: Session) -> None:
    """Check that an assertion holds where the lab is now.

    Raises:
        UsageError: it does not, or a number of it is not there.
    """
    found = CLAIM.fullmatch(claim)
    assert found is not None
    left, sign, said = live(found[1], session), found[2], found[3]
    right: Number | None = number_in(said)
    half = 0.0
    if right is None:
        right = said if said.isalpha() and said not in (*BACKUP, *PLACE) else live(said, session)
    else:
        half = 0.5 * 10.0 ** -len(said.partition(".")[2])
    if isinstance(left, str) or isinstance(right, str):
        is_true = (str(left) == str(right)) == (sign == "=") and sign in ("=", "!=")
    elif sign in ("=", "!="):
        is_true = (abs(left - right) <= half + 1e-12) == (sign == "=")
    else:
        is_true = left < right if sign == "<" else left > right
    if not is_true:
        raise UsageError(f"{claim} does not hold: {found[1]} is {left}")
