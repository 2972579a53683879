"""The tour is gone through by doing what its lessons say, in the real lab."""

from __future__ import annotations

from learners.events import Backup
from learners.timeline import WRITE
from tui.lab.modes import Help
from tui.lab.tour import LESSONS
from tui.screens.lab import LabScreen


async def test_every_lesson_is_done_by_the_keys_that_it_names(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        assert isinstance(screen, LabScreen)

        def lesson() -> str:
            assert screen.tour is not None
            return screen.tour.lesson.title

        async def answer(text: str) -> None:
            app.screen.query_one("#answer").value = text
            await pilot.press("enter")
            await app.workers.wait_for_complete()
            await pilot.pause()

        await pilot.press("T")
        assert screen.panes.tour.display
        assert lesson() == "what X believes"
        await pilot.press("full_stop")
        assert lesson() == "an afterstate"
        await pilot.press("full_stop")
        assert lesson() == "a backup"
        for _ in range(60):
            screen.tick()
        assert lesson() == "experience"
        await pilot.press("t")
        await answer("2000")
        assert lesson() == "the microscope"
        await pilot.press("s")
        assert lesson() == "five phases"
        while lesson() == "five phases":
            await pilot.press("right")
        assert isinstance(app.session.timeline.event, Backup)
        assert app.session.timeline.phase == WRITE
        assert lesson() == "the error"
        await pilot.press("left")
        assert lesson() == "exploration"
        await pilot.press("home", "b")
        await answer("exploratory")
        await pilot.press("c")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert lesson() == "no lesson from a whim"
        while lesson() == "no lesson from a whim":
            await pilot.press("right_square_bracket")
        assert lesson() == "the truth"
        await pilot.press("v")
        await pilot.pause()
        await pilot.press("escape")
        assert lesson() == "you against it"
        await pilot.press("p", "5")
        assert lesson() == "help while you play"
        while app.session.help is not Help.EXACT:
            await pilot.press("h")
        assert lesson() == LESSONS[-1].title
        await pilot.press("T")
        assert screen.tour is None
        assert not screen.panes.tour.display


def test_every_lesson_fits_the_card_of_an_80_column_terminal():
    for lesson in LESSONS:
        assert len(lesson.text) <= 76
        assert len(lesson.todo) <= 74
