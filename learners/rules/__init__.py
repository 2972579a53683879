"""The update rules, one file each, and the opponents."""
