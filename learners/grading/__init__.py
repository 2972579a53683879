"""Compare a rule with a correct rule, event by event."""
