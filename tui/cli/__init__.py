"""The `afterstate` command without a screen: the same core, a line at a time."""
