"""A run: settings, scripts, keyframes and events."""
