"""One game in plain Python over flat arrays, and the functions that a rule may call."""
