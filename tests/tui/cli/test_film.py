"""`afterstate film`: the film of a run as a file, or as one HTML page in a real browser."""

import asyncio
import json
import re
from html import escape

import pytest

from afterstate_lab.learners.runs.store import Store
from afterstate_lab.tui.cli.film import Shot, html, of_lesson, shoot

RUN = "afterstate:1/td/td/7/40"


@pytest.mark.usefixtures("interpreted")
def test_a_film_of_a_run_has_its_games(afterstate, tmp_path):
    out = tmp_path / "film.html"
    told = afterstate("film", RUN, "--out", str(out), "--seconds", "1")
    assert (told.status, told.err) == (0, "")
    assert told.out == f"'{out}': 4 frames, {round(out.stat().st_size / 1000)} kB\n"
    film = json.loads(re.search(r'id="film">(.*?)</script>', out.read_text())[1])
    rows = ["".join(row[::2]) for row in film["rows"]]
    shown = [" ".join(rows[row] for row in step["rows"]) for step in film["steps"]]
    # 41 to the power of a third, two thirds and one
    games = ["game 1: O wins", "game 3 of 40", "game 12 of 40", "game 40 of 40"]
    assert all(game in text for game, text in zip(games, shown, strict=True))
    assert Store.open().list() == []


LESSON = """title: two backups
== the result
afterstate:1/td/td/7/40@12.7.2.1 step
X saw how it ended.
> next
until: written
== the question
Its value has changed.
? how many values of X has this game changed = {written:0}
== the end
Done.
"""


SPANS = """[...document.querySelectorAll("#screen > div")].map((row) =>
    [...row.children].flatMap((span) => { const style = getComputedStyle(span);
        return [...span.textContent].map((sign) =>
            [sign, style.color, style.backgroundColor, style.fontWeight]); }))"""
SAID = "[...document.querySelectorAll('#said p')].map((line) => line.textContent)"


def cells(shots: list[Shot], number: int) -> list[list[tuple[str, str, str, bool]]]:
    """Each row of a step: a character, its colour, its background and whether it is bold."""
    return [
        [
            (sign, style.color.name, style.bgcolor.name, bool(style.bold))
            for text, style in row
            for sign in text
        ]
        for row in shots[number].rows
    ]


def filmed_lesson(tmp_path) -> tuple[str, list[Shot]]:
    path = tmp_path / "two.script"
    path.write_text(LESSON)
    title, lab, goes = of_lesson(str(path))
    return title, asyncio.run(shoot(lab, goes, lambda _: None))


@pytest.mark.usefixtures("interpreted")
def test_a_page_has_every_row_once_and_stops_at_the_question_of_a_lesson(tmp_path):
    title, shots = filmed_lesson(tmp_path)
    page = html(title, shots)
    film = json.loads(re.search(r'id="film">(.*?)</script>', page)[1])
    assert len({json.dumps(row) for row in film["rows"]}) == len(film["rows"])
    for number, step in enumerate(film["steps"]):
        shown = ["".join(film["rows"][row][::2]) for row in step["rows"]]
        assert shown == ["".join(cell[0] for cell in row) for row in cells(shots, number)]
    asked = [step["ask"] for step in film["steps"] if step["ask"]]
    assert asked == [["How many values of X has this game changed?", "1"]]
    said = [film["sentences"][number] for number in film["steps"][0]["said"]]
    assert said[0].startswith("Step, X td alpha .1 epsilon .1")
    assert all(f"<p>{escape(sentence)}</p>" in page for sentence in said)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.slow
async def test_chromium_shows_each_step_cell_by_cell_both_ways_and_offline(chromium, tmp_path):
    title, shots = await asyncio.to_thread(filmed_lesson, tmp_path)
    film = tmp_path / "film.html"
    film.write_text(html(title, shots))
    page, asked = await chromium.new_page(), set()
    page.on("request", lambda request: asked.add(request.url))
    await page.goto(film.as_uri())

    def colour(told: str) -> str:
        return f"#{bytes(map(int, re.findall(r'[0-9]+', told))).hex()}"

    async def compare(number: int) -> None:
        shown = [
            [(sign, colour(ink), colour(back), weight == "700") for sign, ink, back, weight in row]
            for row in await page.evaluate(SPANS)
        ]
        assert shown == cells(shots, number)
        assert tuple(await page.evaluate(SAID)) == shots[number].said

    async def answer(text: str) -> None:
        await page.locator("#answer").focus()
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")

    await page.wait_for_function("document.getElementById('count').textContent")
    last = len(shots) - 1
    for number, shot in enumerate(shots):
        await compare(number)
        if shot.question:
            await page.keyboard.press("End")
            await compare(number)
            await answer("7")
            assert await page.locator("#reply").text_content()
            await answer(shot.question[1])
            await page.evaluate("document.activeElement.blur()")
        else:
            await page.keyboard.press("ArrowRight")
    await compare(last)
    for number in reversed(range(last)):
        await page.keyboard.press("ArrowLeft")
        await compare(number)
    assert asked == {film.as_uri()}, "nothing is asked of a network"
