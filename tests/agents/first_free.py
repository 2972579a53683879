"""The first free cell, as a program: a board a line in, a cell a line out."""

import sys

for line in sys.stdin:
    print(line.index(".") + 1, flush=True)
