"""What the screen and plain mode show: pages, each in a file of its name."""
