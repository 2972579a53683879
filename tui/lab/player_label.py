"""How a player is called on the screen."""

from __future__ import annotations

from learners.rules.spec import PlayerSpec

SHORT = {"alpha": "α", "epsilon": "ε", "gamma": "γ", "lambda": "λ"}
"""Options whose value is part of a player's label."""


def short_number(text: str) -> str:
    """A number without its leading zero, as in `α.1`."""
    return text[1:] if text.startswith("0.") else text


def player_label(spec: PlayerSpec) -> str:
    """A player in a few characters: `td α.1 ε.1`."""
    parts = [spec.rule.name]
    for option in spec.rule.options:
        if option.name in SHORT and (spec.rule.learns or option.name in dict(spec.given)):
            number = short_number(option.format(spec.settings[option.name]))
            parts.append(SHORT[option.name] + number)
    return " ".join(parts)
