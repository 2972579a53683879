"""Specializing binds a rule's hooks to the names that stand for them."""

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


def test_hook_is_replaced():
    assert Specializer().specialize(WithHooks(calls_hook, {"hook": add_ten}))(1) == 11 + 3


def test_original_is_left_as_it_is():
    Specializer().specialize(WithHooks(calls_hook, {"hook": add_ten}))
    assert calls_hook.__globals__["hook"] is hook


def test_hooks_helpers_are_bound_too():
    assert Specializer().specialize(WithHooks(calls_hook, {"hook": negate}))(1) == -3 + 3


def test_hook_deep_inside_a_helper_is_replaced():
    assert (
        Specializer().specialize(WithHooks(calls_hook, {"hook": add_ten, "double": add_ten}))(1)
        == 11 + 12
    )


def test_constant_is_replaced():
    assert Specializer().specialize(WithHooks(helper, {"RATE": 5}))(1) == 7


def test_two_sides_keep_their_own_hooks():
    sides = {
        "left": WithHooks(calls_hook, {"hook": add_ten}),
        "right": WithHooks(calls_hook, {"hook": negate}),
    }
    assert Specializer().specialize(WithHooks(calls_both, sides))(1) == (14, 0)


def test_each_function_is_finished_once():
    finished = []

    def finish(function):
        finished.append(function.__name__)
        return function

    sides = {
        "left": WithHooks(calls_hook, {"hook": add_ten}),
        "right": WithHooks(calls_hook, {"hook": negate}),
    }
    Specializer(finish).specialize(WithHooks(calls_both, sides))
    assert sorted(finished) == [
        "add_ten", "calls_both", "calls_hook", "calls_hook", "double", "helper", "negate"
    ]  # fmt: skip


def test_function_bound_to_the_same_hooks_is_shared():
    hooks = {"hook": add_ten}
    specializer = Specializer()
    assert specializer.specialize(WithHooks(calls_hook, hooks)) is specializer.specialize(
        WithHooks(calls_hook, hooks)
    )
