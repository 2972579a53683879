"""Lessons: TOML files of steps, each done in the lab itself. The built-in ones are here."""
