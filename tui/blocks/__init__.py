"""The parts of a page: each block draws itself and reads itself out."""
