"""`afterstate film`: the film of a run as a file, and what is refused."""

import json

import pytest

from afterstate_lab.learners.runs.store import Store

RUN = "afterstate:1/td/td/7/40"


pytestmark = pytest.mark.usefixtures("interpreted")


def test_a_cast_plays_all_games_and_then_stays(afterstate, tmp_path):
    pyte = pytest.importorskip("pyte")
    out = tmp_path / "film.cast"
    told = afterstate("film", RUN, "--out", str(out), "--seconds", "1", "--size", "100x30")
    assert (told.status, told.err) == (0, "")
    assert told.out == f"'{out}': 4 frames, {round(out.stat().st_size / 1000)} kB\n"
    header, *events = map(json.loads, out.read_text().splitlines())
    assert (header["width"], header["height"], header["title"]) == (100, 30, "td v td, 40 games")
    assert events[-1] == [4.0, "o", ""]
    screen = pyte.Screen(100, 30)
    stream = pyte.Stream(screen)
    games = []
    for _, _, text in events:
        stream.feed(text)
        ends = [line.split("┤")[-1].strip() for line in screen.display if "┤" in line]
        games.append("".join(ends))
    # 41 to the power of a third, two thirds and one
    assert games == ["", "game 1: O wins", "game 3 of 40", "game 12 of 40", *2 * ["game 40 of 40"]]
    assert "afterstate p play w WATCH" in " ".join(screen.display[0].split())


def test_the_map_is_filmed_game_by_game(afterstate, tmp_path):
    out = tmp_path / "map.cast"
    assert afterstate("film", RUN, "--map", "--out", str(out), "--seconds", "1").status == 0
    text = out.read_text()
    assert "A whole mind at once: what X expects of all 765 positions" in text
    refused = afterstate("film", "tour", "--map", "--out", str(tmp_path / "tour.cast")).err
    assert "--map shows a run. Give an ADDRESS" in refused


LECTURE = f"""# of two learners
3 {RUN}@12.3.2 # look at the new value
5.5 @12.3.1.2
5.5 # and at the candidates
0.5 @1 watch # a later walkthrough
"""


def test_a_lecture_is_filmed_place_by_place_with_its_remarks_and_pauses(afterstate, tmp_path):
    pyte = pytest.importorskip("pyte")
    walkthrough, out = tmp_path / "talk.walkthrough", tmp_path / "talk.cast"
    walkthrough.write_text(LECTURE)
    told = afterstate("film", str(walkthrough), "--out", str(out))
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith(f"'{out}': 3 frames, ")
    header, *events = map(json.loads, out.read_text().splitlines())
    assert header["title"] == "talk"
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    shown = {}
    for seconds, _, text in events:
        stream.feed(text)
        shown[seconds] = " ".join(" ".join(screen.display).split())
    assert list(shown) == [0.0, 2.5, 5.5, 8.5]
    assert "look at the new value" in shown[0.0]
    assert "game 12/40" in shown[0.0]
    assert "and at the candidates" in shown[2.5]
    assert "a later walkthrough" in shown[5.5]
    assert shown[8.5].startswith("p play w WATCH")
    assert Store.open().list() == []
