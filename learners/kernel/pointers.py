"""Pass arguments to the compiled engine as one block of words, with arrays as bare addresses.

To the compiler an array is seven words, and each index into it is tested for a sign. The engine
needs neither: with bare addresses, recording is a tenth faster, and a call costs 2 us, not 4 to 11.

A word is eight bytes: a number or an address. The fields named in a tuple's `fixed` are not words:
the machine code is made for their values.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from ctypes import addressof, c_char
from typing import Any

import numpy as np


def unbound(*arguments: Any) -> Any:
    """Placeholder for what `learners.kernel.compiler` binds."""
    raise NotImplementedError


arguments_of = play_games = function = unbound


def play(words: Any) -> Any:
    """Call `learners.engine.play.play_games` on words: those of `LASTING`, then of a call."""
    (
        game,
        x,
        o,
        steps_x,
        greedy_x,
        steps_o,
        greedy_o,
        low,
        high,
        first,
        last,
        v,
        tally,
        tape,
    ) = arguments_of(words)
    return play_games(
        v,
        game,
        x,
        o,
        steps_x,
        greedy_x,
        steps_o,
        greedy_o,
        low,
        high,
        first,
        last,
        None,
        tape,
        tally,
    )


LASTING = slice(1, 8)
"""The arguments of `play_games` that never change for a kernel."""


def changing_block(
    low: int, high: int, first: int, last: int, v: Any, tape: Any, tally: Any
) -> bytes:
    """Return the words that differ between calls, as fast as possible."""
    arrays = (v, tally, *(tape or ()))
    return struct.pack(f"4q{len(arrays)}Q", low, high, first, last, *map(address, arrays))


def address(array: Any) -> int:
    """Return the address of a writable array."""
    return addressof(c_char.from_buffer(array))  # thrice as fast as the array's own way


def plain(words: Any) -> Any:
    """Call a plain function of arrays on a block of words."""
    function(*arguments_of(words))
    return 0


def numbers(value: Any) -> Iterator[int | float]:
    if isinstance(value, np.ndarray):
        if value.size and value.flags.writeable:
            yield address(value)
        else:
            yield value.ctypes.data
    elif isinstance(value, tuple):
        for name, field in named(value):
            if not is_fixed(value, name):
                yield from numbers(field)
    elif value is not None:
        yield value


def block(arguments: tuple[Any, ...]) -> bytes:
    """Return the words of arguments; keep their arrays alive meanwhile."""
    words = [word for argument in arguments for word in numbers(argument)]
    form = "".join("d" if isinstance(word, float) else "q" for word in words)
    return struct.pack(form, *words)


def layout(value: Any) -> str:
    """Return the types of an argument's words, and its fixed values."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[]"
    if isinstance(value, tuple):
        fields = (
            f"{name}={field!r}" if is_fixed(value, name) else f"{name}:{layout(field)}"
            for name, field in named(value)
        )
        return f"({' '.join(fields)})"
    return type(value).__name__


def named(value: Any) -> Iterator[tuple[str, Any]]:
    return zip(value._fields, value, strict=True)


def is_fixed(value: Any, field: str) -> bool:
    """Return whether the machine code is made for the value of a tuple's field."""
    return field in getattr(value, "fixed", ())


def arguments_intrinsic(like: tuple[Any, ...]) -> Any:
    """The compiler's function from the address of a block of words to arguments like these."""
    from numba import from_dtype
    from numba.core import types
    from numba.extending import intrinsic

    def kind_of(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return types.CPointer(from_dtype(value.dtype))  # type: ignore[no-untyped-call]
        if isinstance(value, tuple):
            return types.NamedTuple([kind_of(field) for field in value], type(value))  # type: ignore[no-untyped-call]
        if value is None:
            return types.none
        return {bool: types.boolean, int: types.int64, float: types.float64}[type(value)]

    kinds = types.Tuple([kind_of(one) for one in like])  # type: ignore[no-untyped-call]

    @intrinsic
    def arguments_of(typing_context: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            from llvmlite import ir  # type: ignore[import-untyped]

            word = ir.IntType(64)
            at = 0

            def read() -> Any:
                nonlocal at
                pointer = builder.gep(given[0], [ir.Constant(word, at)])
                at += 1
                return builder.load(pointer)

            def lowered(value: Any, fixed: bool = False) -> Any:
                kind = kind_of(value)
                form = context.get_value_type(kind)
                if fixed:
                    return ir.Constant(form, value)
                if isinstance(value, np.ndarray):
                    return builder.inttoptr(read(), form)
                if isinstance(value, tuple):
                    fields = [lowered(field, is_fixed(value, name)) for name, field in named(value)]
                    return context.make_tuple(builder, kind, fields)
                if value is None:
                    return context.get_dummy_value()
                if isinstance(value, float):
                    return builder.bitcast(read(), form)
                return builder.trunc(read(), form) if isinstance(value, bool) else read()

            return context.make_tuple(builder, kinds, [lowered(one) for one in like])

        return kinds(words), generate

    return arguments_of
