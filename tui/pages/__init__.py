"""A file for each thing that is shown: its state, its keys, and its page."""
