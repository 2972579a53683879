#!/usr/bin/env bash
# gradescope-utils 0.5.0: a test with a failing subTest is missing from results.json altogether.
#
# Guessed: it counts as failed, with 0 of its points.
# Seen: the runner's result class knows success, failure and error, but no subTest. A failed subTest
# reports neither, so the test has no row: its points are missing from the possible sum as well, and a
# student who fails 2 of 5 points this way reads "3 of 3". A skipped test and an unexpected success
# have no row either.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" gradescope-utils==0.5.0
cat >"$folder/graded.py" <<'PY'
import io
import json
import unittest

from gradescope_utils.autograder_utils.decorators import weight
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner


class Homework(unittest.TestCase):
    @weight(3)
    def test_whole(self):
        self.assertTrue(True)

    @weight(2)
    def test_in_parts(self):
        for part in range(3):
            with self.subTest(part=part):
                self.assertEqual(part, 1)


out = io.StringIO()
tests = unittest.defaultTestLoader.loadTestsFromTestCase(Homework)
JSONTestRunner(stream=out).run(tests)
rows = json.loads(out.getvalue())["tests"]
print([(row["name"].split()[0], row["score"], row["max_score"]) for row in rows])
PY
seen=$(PYTHONPATH=$folder python3 "$folder/graded.py")
echo "$seen"
[ "$seen" = "[('test_whole', 3, 3)]" ]
