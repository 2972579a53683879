"""The panes of Step: one update of one entry, from every side."""
