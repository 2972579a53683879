"""What a user foretold of the values to be written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Predictions:
    """What a user foretold of the values to be written."""

    wanted: bool = False
    """Whether to ask before each write."""
    asked: int = 0
    right: int = 0
    """Values that were told to the third decimal."""
    direction: int = 0
    """Values that were at least told to rise or fall rightly."""

    def judge(self, text: str, old: float, new: float) -> str | None:
        """Score an answer: a number, or `+`, `-` or `=`; None where it is neither."""
        word = text.strip().replace("−", "-")
        change = (new > old) - (new < old)
        if word in ("+", "-", "="):
            guess = {"+": 1, "-": -1, "=": 0}[word]
            exact = False
        else:
            try:
                value = float(word)
            except ValueError:
                return None
            exact = abs(value - new) < 0.0005
            guess = change if exact else (value > old) - (value < old)
        self.asked += 1
        self.right += exact
        self.direction += guess == change
        said = "right" if exact else "the right way" if guess == change else "the other way"
        return f"{said}: {old:.3f} becomes {new:.3f}. So far {self.direction} of {self.asked}."
