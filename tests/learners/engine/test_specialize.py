"""Specializing binds a rule's hooks to the names that stand for them."""

import pytest

from afterstate_lab.learners.engine.specialize import Specializer, WithHooks

RATE = 1


def hook(x):
    raise NotImplementedError


def double(x):
    return 2 * x


def helper(x):
    return double(x) + RATE


def calls_hook(x):
    return hook(x) + helper(x)


def calls_both(x):
    return left(x), right(x)


left = right = hook


def add_ten(x):
    return x + 10


def negate(x):
    return -helper(x)


SIDES = {
    "left": WithHooks(calls_hook, {"hook": add_ten}),
    "right": WithHooks(calls_hook, {"hook": negate}),
}


@pytest.mark.parametrize(
    ("function", "hooks", "result"),
    [
        (calls_hook, {"hook": add_ten}, 11 + 3),
        (calls_hook, {"hook": negate}, -3 + 3),  # what a hook calls is bound too
        (calls_hook, {"hook": add_ten, "double": add_ten}, 11 + 12),  # deep inside a helper
        (helper, {"RATE": 5}, 7),
        (calls_both, SIDES, (14, 0)),  # each side keeps its own
    ],
)
def test_hooks_are_bound_wherever_they_are_called_and_the_original_is_left(function, hooks, result):
    assert Specializer().specialize(WithHooks(function, hooks))(1) == result
    assert calls_hook.__globals__["hook"] is hook


def test_each_function_is_finished_once_and_shared_by_the_same_hooks():
    finished = []

    def finish(function):
        finished.append(function.__name__)
        return function

    specializer, hooks = Specializer(finish), {"hook": add_ten}
    specializer.specialize(WithHooks(calls_both, SIDES))
    once = ["add_ten", "calls_both", "calls_hook", "calls_hook", "double", "helper", "negate"]
    assert sorted(finished) == once
    first, again = (specializer.specialize(WithHooks(calls_hook, hooks)) for _ in range(2))
    assert first is again
