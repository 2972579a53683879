"""The compiled engine reads arrays by their bare addresses.

An array is seven words to the compiler, and every index into it is checked for a sign, since a
negative one counts from the end. The engine uses neither. Without them the machine code is a fifth
faster and takes half as long to make.
"""

from __future__ import annotations

from functools import cache
from typing import Any


def unbound(*arguments):  # type: ignore[no-untyped-def]
    """Stands for what `learners.compiler` binds."""
    raise NotImplementedError


bare = play_games = unbound


def play(  # type: ignore[no-untyped-def]
    v, game, x, o, steps_x, greedy_x, steps_o, greedy_o, low, high, first, last, script, tape, tally
):
    """`learners.engine.play_games` on the addresses of the arrays."""
    return play_games(
        bare(v), bare(game), bare(x), bare(o),
        bare(steps_x), bare(greedy_x), bare(steps_o), bare(greedy_o),
        low, high, first, last, script, bare(tape), bare(tally),
    )  # fmt: skip


@cache
def bare_intrinsic() -> Any:
    """The compiler's function from an array to its address, and so for each field of a tuple."""
    from numba.core import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    def bare_type(kind: Any) -> Any:
        if isinstance(kind, types.Array):
            return types.CPointer(kind.dtype)
        if isinstance(kind, types.NamedTuple):
            return types.NamedTuple([bare_type(field) for field in kind.types], kind.instance_class)
        return kind

    def lowered(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Array):
            return make_array(kind)(context, builder, value).data
        if isinstance(kind, types.NamedTuple):
            fields = [
                lowered(context, builder, field, builder.extract_value(value, i))
                for i, field in enumerate(kind.types)
            ]
            return context.make_tuple(builder, bare_type(kind), fields)
        return value

    @intrinsic  # type: ignore[misc]
    def bare(typing_context: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return lowered(context, builder, value, arguments[0])

        return bare_type(value)(value), generate

    return bare
