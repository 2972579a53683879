"""Update rules, opponents, the engine that runs them, and runs that can be replayed anywhere."""
