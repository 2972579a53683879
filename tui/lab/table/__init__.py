"""The table of everything a player knows."""
