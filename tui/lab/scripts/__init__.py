"""Scripts that lead through the lab: lessons, the tour, walkthroughs, and the built-in ones."""
