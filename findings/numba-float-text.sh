#!/usr/bin/env bash
# numba 0.68.1: an f-string of a float in compiled code is "<object type:float64>".
#
# Guessed: the number's digits, as in Python and as for an int, or an error, as a format such as .3f gives.
# Seen: ints and strings are written, floats and tuples compile without a warning into the name of their
# type. A message that a compiled loop raises or returns loses just the number that it was made for.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" numba==0.68.1 numpy==2.4.6
cat >"$folder/text.py" <<'PY'
from numba import njit


def told(value):
    return f"value: {value}"


compiled = njit(told)
for value in (0.5, 7, "half", (1, 2)):
    print(told(value), "|", compiled(value))
PY
seen=$(PYTHONPATH=$folder python3 "$folder/text.py")
echo "$seen"
[ "$seen" = "value: 0.5 | value: <object type:float64>
value: 7 | value: 7
value: half | value: half
value: (1, 2) | value: <object type:UniTuple(int64 x 2)>" ]
