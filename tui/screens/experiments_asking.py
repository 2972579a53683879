"""What each command of the experiments does; the screen shows what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from learners.experiments.toml_reader import PlanError
from tui.lab.experiments.commands import EXPERIMENT_COMMANDS
from tui.lab.experiments.sweep import SHAPE
from tui.lab.experiments.words import arm_names, command_told
from tui.screens.ask import Ask
from tui.screens.base import DismissOnce
from tui.screens.help import HelpScreen
from tui.widgets.help_pane import HelpView

if TYPE_CHECKING:
    from textual.app import App

    from tui.lab.experiments.browser import ExperimentBrowser
    from tui.lab.experiments.experiment import ExperimentRun
    from tui.theme.look import Look

NOT_FOR_COPYING = ("linux", "vt", "dumb")
"""Terminals that would show the sequence that copies."""


class ExperimentsAsking(DismissOnce):
    """The commands, one method each, by the names in `tui.lab.experiments.commands`."""

    browser: ExperimentBrowser
    look: Look
    app: App[Any]

    def redraw(self) -> None:
        """Show the experiment as it is."""
        raise NotImplementedError

    def set_to_work(self, run: ExperimentRun) -> None:
        """Let a run work in a thread that outlives the screen."""
        raise NotImplementedError

    def write(self, folder: str) -> Any:
        """Export in a thread."""
        raise NotImplementedError

    def question(
        self, title: str, hint: str, answer: Callable[[str], str], value: str = ""
    ) -> None:
        """Ask for one line."""

        def answered(text: str) -> str:
            try:
                wrong = answer(text)
            except PlanError as error:
                wrong = str(error)
            if not wrong:
                self.redraw()
            return wrong

        self.app.push_screen(Ask(title, hint, answered, value=value, look=self.look))

    def ask_up(self) -> None:
        self.browser.move(-1)

    def ask_down(self) -> None:
        self.browser.move(1)

    def ask_open(self) -> None:
        if self.browser.is_open:
            self.ask_run()
        else:
            self.browser.open()

    def ask_file(self) -> None:
        def answer(text: str) -> str:
            if not text.strip():
                return "a TOML file, such as ~/plans/mine.toml"
            self.browser.open_text(text)
            return ""

        self.question("plan", "a TOML file, a plan's name, or an exercise such as 1.4", answer)

    def ask_run(self) -> None:
        running, entry = self.browser.running, self.browser.entry
        if running is entry:
            if entry.run is not None and entry.run.is_paused:
                entry.run.resume()
        elif running is not None:
            self.browser.note = f"{running.plan.title} is running; k there stops it first."
        elif entry.prediction is None and entry.plan.prediction:
            self.ask_predict(then_run=True)
        else:
            self.set_to_work(self.browser.begin())

    def ask_predict(self, then_run: bool = False) -> None:
        def answer(text: str) -> str:
            self.browser.predict(text)
            if then_run:
                self.set_to_work(self.browser.begin())
            return ""

        entry = self.browser.entry
        asked = entry.plan.prediction or "What will be seen?"
        hint = f"{asked} In your own words; Enter alone skips it."
        self.question("predict", hint, answer, entry.prediction or "")

    def ask_pause(self) -> None:
        self.browser.pause()

    def ask_stop(self) -> None:
        if self.browser.entry.is_running:
            self.browser.stop()
        else:
            self.browser.note = "Nothing runs here."

    def ask_metric(self) -> None:
        self.browser.next_metric()

    def ask_zoom(self) -> None:
        self.browser.wants_all = not self.browser.wants_all

    def ask_chart(self) -> None:
        if any(arm.swept for arm in self.browser.entry.plan.arms):
            self.browser.wants_sweep = not self.browser.wants_sweep
        else:
            self.browser.note = "Nothing is swept here; x sweeps an option."

    def ask_read(self) -> None:
        self.browser.reads = not self.browser.reads

    def ask_sweep(self) -> None:
        def answer(text: str) -> str:
            self.browser.sweep(text)
            return ""

        label = arm_names(self.browser.entry.plan)[self.browser.arm][0]
        arm = self.browser.entry.plan.arms[self.browser.arm]
        has_alpha = any(
            option.name == "alpha" for spec in (arm.x, arm.o) for option in spec.rule.options
        )
        example = f"{label}.alpha=.05,.1,.2" if has_alpha and not arm.swept else ""
        self.question("sweep", SHAPE.format(label), answer, example)

    def ask_seeds(self) -> None:
        self._ask_size("seeds", len(self.browser.entry.plan.seeds), games=False)

    def ask_games(self) -> None:
        self._ask_size("games", self.browser.entry.plan.games, games=True)

    def _ask_size(self, title: str, now: int, *, games: bool) -> None:
        if self.browser.entry.is_running:
            self.browser.note = "It is running; k stops it first."
            return

        def answer(text: str) -> str:
            self.browser.resize(text, games=games)
            return ""

        self.question(title, "how many: 20, 5000, 100k, 1m", answer, str(now))

    def ask_arm(self) -> None:
        self.dismiss(self.browser.settings())

    def ask_export(self) -> None:
        if self.browser.digest is None:
            self.browser.note = "There is nothing to export yet."
            return

        def answer(text: str) -> str:
            if not text.strip():
                return "the name of a folder; it is made where there is none"
            self.write(text.strip())
            return ""

        name = f"afterstate-{self.browser.entry.plan.name}"
        self.question("export", "a folder for metrics.csv, results.json and the charts as SVG",
                      answer, name)  # fmt: skip

    def ask_line(self) -> None:
        entry = self.browser.entry
        command = command_told(entry)
        if entry.sweeps:
            sweeps = "; ".join(entry.sweeps)
            self.browser.note = f"{command}, with [[sweep]] in the plan's file: {sweeps}"
            return
        self.browser.note = command
        if not os.environ.get("TERM", "").startswith(NOT_FOR_COPYING):
            self.app.copy_to_clipboard(command)

    def ask_help(self) -> None:
        keys = tuple((command.shown, command.help) for command in EXPERIMENT_COMMANDS)
        self.app.push_screen(HelpScreen(HelpView((("experiments", keys),)), self.look))

    def ask_back(self) -> None:
        if self.browser.is_open:
            self.browser.close()
        else:
            self.dismiss(None)
