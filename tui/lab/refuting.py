"""The game that beats a player, in its own branch that you can step through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.game import Side, space
from afterstate_lab.learners.errors import shown
from afterstate_lab.tui.lab.labels import player_label
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Message, Outcome, command_key, question, refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from afterstate_lab.game.exact import Policy, Refutation
    from afterstate_lab.tui.lab.session import Session

    Show = Callable[[int, dict[int, int]], None]
    """Shows a game with these moves, in its own branch."""


SIDES: Final = tuple(Side.__members__)


def refutation(session: Session, show: Show) -> Outcome:
    """Show the game that beats a player; if both can be beaten, ask which."""
    sides = [Side.parse(session.human).other] if session.mode is Mode.PLAY else list(Side)
    found = [side for side in sides if game_against(session, side) is not None]
    if not found:
        return unbeatable(*sides)
    if len(found) == 1:
        return refutation_of(session, found[0], show)

    def answer(text: str) -> Outcome:
        mark = text.strip().upper()
        if mark not in SIDES:
            return refusal(f"{shown(text)} is not a player. Try X or O.")
        return refutation_of(session, Side.parse(mark), show)

    return question(
        "beat",
        "X or O: the game that beats it",
        answer,
        "X",
        usage="Both can be beaten: beat X or beat O shows a game that does it.",
    )


def refutation_of(session: Session, side: Side, show: Show) -> Outcome:
    """Show the game that beats a side, from its first move, in its own branch."""
    against = game_against(session, side)
    if against is None:
        return unbeatable(side)
    policy, (cells, probability) = against
    show(coming_game(session), script_of(policy, side, cells))
    who = f"{side.mark} {player_label(session.run.layout.table(side).spec)}"
    moves = " ".join(str(cell + 1) for cell in cells)
    chance = f"{probability:.3g}".removeprefix("0")
    how = "every time" if probability == 1.0 else f"with probability {chance}"
    back = command_key("other_line")
    return Message(f"{who} loses this game {how}: {moves}. {back} goes back to the run.")


def unbeatable(*sides: Side) -> Message:
    """Report that no game beats these sides."""
    who = " or ".join(side.mark for side in sides)
    return refusal(f"No opponent beats {who}: that is computed, not tried out.")


def coming_game(session: Session) -> int:
    """Return the current game; if it is over and not a shown game, the next."""
    is_to_come = session.is_over and session.run is not session.shown_game
    return min(session.run.games, session.timeline.game + is_to_come)


def game_against(session: Session, side: Side) -> tuple[Policy, Refutation] | None:
    """Return how a side plays before the current game, and the game that beats it, if any."""
    from afterstate_lab.game.exact import likeliest_refutation
    from afterstate_lab.learners.judge.evaluated_state import EvaluatedState

    game = coming_game(session)
    state = EvaluatedState(session.run.layout, session.run.memory_at(game), game)
    policy = state.greedy(side).policy
    found = likeliest_refutation(policy, side)
    return None if found is None else (policy, found)


def script_of(policy: Policy, side: Side, cells: tuple[int, ...]) -> dict[int, int]:
    """The moves to be given, by ply: the opponent's, and those that the side may not make."""
    s, state, script = space(), 0, {}
    for ply, cell in enumerate(cells, 1):
        edge = s.edge_of[state, cell]
        if (ply - 1) % 2 != side or policy[edge] < 1.0:
            script[ply] = cell
        state = int(s.successor[state, cell])
    return script
