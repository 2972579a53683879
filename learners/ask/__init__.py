"""Questions about a run: breakpoints, backups of a value, provenance, what if."""
