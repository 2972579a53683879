"""The experiments as they are browsed and shown."""
