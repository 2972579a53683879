"""What the panes show: frozen plain data, with no word of games, learners or terminals."""
