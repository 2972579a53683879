#!/usr/bin/env bash
# numba 0.68.1 with numpy 2.4.6: np.histogram of numbers that are all equal counts none of them.
#
# Guessed: one bin holds them all. NumPy widens the empty range by half to each side.
# Seen: compiled code takes the range as it is, from the number to itself. Its bins have no width, and the
# counts are zeros, with no warning and no error. So the learner that found the same value with every seed
# is the one whose histogram is empty. One number that differs brings all the others back.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" numba==0.68.1 numpy==2.4.6
cat >"$folder/counted.py" <<'PY'
import numpy as np
from numba import njit


def counts(values):
    return np.histogram(values, 4)[0]


compiled = njit(counts)
for values in ([0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0], [7.0], [0.5, 0.5, 0.5, 0.75]):
    print(values, *(f(np.array(values)).tolist() for f in (counts, compiled)))
PY
seen=$(PYTHONPATH=$folder python3 "$folder/counted.py")
echo "$seen"
[ "$seen" = "[0.5, 0.5, 0.5, 0.5] [0, 0, 4, 0] [0, 0, 0, 0]
[0.0, 0.0, 0.0] [0, 0, 3, 0] [0, 0, 0, 0]
[7.0] [0, 0, 1, 0] [0, 0, 0, 0]
[0.5, 0.5, 0.5, 0.75] [3, 0, 0, 1] [3, 0, 0, 1]" ]
