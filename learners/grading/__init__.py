"""Grading a rule: event by event against one that is known to be right."""
