"""Every figure that is shown, against a referee that knows the game by itself.

`referee` is tic-tac-toe in plain Python; `cases` has what learners wrote, and the tape as
`afterstate trace` writes it. Neither calls what made the figure.

| figure | where it is shown | against what |
|---|---|---|
| | | test_every_figure: |
| chances, decisions, visited, RMS | `train`, `evaluate`, stats, `stats` | referee, count |
| V or Q, exact value, writes | table, microscope, `values` | memory, referee, count |
| metrics and their references | `experiment` | referee |
| play of matchboxes | `evaluate` | referee that draws beads |
| | | test_every_screen: |
| shares and weights | whence, `why` | the tape, unrolled forwards |
| beads of a box, and their sum | matchbox, whence, `box`, `why` | count on the tape |
| marks | film | the tape, game by game |
| judgements of moves | review | minimax |
| values that differ most | compare | memory of both |
| prices | `museum` | means of the referee's figures |
| errors, the game that beats it | `judge` | referee |
| cases and backups | `grade` | count on the tape |
| live numbers | lessons | referee |
| opening values and verdicts | home | the tape, referee |
| counts of boards | docs/explanation.md, glossary | referee |
| | | elsewhere: |
| answers, chance, scores | quiz | the trace: learners/ask/test_quiz |
| lengths | docs/addresses.md | test_docs |
| ratios | `bench` | worked numbers: cli/test_prices |
| figures of pages | docs, README | their commands: test_docs, plain/test_page, test_chapter_1, |
| | | test_teachers_page, test_library, cli/test_grade_page, cli/test_judge_page |
| recipes | `recipes` | the documents' own code, run once: players/test_recipes |
| answers, stories, lecture | plans, `museum`, `follow` | runs: test_exercises, test_own_lecture |
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
