"""One game in plain Python over flat arrays, and what a rule may call."""
