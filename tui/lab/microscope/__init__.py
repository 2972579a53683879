"""One update of one entry, from every side."""
