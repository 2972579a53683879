"""The lab a line at a time: for screen readers, pipes and dumb terminals."""
