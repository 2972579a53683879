"""What can be asked for in the experiments: key, footer and help are made from it."""

from __future__ import annotations

from dataclasses import dataclass

from tui.lab.commands import Command
from tui.lab.experiments.browser import Stage

ALL_STAGES = frozenset(Stage)
LIST = frozenset({Stage.LIST})
OPEN = ALL_STAGES - LIST
BEGUN = frozenset({Stage.RUNNING, Stage.STOPPED, Stage.OVER})
RUNNING = frozenset({Stage.RUNNING})
WAITING = frozenset({Stage.PLAN, Stage.STOPPED})


@dataclass(frozen=True)
class StagedCommand(Command):
    """Something that can be asked for at some stages."""

    stages: frozenset[Stage] = ALL_STAGES


def command(
    name: str,
    keys: tuple[str, ...],
    shown: str,
    label: str,
    said: str,
    stages: frozenset[Stage] = ALL_STAGES,
    footer: int = 0,
) -> StagedCommand:
    """A command of the experiments."""
    return StagedCommand(name, keys, shown, label, said, footer=footer, stages=stages)


EXPERIMENT_COMMANDS: tuple[StagedCommand, ...] = (
    command("open", ("enter",), "Enter", "open", "open the plan", LIST, 3),
    command("file", ("slash",), "/", "file", "open a plan of your own, a TOML file", LIST, 4),
    command("up", ("up",), "↑", "", "to the plan or arm above", LIST, 1),
    command("down", ("down", "j"), "↓", "choose", "to the plan or arm below", LIST, 2),
    command("run", ("r",), "r", "run", "run the experiment, or go on with it", WAITING, 1),
    command("pause", ("space",), "space", "pause", "pause, or go on", RUNNING, 2),
    command("stop", ("k",), "k", "stop", "stop; finished trials are kept", RUNNING, 3),
    command("predict", ("p",), "p", "predict", "say what you expect", WAITING, 4),
    command("metric", ("m",), "m", "metric", "by the next metric", BEGUN, 5),
    command("sweep", ("x",), "x", "sweep", "an arm for each value of an option", OPEN, 6),
    command("seeds", ("s",), "s", "seeds", "another number of seeds", OPEN, 12),
    command("games", ("g",), "g", "games", "another number of games", OPEN, 13),
    command("arm", ("o",), "o", "open arm", "set the lab up with the arm's players", OPEN, 8),
    command("export", ("e",), "e", "export", "write CSV, JSON and SVG to a folder", BEGUN, 9),
    command("line", ("y",), "y", "command", "the command that does the same", OPEN, 10),
    command("read", ("tab",), "Tab", "text", "question and answer, or the curves", BEGUN, 7),
    command(
        "zoom",
        ("z",),
        "z",
        "range",
        "the curves from their very start, or as they settle",
        BEGUN,
        11,
    ),
    command("chart", ("c",), "c", "", "a sweep against its option, or over games", BEGUN),
    command("help", ("question_mark", "f1"), "?", "help", "this help", ALL_STAGES, 98),
    command("back", ("escape", "q"), "q", "back", "back (or Esc); a run goes on", ALL_STAGES, 99),
)
"""In the order of the help page; up and down answer at every stage."""
