"""The players of plain mode: who plays, what each is, and the choice of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.pages.setup import checked_settings, seed_of

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.modes import Settings
    from afterstate_lab.tui.plain.session import PlainSession

PLAYERS_USE: Final = (
    "players x SPEC, players o SPEC, players SPEC SPEC or players seed N begins a new run."
)


def player_lines(session: PlainSession) -> list[str]:
    """Who plays, and how to change it."""
    from afterstate_lab.learners.players.recipes import recipes

    run = session.run
    return [
        f"X is {run.x}. O is {run.o}. Seed {run.seed}.",
        PLAYERS_USE,
        f"Players: {', '.join(rules())}.",
        f"players recipe NAME; recipes: {', '.join(recipes())}.",
    ]


def chosen_settings(session: PlainSession, text: str) -> Settings | str:
    """The settings that a user asked for; or what is wrong with them, in a sentence."""
    from afterstate_lab.learners.players.recipes import find_recipe

    run = session.run
    seats = session.run.seating
    x, o, seed = run.x, run.o, run.seed
    person = parse_player("human")
    if seats.has_human:
        x, o = (person if name in session.humans else spec for name, spec in (("X", x), ("O", o)))
    first, _, rest = text.partition(" ")
    try:
        if first in ("x", "X") and rest:
            x = parse_player(rest)
        elif first in ("o", "O") and rest:
            o = parse_player(rest)
        elif first == "seed":
            seed = seed_of(rest)
        elif first == "recipe":
            x, o = find_recipe(rest).players
        elif rest and " " not in rest:
            x, o = parse_player(first), parse_player(rest)
        else:
            return f"{shown(text)} will not do: {PLAYERS_USE}"
        return checked_settings(x, o, seed)
    except UsageError as error:
        return sentence(error)


def rule_lines(name: str) -> list[str]:
    """What a player is, and its options; nothing where there is no such player."""
    rule = rules().get(name)
    if rule is None:
        return []
    spec = parse_player(name) if not rule.human else None
    lines = [f"{name}: {sentence(spoken(rule.summary))}"]
    if spec is not None:
        lines += [
            f"{option.name}={option.format(spec.settings[option.name])}: {spoken(option.help)}"
            for option in rule.options
        ]
    return lines
