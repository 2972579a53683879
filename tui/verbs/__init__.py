"""Everything that a user can ask for; importing this makes all commands, in the order of help."""

from afterstate_lab.tui.lab.commands import BY_NAME, COMMANDS
from afterstate_lab.tui.verbs import find, look, play, step, watch

ORDER = [module.__name__ for module in (watch, step, find, play, look)]
COMMANDS.sort(key=lambda one: ORDER.index(getattr(one.do, "func", one.do).__module__))
