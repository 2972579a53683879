"""The values of an option, and the values beside a value."""

import pytest

from afterstate_lab.learners.players.completion import neighbour, told_options, values
from afterstate_lab.learners.rules.spec import PlayerSpec, rules

OPTIONS = [
    pytest.param(rule.name, option, id=f"{rule.name}-{option.name}")
    for rule in rules().values()
    for option in told_options(rule)
]


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_value_offered_is_the_option_s_and_one_on_and_one_back_is_the_same(name, option):
    offered = values(option)
    assert option.format(option.default) in offered
    assert len(set(offered)) == len(offered)
    for text in offered:
        assert option.format(option.parse(text)) == text
        PlayerSpec.parse(f"{name}:{option.name}={text}")
    for value in map(option.parse, offered[1:-1]):
        assert neighbour(option, neighbour(option, value, 1), -1) == value
