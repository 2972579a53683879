"""A run: settings, scripts and keyframes, and every event of it at any place."""
