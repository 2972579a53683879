"""Player specs: what is written is what is read, and what is wrong is said in one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.learners.errors import SpecError
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.spec import PlayerSpec, rules

OPTIONS = [(rule, option) for rule in rules().values() for option in rule.options]
NAMES = [f"{rule.name}-{option.name}" for rule, option in OPTIONS]


def values(option):
    match option:
        case options.ChoiceOption():
            return st.sampled_from(option.choices)
        case options.IntegerOption():
            return st.integers(int(option.low), int(option.high))
        case options.BeadsOption():
            beads = st.integers(int(option.low), int(option.high))
            return st.tuples(*[beads] * len(option.default))
        case options.RateOption():
            rate = st.floats(option.low, option.high)
            return st.one_of(
                st.tuples(st.just("constant"), st.tuples(rate)),
                st.tuples(st.just("linear"), st.tuples(rate, rate)),
                st.tuples(st.just("phases"), st.lists(rate, min_size=2, max_size=32).map(tuple)),
            )
    return st.floats(option.low, option.high)


@st.composite
def specs(draw):
    rule: type[Rule] = draw(st.sampled_from(list(rules().values())))
    chosen = [option for option in rule.options if draw(st.booleans())]
    return PlayerSpec(rule, {option.name: draw(values(option)) for option in chosen})


@given(specs())
def test_a_spec_reads_back_as_it_was_written_to_the_last_bit(spec):
    read = PlayerSpec.parse(str(spec))
    assert read == spec
    assert dict(read.settings) == dict(spec.settings)
    assert str(read) == str(spec)


@pytest.mark.parametrize(("rule", "option"), OPTIONS, ids=NAMES)
def test_a_value_out_of_range_is_refused_by_the_options_name_and_range(rule, option):
    beyond = "sideways" if isinstance(option, options.ChoiceOption) else f"{int(option.high) + 1}"
    for text in (beyond, "", "nan", "--1", "1e999", "0x1"):
        with pytest.raises(SpecError) as error:
            PlayerSpec.parse(f"{rule.name}:{option.name}={text}")
        assert str(error.value) == f"{option.name}={text} is not valid: use {option.range}"
