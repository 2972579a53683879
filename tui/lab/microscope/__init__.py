"""Step: one update of one entry, as a picture and in numbers, and the selected number in words."""
