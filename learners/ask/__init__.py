"""Questions asked of a tape: breakpoints, last writers, provenance, what if."""
