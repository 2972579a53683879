#!/usr/bin/env bash
# numba 0.68.1 with numpy 2.4.6: np.median of numbers with a nan among them is a number, another one for each place of the nan.
#
# Guessed: nan, as NumPy gives it, and as max, argmax, mean, percentile and quantile give it in compiled code, too.
# Seen: median alone selects by comparing, and a nan compares false, so it lands anywhere. Of seven learners, one
# of which diverged, the same list has the median 3, 4 or 6 (its largest) by the place where the nan stands, and
# nan only where it stands in the middle: nothing says that a learner is broken.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" numba==0.68.1 numpy==2.4.6
cat >"$folder/middle.py" <<'PY'
import numpy as np
from numba import njit


@njit
def median(values):
    return np.median(values)


@njit
def quantile(values):
    return np.quantile(values, 0.5)


rest = [5.0, 1.0, 4.0, 2.0, 6.0, 3.0]
rows = [np.array(rest[:at] + [np.nan] + rest[at:]) for at in range(7)]
print("numpy median  ", *(np.median(row) for row in rows))
print("numba quantile", *(quantile(row) for row in rows))
print("numba median  ", *(median(row) for row in rows))
PY
seen=$(PYTHONPATH=$folder python3 "$folder/middle.py")
echo "$seen"
[ "$seen" = "numpy median   nan nan nan nan nan nan nan
numba quantile nan nan nan nan nan nan nan
numba median   6.0 4.0 4.0 nan 3.0 3.0 4.0" ]
