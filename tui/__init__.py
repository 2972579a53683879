"""The terminal lab and the `afterstate` command."""
