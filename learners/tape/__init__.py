"""A run: settings, scripts and keyframes, and every event that follows from them."""
