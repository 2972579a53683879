"""Round numbers along an axis."""

from __future__ import annotations

from math import ceil, floor, log10


def round_step(span: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10, … that divides `span` into at most so many parts."""
    least = span / max(1, most)
    power = 10.0 ** floor(log10(least)) if least > 0 else 1.0
    return next((k * power for k in (1, 2, 5) if k * power >= least * 0.999999), 10 * power)


def round_range(low: float, high: float, most: int) -> tuple[float, float, float]:
    """A range of whole steps that holds both, and the step; the steps are at most so many."""
    if not high > low:
        room = 0.05 * abs(high) or 0.05
        low, high = low - room, high + room
    step = round_step(high - low, most)
    while ceil(high / step - 1e-9) - floor(low / step + 1e-9) > max(1, most):
        step = round_step(step * 1.01 * most, most)
    return floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step


def tick_text(value: float, step: float) -> str:
    """A number as an axis shows it, all with as many decimals as their step has."""
    places = max(0, -floor(log10(step) + 1e-9))
    if places == 0 and abs(value) >= 10_000:
        return f"{value / 1000:,.0f}k"
    text = f"{abs(value):.{places}f}"
    text = text[1:] if text.startswith("0.") else text
    return f"−{text}" if value < 0 and text.strip(".0") else text


def x_ticks(low: float, high: float, log: bool, most: int) -> list[float]:
    """Round numbers from `low` to `high`, both ends among them, at most so many and a few."""
    if log and low > 0:
        powers = [10.0**n for n in range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)]
        return sorted({low, *powers[:: max(1, -(-len(powers) // max(1, most)))], high})
    step = round_step(high - low, most) if high > low else 1.0
    inner = [n * step for n in range(ceil(low / step), floor(high / step) + 1)]
    return sorted({low, *inner, high})
