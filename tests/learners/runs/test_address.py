"""An address is a run and a place: whatever was played comes back to the bit."""

import hashlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from made import person_plays, run_of, trained

from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.players.user_rule import user_rule
from afterstate_lab.learners.runs import address as addresses
from afterstate_lab.learners.runs import replay
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.learners.tape.timeline import Timeline

SPECS = ("td", "q:alpha=0.3", "menace", "td:epsilon=0.3..0,over=40", "random", "tdlambda:draw=0.2")
SEATINGS = [Seating(x, o) for x in Seat for o in Seat]


def opened(text, **how):
    found = replay.open_address(addresses.Address.parse(text), **how)
    assert found is not None
    return found


@st.composite
def played(draw):
    """A run of trained, played and forked games, and the moves of a game that is not over."""
    run = Run(
        parse_player(draw(st.sampled_from(SPECS))),
        parse_player(draw(st.sampled_from(SPECS))),
        draw(st.integers(0, 2**63 - 1)),
    )

    def choose(cells):
        return draw(st.sampled_from(cells))

    for _ in range(draw(st.integers(0, 4))):
        run.seat(draw(st.sampled_from(SEATINGS)))
        many = draw(st.integers(0, 4))
        if run.seating.has_human:
            for _ in range(many):
                person_plays(run, choose)
        elif draw(st.booleans()):
            run.train(many)
        else:
            run.play({1: draw(st.integers(0, 8))})
    pending = {}
    if run.seating.has_human and draw(st.booleans()):
        games, pending = run.games, person_plays(run, choose, most=draw(st.integers(0, 2)))
        pending = {} if run.games > games else pending
    return run, pending


@given(played(), st.data())
def test_a_run_and_a_place_come_back_to_the_bit(found, data):
    run, pending = found
    timeline = Timeline(run)
    if run.games:
        timeline.go_to(data.draw(st.integers(0, run.games - 1)))
        for _ in range(data.draw(st.integers(0, 9))):
            timeline.step_phase()
    place = replay.place_of(timeline)
    address = replay.address_of(run, pending, place=place)
    text = str(address)
    assert text.isascii() and text.isprintable() and " " not in text
    assert addresses.Address.parse(text) == address
    back = opened(text)
    assert str(replay.address_of(back.run, back.script, place=place)) == text
    assert back.script == pending
    assert back.run.memory.tobytes() == run.memory.tobytes()
    assert back.run.tally.tolist() == run.tally.tolist()
    assert back.run.seating == run.seating
    if place is not None:
        there = Timeline(back.run)
        replay.go_to(there, place)
        assert (there.place, there.phase) == (timeline.place, timeline.phase)
        assert there.v.tobytes() == timeline.v.tobytes()
        assert back.memory().tobytes() == timeline.v.tobytes()
        brief = opened(str(address.shortest))
        assert brief.run.games <= max(place.game, pending != {} and run.games)
        assert brief.memory().tobytes() == timeline.v.tobytes()


@given(played(), st.data())
def test_only_the_same_run_is_not_played_again(found, data):
    run, pending = found
    assert opened(str(replay.address_of(run, pending)), base=run).run is run
    base = run.fork(data.draw(st.integers(0, run.games)))
    base.seat(Seating())
    base.train(3)
    before = base.fork()
    assume(replay.address_of(base) != replay.address_of(run))
    back = opened(str(replay.address_of(run)), base=base)
    assert back.run is not base
    assert back.run.memory.tobytes() == run.memory.tobytes()
    assert (base.games, base.memory.tobytes()) == (before.games, before.memory.tobytes())


def test_another_engine_is_told_and_never_refused():
    run = trained(games=3_000)
    own = str(replay.address_of(run, with_engine=True))
    assert opened(own).warning == ""
    other = own[:-8] + "00000000"
    assert "Another engine wrote this address (00000000" in opened(other).warning


@pytest.mark.parametrize("text", ["0", "3.10", "3.1.0", "3.1.1.5", "03", "3.01"])
def test_a_place_that_no_address_has_can_be_read_as_somebody_types_it(text):
    place = addresses.AddressPlace.read(text)
    assert str(place) == ".".join(str(int(number)) for number in text.split("."))
    with pytest.raises(addresses.AddressError, match="is not a whole address"):
        addresses.Address.parse(f"afterstate:1/td/td/7/20@{text}")


# A player in a file is named by its SHA-256; the address itself opens no file and runs no code.


def test_a_run_whose_file_has_changed_has_no_address(tmp_path):
    policy = tmp_path / "policy.npz"
    save_policy(trained(), policy)
    run = run_of(str(policy), "td", 5, 1)
    save_policy(trained(seed=6), policy)
    with pytest.raises(addresses.AddressError, match="the file of a player has changed since"):
        replay.address_of(run)
    policy.unlink()
    with pytest.raises(addresses.AddressError, match="cannot read"):
        replay.address_of(run)


def test_code_is_run_only_once_its_file_is_named(tmp_path, telltale_rule):
    file = tmp_path / "mine.py"
    file.write_text(telltale_rule)
    sha256 = hashlib.sha256(telltale_rule.encode()).hexdigest()
    text = f"afterstate:1/td/sha256-{sha256}.py:Mine:alpha=0.25/1/50"
    assert str(addresses.Address.parse(text)) == text
    with pytest.raises(addresses.AddressError, match="--file FILE"):
        opened(text)
    assert not file.with_name("it ran").exists()
    user_rule.cache_clear()
    back = opened(text, files=[str(file)])
    assert str(replay.address_of(back.run)) == text
    assert str(back.run.o) == f"{file}:Mine:alpha=0.25"
