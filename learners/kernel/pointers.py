"""The compiled engine reads its arguments from one block of words, and arrays by bare addresses.

To the compiler an array is seven words, and each index into it is tested for a sign, as a negative
index counts from the end. The engine needs neither. With bare addresses the machine code is a fifth
faster and compiles in two thirds of the time. Only the fields named in a tuple's `with_length` (a
rule's own lists) remain arrays.

Arrays that are the engine's own (`Scratch`) are no words either: they lie on the machine's stack.

A word is eight bytes: a number or an address, and after the address of an array that remains one,
its length. The fields named in a tuple's `fixed` are no words: the machine code is made for their
values. So it is one C function of one address, and needs nothing of the compiler once it is made.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from ctypes import addressof, c_char
from typing import Any

import numpy as np


class Scratch(np.ndarray[Any, Any]):
    """An array that only the engine uses, during one call.

    On the stack the compiler knows that no other write changes it, and omits what no rule reads.
    """


def unbound(*arguments: Any) -> Any:
    """Placeholder for what `learners.kernel.compiler` binds."""
    raise NotImplementedError


arguments_of = play_games = function = unbound


def play(words: Any) -> Any:
    """`learners.engine.play.play_games` on words: those of `LASTING`, then those of `changing`."""
    (
        game, x, o, steps_x, greedy_x, steps_o, greedy_o, low, high,
        first, last, v, tally, tape, at,
    ) = arguments_of(words)  # fmt: skip
    begin_tape(tape, at)
    done = play_games(
        v, game, x, o, steps_x, greedy_x, steps_o, greedy_o,
        low, high, first, last, None, tape, tally,
    )  # fmt: skip
    end_tape(tape, at)
    return done


def begin_tape(tape: Any, at: Any) -> None:
    """Take over the tape's next row: on the stack no event waits for the one before to store it."""
    if tape is not None:
        tape.at[0] = at[0]
        tape.at[1] = at[1]


def end_tape(tape: Any, at: Any) -> None:
    """Give the tape's next row back."""
    if tape is not None:
        at[0] = tape.at[0]
        at[1] = tape.at[1]


LASTING = slice(1, 10)
"""The arguments of `play_games` that are the same in every call of a kernel."""


ON_STACK = np.zeros(2, dtype=np.int64).view(Scratch)


def changing(v: Any, first: int, last: int, tape: Any, tally: Any) -> tuple[Any, ...]:
    """The arguments of `play` that differ from call to call, in the order of `changing_block`."""
    if tape is None:
        return first, last, v, tally, None, None
    return first, last, v, tally, tape._replace(at=ON_STACK), tape.at


def changing_block(v: Any, first: int, last: int, tape: Any, tally: Any) -> bytes:
    """The words of `changing`, made without its generality: there are many calls of few games."""
    arrays = (v, tally, *(tape or ()))
    return struct.pack(f"2q{len(arrays)}Q", first, last, *map(address, arrays))


def address(array: Any) -> int:
    """The address of an array that is not empty and can be written."""
    return addressof(c_char.from_buffer(array))  # thrice as fast as the array's own way


def plain(words: Any) -> Any:
    """A plain function of arrays on a block of words."""
    function(*arguments_of(words))
    return 0


def numbers(value: Any, has_length: bool = False) -> Iterator[int | float]:
    """The words of an argument."""
    if isinstance(value, Scratch):
        return
    if isinstance(value, np.ndarray):
        if value.size and value.flags.writeable:
            yield address(value)
        else:
            yield value.ctypes.data
        if has_length:
            yield len(value)
    elif isinstance(value, tuple):
        for name, field in named(value):
            if not is_fixed(value, name):
                yield from numbers(field, keeps_length(value, name))
    elif value is not None:
        yield value


def block(arguments: tuple[Any, ...]) -> bytes:
    """The words of arguments; their arrays must live while these are used."""
    words = [word for argument in arguments for word in numbers(argument)]
    form = "".join("d" if isinstance(word, float) else "q" for word in words)
    return struct.pack(form, *words)


def layout(value: Any) -> str:
    """The types of an argument's words, and what is fixed: what the machine code is made for."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{value.size if isinstance(value, Scratch) else ''}]"
    if isinstance(value, tuple):
        fields = (
            f"{name}={field!r}"
            if is_fixed(value, name)
            else f"{name}{'+' * keeps_length(value, name)}:{layout(field)}"
            for name, field in named(value)
        )
        return f"({' '.join(fields)})"
    return type(value).__name__


def named(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a named tuple."""
    return zip(value._fields, value, strict=True)


def keeps_length(value: Any, field: str) -> bool:
    """Whether a field of a tuple remains an array."""
    return isinstance(getattr(value, field), np.ndarray) and field in getattr(
        value, "with_length", ()
    )


def is_fixed(value: Any, field: str) -> bool:
    """Whether the machine code is made for the value of a tuple's field."""
    return field in getattr(value, "fixed", ())


def emptied(value: Any) -> Any:
    """An argument with empty arrays: the compiler would store the numbers of others."""
    if isinstance(value, Scratch):
        return value
    if isinstance(value, np.ndarray):
        return np.zeros(0, value.dtype)
    if isinstance(value, tuple):
        return type(value)(*map(emptied, value))
    return value


def arguments_intrinsic(like: tuple[Any, ...]) -> Any:
    """The compiler's function from the address of a block of words to arguments like these."""
    from numba import from_dtype
    from numba.core import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array, populate_array

    arguments = tuple(map(emptied, like))

    def kind_of(value: Any, has_length: bool = False) -> Any:
        if isinstance(value, np.ndarray):
            kind = from_dtype(value.dtype)
            return types.Array(kind, 1, "C") if has_length else types.CPointer(kind)  # type: ignore[no-untyped-call]
        if isinstance(value, tuple):
            kinds = [kind_of(field, keeps_length(value, name)) for name, field in named(value)]
            return types.NamedTuple(kinds, type(value))  # type: ignore[no-untyped-call]
        if value is None:
            return types.none
        return {bool: types.boolean, int: types.int64, float: types.float64}[type(value)]

    kinds = types.Tuple([kind_of(argument) for argument in arguments])  # type: ignore[no-untyped-call]

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

            def lowered(value: Any, has_length: bool = False, fixed: bool = False) -> Any:
                kind = kind_of(value, has_length)
                form = context.get_value_type(kind)
                if fixed:
                    return ir.Constant(form, value)
                if has_length:
                    data = builder.inttoptr(read(), context.get_data_type(kind.dtype).as_pointer())
                    array = make_array(kind)(context, builder)  # type: ignore[no-untyped-call]
                    size = ir.Constant(word, value.itemsize)
                    populate_array(  # type: ignore[no-untyped-call]
                        array, data, [read()], [size], size, None
                    )
                    return array._getvalue()
                if isinstance(value, Scratch):
                    zeros = ir.ArrayType(context.get_data_type(kind.dtype), value.size)(None)
                    with builder.goto_entry_block():
                        on_stack = builder.alloca(zeros.type)
                    builder.store(zeros, on_stack)
                    return builder.bitcast(on_stack, form)
                if isinstance(value, np.ndarray):
                    return builder.inttoptr(read(), form)
                if isinstance(value, tuple):
                    fields = [
                        lowered(field, keeps_length(value, name), is_fixed(value, name))
                        for name, field in named(value)
                    ]
                    return context.make_tuple(builder, kind, fields)
                if value is None:
                    return context.get_dummy_value()
                if isinstance(value, float):
                    return builder.bitcast(read(), form)
                return builder.trunc(read(), form) if isinstance(value, bool) else read()

            return context.make_tuple(builder, kinds, [lowered(one) for one in arguments])

        return kinds(words), generate

    return arguments_of
