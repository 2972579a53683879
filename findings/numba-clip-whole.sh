#!/usr/bin/env bash
# numba 0.68.1 with numpy 2.4.6: np.clip of whole numbers leaves numbers outside the bounds.
#
# Guessed: the result is a float where a bound is one, as in NumPy; or the bounds are refused.
# Seen: the result keeps the type of the array, so a bound of .5 becomes 0 when it is stored. Counts
# of visits that are clipped to [.5, 2.5] before they divide a step size contain 0, which is the number
# that the lower bound was to keep out. np.maximum of the same array and bound gives .5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" numba==0.68.1 numpy==2.4.6
cat >"$folder/clipped.py" <<'PY'
import numpy as np
from numba import njit


def clipped(visits):
    return np.clip(visits, 0.5, 2.5)


def at_least(visits):
    return np.maximum(visits, 0.5)


visits = np.array([0, 1, 2, 3])
for f in (clipped, at_least):
    print(f.__name__, f(visits).tolist(), njit(f)(visits).tolist())
PY
seen=$(PYTHONPATH=$folder python3 "$folder/clipped.py")
echo "$seen"
[ "$seen" = "clipped [0.5, 1.0, 2.0, 2.5] [0, 1, 2, 2]
at_least [0.5, 1.0, 2.0, 3.0] [0.5, 1.0, 2.0, 3.0]" ]
