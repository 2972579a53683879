"""The saved runs as they are browsed and compared."""
