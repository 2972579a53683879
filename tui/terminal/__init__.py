"""The way to the terminal: driver, input, bytes, signals."""
