"""The lab without its screen: its state, and the views that show it."""
