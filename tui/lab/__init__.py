"""The lab without its screen: what is going on, and the views that show it."""
