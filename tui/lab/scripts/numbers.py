"""The live numbers of a script: what `{...}` in a caption is, and how claims use them.

old, target, new, error, change, step, trace    of the backup on screen
game, games, ply, player, cell          the moment, from 1; of a move, whose and where
written                                 values that the game has changed so far
result                                  of the game, once it is over: X, O or draw
alpha X, epsilon O, ...                 an option of a player
win X, draw X, loss X                   what a result is worth to a player
V X ....X....                           a value of X; V X .........@5 of a move
visits X ....X....                      how often that was updated
v* X ....X....                          its exact value against this opponent
worst-loss X, beatable O, optimal X     any exact metric, with greedy play
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import Board, InvalidBoardError, Side
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.theme.numerals import decimals, signed

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session

NAME: Final = re.compile(
    r"(?P<backup>old|target|new|error|change|step|trace)"
    r"|(?P<moment>games?|ply|player|cell|written|result)"
    r"|(?P<entry>V|visits|v\*) (?P<of>[XO]) (?P<board>[.XO]{9})(?:@(?P<cell>[1-9]))?"
    r"|(?P<word>[a-z][a-z_*-]*) (?P<side>[XO])"
)
MARK: Final = "`"
"""Encloses a verb in a text."""
LIVE: Final = re.compile(r"\{([^{}]*?)(?::([0-9]))?\}")
"""A live number in a text, with optional decimals."""
CLAIM: Final = re.compile(r"(.+?) (=|<|>|!=) (.+)")
REWARDS: Final = ("win", "draw", "loss")
EXACT: Final = 6
"""Decimals of a backup's numbers, as in the equation."""
USUAL: Final = 3

Number = float | str


def checked_name(name: str) -> re.Match[str]:
    """Read the name of a live number."""
    found = NAME.fullmatch(name)
    if found is None:
        raise UsageError(
            f"{shown(name)} is not a live number: use old, target, new, error, game, written,"
            " alpha X, win O, V X ....X...., worst-loss O and so on"
        )
    try:
        Board.parse(found["board"] or "." * 9)
    except InvalidBoardError as error:
        raise UsageError(str(error)) from None
    return found


def checked_claim(claim: str) -> str:
    """Check the form of a claim: `new = .55`, `worst-loss O > 0`."""
    found = CLAIM.fullmatch(claim)
    if found is None:
        raise UsageError(f"{shown(claim)} claims nothing: new = .55 and worst-loss O > 0 do")
    checked_name(found[1])
    if isinstance(value_of(found[3]), str) and not found[3].isalpha():
        checked_name(found[3])
    return claim


def live(name: str, session: Session) -> Number:
    """Return a live number at the lab's moment."""
    from afterstate_lab.learners.tape.events import Backup

    found, event = checked_name(name), session.timeline.event
    if found["moment"]:
        return of_moment(name, session)
    if found["entry"]:
        return of_entry(found, session)
    if found["word"]:
        return of_player(found["word"], Side.parse(found["side"]), session)
    if not isinstance(event, Backup):
        raise UsageError(f"{name} is a number of a backup, and no backup is shown here")
    return event.new - event.old if name == "change" else float(getattr(event, name))


def of_moment(name: str, session: Session) -> Number:
    from afterstate_lab.learners.tape.events import Backup, GameOver, Move

    timeline, event, move = session.timeline, session.timeline.event, session.move_looked_at
    counts = {"games": session.run.games, "game": timeline.game + 1, "ply": session.board.ply}
    if name in counts:
        return counts[name]
    if name == "written":
        backups = (event for event in timeline.events_so_far() if isinstance(event, Backup))
        return sum(one.new != one.old for one in backups)
    if name == "result":
        if not isinstance(event, GameOver):
            raise UsageError("result is known where a game is over, and it is not here")
        return event.result
    if not isinstance(move, Move):
        raise UsageError(f"{name} is known where a move was made, and none was here")
    return move.player if name == "player" else move.cell + 1


def of_entry(found: re.Match[str], session: Session) -> Number:
    from afterstate_lab.learners.ask.conditions import Wrote
    from afterstate_lab.learners.judge.evaluated_state import true_values

    player, board = found["of"], found["board"]
    layout, v = session.run.layout, session.timeline.v
    if found["entry"] == "v*":
        values = true_values(layout, v, Side.parse(player), session.timeline.game)
        return float(values[Board.parse(board).id])
    entries = Wrote.read(player, board, found["cell"]).entries(layout)
    if len(entries) != 1:
        raise UsageError(f"{player} keeps a value for each move here: V {player} {board}@5 is one")
    return float(v[entries[0] + (len(v) // 2 if found["entry"] == "visits" else 0)])


def of_player(word: str, side: Side, session: Session) -> Number:
    from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
    from afterstate_lab.learners.judge.figures import FIGURES

    spec = session.run.x if side is Side.X else session.run.o
    if word in REWARDS and spec.learns:
        return float(spec.rule.rewards(spec.settings)[REWARDS.index(word)])
    if word in spec.settings:
        option = next(option for option in spec.rule.options if option.name == word)
        return value_of(option.format(spec.settings[word]))
    figure = next((figure for figure in FIGURES if figure.name == word), None)
    if figure is None or not spec.learns:
        raise UsageError(f"{spec} has no {shown(word)}")
    state = EvaluatedState(session.run.layout, session.timeline.v, session.timeline.game)
    value = figure.measure(state, side)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return float(figure.kind.number(value))


def filled(text: str, session: Session) -> str:
    """Return a text with its live numbers in it."""
    return LIVE.sub(lambda found: written_out(found[1], found[2], session), text)


def written_out(name: str, places: str | None, session: Session) -> str:
    """Return a live number as text."""
    value = live(name, session)
    if isinstance(value, str):
        return value
    if places is None and value == round(value) and abs(value) >= 2:
        return f"{value:,.0f}"
    if places is None and (not checked_name(name)["backup"] or name in ("step", "trace")):
        text = decimals(value, USUAL)
        return text.rstrip("0").rstrip(".") or "0" if "." in text else text
    how = signed if name == "error" else decimals
    return how(value, EXACT if places is None else int(places))


def value_of(text: str) -> Number:
    """Return the number in a text, or the text."""
    try:
        value = float(text.replace("−", "-").replace(",", ""))
    except ValueError:
        return text.strip()
    return value if math.isfinite(value) else text


def is_same(one: Number, other: Number, text: str, slack: float = 1e-12) -> bool:
    """Return whether two values agree, to the decimals of a text."""
    if isinstance(one, str) or isinstance(other, str):
        return str(one).casefold() == str(other).casefold()
    return abs(one - other) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) + slack


def is_right(said: str, right: str) -> bool:
    """Return whether an answer is right, to the decimals of the right answer."""
    return is_same(value_of(said), value_of(right), right, 1e-9)


def check_holds(claim: str, session: Session) -> None:
    """Check a claim at the lab's moment."""
    found = CLAIM.fullmatch(claim)
    assert found is not None
    name, sign, said = found.groups()
    left, right = live(name, session), value_of(said)
    if NAME.fullmatch(said):
        right, said = live(said, session), "." + "0" * 16
    if sign in ("=", "!="):
        holds = is_same(left, right, said) == (sign == "=")
    elif isinstance(left, str) or isinstance(right, str):
        holds = False
    else:
        holds = left < right if sign == "<" else left > right
    if not holds:
        raise UsageError(f"{claim} does not hold: {name} is {left}")
