"""The driver leaves the house: copied elsewhere, it serves another app, and sends fewer bytes."""

import shutil
import sys
from pathlib import Path

from pseudo_terminal import PseudoTerminal

APP = """
import sys
from textual.app import App
from textual.widgets import Static

sys.modules["afterstate_lab"] = None

class Counter(App):
    count = 0

    def row(self, n):
        return f"[b]row {n}[/b] [green]{'x' * 60} {self.count}"

    def compose(self):
        for n in range(20):
            yield Static(self.row(n), id=f"row{n}")

    def on_key(self, event):
        self.count += 1
        for n in range(20):
            self.query_one(f"#row{n}").update(self.row(n))

    def get_driver_class(self):
        if "plain" in sys.argv:
            return super().get_driver_class()
        from few_bytes.driver import Pacer, few_bytes_driver
        from few_bytes.shutdown import ShutdownGuard

        pacer = Pacer(lambda: None)
        guard = ShutdownGuard(lambda status: self.exit(), lambda: None)
        return few_bytes_driver(super().get_driver_class(), None, pacer, guard)

Counter().run()
"""


def test_copied_beside_another_app_the_driver_shows_the_same_in_half_the_bytes(tmp_path: Path):
    ours = Path(__file__).parents[2] / "tui" / "terminal"
    shutil.copytree(ours, tmp_path / "few_bytes", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "app.py").write_text(APP)
    shown, sent = [], []
    for option in ("few", "plain"):
        command = [sys.executable, str(tmp_path / "app.py"), option]
        with PseudoTerminal(command, columns=90, rows=24) as terminal:
            terminal.read_until_shown("row 19")
            terminal.read_until_quiet()
            before = len(terminal.written)
            for count in range(1, 6):
                terminal.press("space")
                terminal.read_until_shown(f" {count}")
                terminal.read_until_quiet()
            shown.append(terminal.text)
            sent.append(len(terminal.written) - before)
    assert shown[0] == shown[1]
    assert sent[0] < sent[1] / 2, sent
