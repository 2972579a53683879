"""`python -m afterstate_lab` is the `afterstate` command."""

from afterstate_lab.tui.command import main

main()
