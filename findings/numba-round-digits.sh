#!/usr/bin/env bash
# numba 0.68.1: round(0.05, 1) is 0.0 in compiled code, and 0.1 in Python.
#
# Guessed: the same number. round(x) without digits agrees at every half, as do %, // and divmod.
# Seen: with digits, Python rounds the exact binary value, which is a little above .05 and a little below
# .35. Compiled code multiplies by ten first, gets .5 and 3.5 and takes the even neighbour, 0 and 4. Of the
# numbers 0.000 to 0.999, 46 differ in two digits: a table that is rounded with and without the compiler
# has cells that differ by a whole unit of the last digit shown.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" numba==0.68.1 numpy==2.4.6
cat >"$folder/rounded.py" <<'PY'
from numba import njit


def shown(value, digits):
    return round(value, digits)


compiled = njit(shown)
print([shown(x, 1) for x in (0.05, 0.25, 0.35)], [compiled(x, 1) for x in (0.05, 0.25, 0.35)])
numbers = [n / 1000 for n in range(1000)]
print(sum(shown(x, 2) != compiled(x, 2) for x in numbers), "of", len(numbers), "differ")
whole = [n / 2 for n in range(-9, 10)]
print(sum(round(x) != njit(lambda y: round(y))(x) for x in whole), "without digits")
PY
seen=$(PYTHONPATH=$folder python3 "$folder/rounded.py")
echo "$seen"
[ "$seen" = "[0.1, 0.2, 0.3] [0.0, 0.2, 0.4]
46 of 1000 differ
0 without digits" ]
