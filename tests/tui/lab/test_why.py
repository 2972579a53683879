"""Why a value is what it is, in lines and in sentences."""

import pytest

from afterstate_lab.learners.ask.why import chain, last_write
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.why import parts, share_lines, share_sentences, why


def found_for(spec, games=60):
    run = Run(parse_player(spec), parse_player("random"), 4)
    run.train(games)
    entry = run.layout.x.base + int(run.layout.x.visits(run.memory)[0].argmax())
    links = chain(run, last_write(run, entry, TapePosition(games, -1)))
    return why(run, links, progress=lambda part: None, stop=lambda: False)


def test_the_parts_are_the_whole():
    found = found_for("td")
    assert sum(weight for _, _, weight in parts(found)) == pytest.approx(1.0, abs=1e-12)
    assert [name for name, _, _ in parts(found)] == ["wins", "draws", "losses", "first guess"]
    assert len(share_lines(found)) == 5


def test_what_discounting_leaves_out_is_a_part():
    names = [name for name, _, _ in parts(found_for("sarsa:gamma=.8", 200))]
    assert names[-1] == "discounted"


def test_wins_are_the_learners_own():
    """O's wins are losses of X: a value of X that rests on them alone is below the first guess."""
    found = found_for("mc:step=1/n")
    worth = dict(zip(("wins", "draws", "losses"), (1.0, 0.5, 0.0), strict=True))
    value = sum(worth.get(name, 0.5) * weight for name, _, weight in parts(found))
    assert value == pytest.approx(found.shares.value, abs=1e-12)


@pytest.mark.parametrize("spec", ["q", "menace"])
def test_where_no_weight_is_fixed_a_sentence_says_so(spec):
    found = found_for(spec)
    assert found.shares is None
    ((text, _),) = share_lines(found)[0]
    assert share_sentences(found) == [text[:1].upper() + text[1:] + "."]


def test_games_that_are_too_many_to_look_at_are_one_part(monkeypatch):
    monkeypatch.setattr("afterstate_lab.learners.ask.why.MOST_GAMES", 200)
    found = found_for("td", 700)
    assert found.shares.since == 400
    told = {name: weight for name, _, weight in parts(found)}
    assert list(told) == ["wins", "draws", "losses", "older games"]
    assert sum(told.values()) == pytest.approx(1.0, abs=1e-12)
    assert "".join(text for text, _ in share_lines(found)[3]).endswith("░ before game 401")
    assert "% older games before game 401." in share_sentences(found)[0]
