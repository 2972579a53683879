"""A quiz on a run."""
