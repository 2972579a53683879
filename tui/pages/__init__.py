"""One file per page: its state, its keys, its blocks."""
