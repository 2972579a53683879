"""Scripts that lead through the lab: lessons, the tour, walkthroughs. Ours are here, too."""
