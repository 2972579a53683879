"""What cannot be read is refused, in one printable sentence that says what is wrong."""

from pathlib import Path

import pytest
from made import TINY, layout_of

from afterstate_lab.game import Side
from afterstate_lab.learners.ask.be import ByHand
from afterstate_lab.learners.ask.conditions import parse as parse_condition
from afterstate_lab.learners.ask.table import filtered, table_rows
from afterstate_lab.learners.errors import ConditionError, RuleFileError, UsageError
from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.grading.grade import grade
from afterstate_lab.learners.grading.process import GradingError, graded
from afterstate_lab.learners.players.agent import Complaint, probabilities
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import LONGEST_SPEC
from afterstate_lab.learners.runs.address import LONGEST, Address, AddressError, read_scripts
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.learners.toml_reader import TomlError

CSV = "board,cell\n"
FEW_ARGUMENTS = """
from learners import Rule
class Mine(Rule):
    def after_step(v, tape, me, steps):
        pass
"""


def written(name, text):
    Path(name).write_text(text)
    return name


def filter_of_td(text):
    layout = layout_of("td")
    filtered(table_rows(layout, layout.fresh(), Side.X), text)


def table(text):
    parse_player(written("agent.json" if text[:1] in ("[", "{") else "agent.csv", text))


def condition_of(text, x):
    parse_condition(text).check(layout_of(x, "td"))


READERS = {
    "player": (parse_player, UsageError),
    "condition": (parse_condition, ConditionError),
    "condition of a player": (condition_of, ConditionError),
    "filter": (filter_of_td, UsageError),
    "address": (Address.parse, AddressError),
    "place of an address": (lambda text: open_address(Address.parse(text)).memory(), AddressError),
    "moves of an address": (
        lambda moves: open_address(Address.parse(f"afterstate:1/td/td/1/1~{moves}")), AddressError,
    ),
    "games of a person": (lambda text: read_scripts(text, 3), AddressError),
    "plan": (lambda old, new: Plan.parse(TINY.replace(old, new, 1), "plan.toml"), TomlError),
    "sweep": (lambda text: Plan.parse(f"{TINY}\n[sweep]\n{text}\n", "plan.toml"), TomlError),
    "table of an agent": (table, UsageError),
    "answer of an agent": (lambda answer: probabilities(answer, "....X...."), Complaint),
    "rule": (lambda text: parse_player(f"{written('mine.py', text)}:Mine"), RuleFileError),
    "homework": (lambda spec: graded(spec, "td", games=5, seeds=1), GradingError),
    "comparison of rules": (
        lambda *specs: grade(*map(parse_player, specs), games=1, seeds=1), UsageError,
    ),
    "learner by hand": (lambda spec: ByHand(parse_player(spec), 0), UsageError),
}  # fmt: skip
"""How each is read, and the error with which it is refused."""
BEGINS = {"player": "{}", "plan": "plan.toml", "sweep": "plan.toml", "table of an agent": "'agent.",
          "answer of an agent": "answers with {}"}  # fmt: skip
"""How a sentence begins; the row says what is in it."""
REFUSED = {
    "player": [
        ("tdd", "unknown player 'tdd'. Did you mean td? (afterstate players lists them all)"),
        ("", "unknown player '' (afterstate players lists them all)"),
        ("td:alfa=.1", "td has no option 'alfa'. Did you mean alpha?"),
        ("td:alpha", "option alpha needs a value: alpha=0 to 1"),
        ("td:alpha=.1,alpha=.2", "option alpha is given twice"),
        ("td:alpha=2", "alpha=2 is not valid: use 0 to 1"),
        ("nstep:n=0", "n=0 is not valid: use a whole number from 1 to 9"),
        ("td:epsilon=.3..", "epsilon=.3.. is not valid: use 0 to 1 (or .3..0 falling, "),
        ("random:epsilon=.1", "random has no option 'epsilon'. It has no options"),
        ("nowhere.npz", "cannot read 'nowhere.npz': no such file or directory"),
        ("t\x1b[31md", "a player spec has printable characters only, unlike 't\\x1b[31md'"),
        ("t\ud800", "a player spec has printable characters only, unlike 't\\ud800'"),
        ("x" * (LONGEST_SPEC + 1), f"a player spec is at most {LONGEST_SPEC} characters long"),
    ],
    "condition": [
        ("", "a condition is error > .3"),
        ("loses X", "'loses X' is not a condition"),
        ("error > much", "error > 'much' is not a condition: use 0 or more"),
        ("error > -1", "use 0 or more"),
        ("error > nan", "use 0 or more"),
        ("wrote X OOOOOOOOO", "OOOOOOOOO"),
        ("wrote X X...O....@1", "cell '1' is not free on X...O...."),
        ("game 0", "games count from 1"),
        ("game 9..3", "put the smaller number first"),
        ("(flip", "a parenthesis is not closed"),
        ("flip)", "')' is one parenthesis too many"),
        ("flip and", "a condition is error > .3"),
        ("flip\x1b[2J", "printable characters only"),
        ("draw or " * 60 + "draw", "at most 400 characters"),
        (" and ".join(["(flip or draw)"] * 7), "in more than 64 ways"),
    ],
    "condition of a player": [
        ("wrote X ....X....@1", "td", "keeps values of boards, not of moves"),
        ("wrote X X...O....", "td", "X (td) keeps no value for X...O...."),
        ("wrote X XXXOO....", "td", "keeps no value for"),
        ("wrote X ....X....", "q", "X does not value moves on ....X...."),
        ("wrote X ....X....", "random", "X (random) learns nothing"),
        ("wrote X XOXXOOOX.", "menace", "X (menace) keeps no value for"),
        ("flip .........", "random", "X learns nothing: its greedy moves never change"),
        ("flip XXXOO....", "td", "the game is over on XXXOO...."),
    ],
    "filter": [
        ("hello", "'hello' is not a filter"),
        ("X.O", "nine characters"),
        ("X.O......@0", "nine characters"),
        ("size>3", "'size' cannot be compared"),
        (">3", "cannot be compared"),
        ("visits>many", "needs a number"),
        ("visits>", "needs a number"),
        ("visits>nan", "needs a number"),
        ("class", "needs a board"),
        ("\x1b[31m", "is not a filter"),
        *((text, "") for text in ("share>.1", "cell=5", "X........@5", "q1>0")),
    ],
    "address": [
        ("afterstate", "is not an address: use afterstate:1/X/O/SEED/GAMES"),
        ("afterstate:2/td/td/1/1", "of version 2, and this afterstate reads version 1"),
        ("afterstate:x/td/td/1/1", "'x' in an address is not a version"),
        ("afterstate:1/td/td/1", "is not a whole address"),
        ("afterstate:1/td/td/1/", "'' in an address is not a number of games"),
        ("afterstate:1/td/td/-1/5", "'-1' in an address is not a seed"),
        ("afterstate:1/td/td/9999999999999999999/5",
         "not a seed: use a whole number of at most 9223372"),
        ("afterstate:1/td/td/1/10000000001", "use a whole number of at most 10000000000"),
        ("afterstate:1/td/td/٣/5", "is not a seed"),
        ("afterstate:1/tdd/td/1/5", "X of the address: unknown player 'tdd'"),
        ("afterstate:1/td/td:alpha=9/1/5", "O of the address: alpha=9 is not valid"),
        ("afterstate:1/td/my.py:Mine/1/5", "O of the address, 'my.py:Mine', is a path"),
        ("afterstate:1/td/%2Fa%2Fb.npz/1/5", "is a path: an address names a player's file"),
        ("afterstate:1/td/cmd:ls/1/5", "unknown player 'cmd'"),
        ("afterstate:1/td/%00/1/5", "is not a player spec"),
        ("afterstate:1/td/td/1/5@", "'' in an address is not a moment"),
        ("afterstate:1/td/td/1/5@3.10", "'3.10' in an address is not a moment"),
        ("afterstate:1/td/td/1/5@0", "is not a moment"),
        ("afterstate:1/td/td/1/5@6", "no game 6: the run of the address has 5"),
        ("afterstate:1/td/td/1/5!xyz", "'xyz' in an address is not an engine: use 8 hex digits"),
        ("afterstate:1/td/td/1/5~", "no games follow the ~"),
        ("afterstate:1/td/td/1/5+x=q", "a what-if in an address needs a moment"),
        ("afterstate:1/td/td/1/5@3@4", "is not a whole address"),
        ("afterstate:1/" + "t" * LONGEST, "at most 100,000 characters"),
    ],
    "place of an address": [
        ("afterstate:1/td/td/1/5@3.9", "game 3 has no move 9"),
        ("afterstate:1/td/td/1/5@3.1.9", "move 1 of game 3 has"),
        ("afterstate:1/td/td/1/5@3.1.1.4", "has no phase 4"),
        ("afterstate:1/td/td/1/5~6hl@6.1", "no game 6: the run has 5"),
    ],
    "moves of an address": [
        ("1lh,2ll", "has 0 games of a person from game 1 on, and 1 were played"),
        ("1lhAA", "an address lacks a move of a person in game 1"),
        ("1=112432455366", "gives for game 1: The game is over: XXXOO.... is won by X"),
        ("2=15", "end game 2, and it says that 1 are over"),
    ],
    "games of a person": [
        ("nonsense", "is not a part of a person's games"),
        ("1hlAAAAAAAAA", "lacks the first move of game 1"),
        ("1hlBRgB", "has 1 games of a person from game 1 on, and 3 were played"),
        ("1lh__AAAA", "'__' in an address is not a list of moves of game 1"),
        ("4lhAA,2lhAA", "not in order of games at game 2"),
        ("9=15", "has moves in game 9"),
        ("2=15,2=16", "has the moves of game 2 twice"),
        ("2=1525", "plays a cell twice in game 2"),
        ("2=1516", "plays a cell twice in game 2, or two at one ply"),
        ("1lh,", "'' in an address is not a part"),
    ],
    "plan": [
        ("games = 300", "game = 300", "line 4: game: unknown key. Did you mean games?"),
        ("games = 300", "games = 3e2", "line 4: games: must be a whole number from 1 to 10,000,0"),
        ("games = 300", "games = true", "line 4: games: must be a whole number"),
        ("games = 300", "games = ", "plan.toml is not valid TOML: Invalid value (at line 4"),
        ("games = 300\n", "", "plan.toml: games is missing"),
        ("seeds = 3", "seeds = 0", "line 5: seeds: must be a whole number from 1 to 1,000, not"),
        ("seeds = 3", "seeds = [1, 1]", "line 5: seeds: one is given twice"),
        ("seeds = 3", "seeds = [1, -1]", "line 5: seeds: '-1' is not a whole number"),
        ("value X", "valeu X", "line 6: metrics: unknown metric 'valeu'. Did you mean val"),
        ("value X", "value", "line 6: metrics: 'value' needs a side: value X or value O"),
        ("value X", "won X", "line 6: metrics: one is given twice"),
        ("points = 3", "points = 0", "line 9: measure.points: must be a whole number from 1"),
        ("points = 3", "spacing = 'cubic'", "line 9: measure.spacing: must be linear or log, not"),
        ("points = 3", "point = 3", "line 9: measure.point: unknown key. Did you"),
        ('"td:draw=0"', '"tdd:draw=0"', "line 13: arms[1].x: unknown player 'tdd'"),
        ("learn", "lern", "line 18: arms[2].x: exploration=lern is not valid: use"),
        ("draw=0,", "darw=0,", "line 18: arms[2].x: td has no option 'darw'"),
        ('o = "random"', 'o = "human"', "line 14: arms[1].o: a person cannot take part"),
        ('o = "random"', 'o = "mine.py:Mine"', "line 14: arms[1].o: 'mine.py:Mine' runs code"),
        ('o = "random"', 'o = "none.npz"', "line 14: arms[1].o: "),
        ('o = "random"', "o = 5", "line 14: arms[1].o: must be a text, not '5'"),
        ('name = "B"', 'name = "A"', "line 17: arms[2].name: two variants are named 'A'"),
        ('name = "B"', 'name = "\\u001b[2J"', "line 17: arms[2].name: has characters that"),
        ('name = "B"', "", "line 16: arms[2]: name is missing"),
        ('name = "B"', 'name = "B"\nbaseline = "C"', "line 18: arms[2].baseline: there is no arm"),
    ],
    "sweep": [
        ('arm = "C"\noption = "alpha"\nvalues = [1]', "sweep.arm: there is no arm 'C'; there is A"),
        ('option = "lambda"\nvalues = [1]', "sweep.option: no player of arm 'A' has an option"),
        ('option = "z.alpha"\nvalues = [1]', "sweep.option: must be an option's name, or"),
        ('option = "alpha"\nvalues = [2]', "sweep.values: alpha=2 is not valid: use 0 to 1"),
        ('option = "alpha"\nvalues = []', "sweep.values: must be a list of 1 to 100"),
        ('option = "alpha"\nvalues = [true]', "sweep.values: alpha=True is not valid"),
        ('option = "epsilon"\nvalues = ["0\\f..0"]', "sweep.values: '0\\x0c..0' has characters"),
        ('option = "alpha"\nvalues = [0.5, 0.5]', "sweep.values: one is given twice"),
        ('options = "alpha"', "sweep.options: unknown key. Did you mean option?"),
    ],
    "table of an agent": [
        ("", "must have the columns board,cell"),
        ("cell,value\n1,2\n", "must have the columns board,cell"),
        (CSV, "has no rows"),
        (CSV + "XXX......,4\n", "is wrong in line 2: 'XXX......' is not a board"),
        (CSV + "X.O,4\n", "is wrong in line 2: 'X.O' is not a board"),
        (CSV + "\x1b[31m,4\n", r"is wrong in line 2: '\x1b[31M' is not a board"),
        (CSV + "XXXOO....,8\n", "is wrong in line 2: the game is over on the board XXXOO...."),
        (CSV + ".........,5\n.........,5\n", "the board ......... is already in line 2"),
        (CSV + ".........,0\n", "is wrong in line 2: a cell is 1 to 9, not '0'"),
        (CSV + "........X,9\n", "on the board ........X: it answers with cell 9, "),
        (CSV + ".........\n", "is wrong in line 2: a cell is 1 to 9, not 'None'"),
        ("board,cell,probability\n.........,5,.9\n", "that sum to 0.9, not 1"),
        ("board,cell,probability\n.........,5,nan\n", "line 2: 'nan' is not a finite number"),
        ("board,cell,probability\n.........,5,.5\n.........,5,.5\n",
         "line 3: cell 5 of the board ......... is already in line 2"),
        ("player,board,cell,value,visits\nZ,.........,5,.5,1\n", "the player is X or O, not 'Z'"),
        ("player,board,cell,value,visits\nX,.........,5,x,1\n", "'x' is not a number"),
        ("[", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[5]", "must be a list of objects"),
        ('[{"board": "........."}]', "must have the columns board,cell"),
        ('{".........": "5"}', "on the board .........: it answers with the text '5'"),
        ('{".........": 5, "...\\n...\\n...": 5}', "in entry 2: the board ......... is already"),
    ],
    "rule": [
        ("def x(:", "syntax error in line 1"),
        ("import nothing_of_this_name", "fails in line 1"),
        ("x = 1", "defines no rule 'Mine'"),
        ("class Mine: pass", "defines no rule 'Mine'"),
        (FEW_ARGUMENTS, "8"),
        ("from learners.rules.base import Rule\nclass Mine(Rule): pass\n", "no after_step"),
    ],
    "homework": [
        ("nowhere.py:Mine", "cannot read rule file 'nowhere.py': no such file"),
        ("museum:draw-as-los", "Did you mean draw-as-loss"),
        ("td:alpha=7", "is not valid"),
    ],
    "comparison of rules": [
        ("td", "q", "keep values of different things"),
        ("td", "negamax", "keep values of different things"),
        ("random", "td", "'random' learns nothing"),
        ("td", "td:learn=off", "learns nothing"),
    ],
    "learner by hand": [
        *((spec, "does not learn") for spec in ("random", "human", "td:learn=off", "perfect")),
    ],
    "answer of an agent": [
        (0, "0, and cells are 1 to 9"),
        (5, "cell 5, which is not free"),
        ([1 / 9] * 9, "cell 5, which is not free"),
        ("5", "the text '5', not a cell 1 to 9 or probabilities"),
        (5.0, "5.0, not a cell 1 to 9 or probabilities"),
        (True, "True, not a cell 1 to 9 or probabilities"),
        (None, "nothing, not a cell 1 to 9 or probabilities"),
        ([1, 2], "a list of 2, not a cell 1 to 9 or probabilities"),
        ({"10": 1.0}, "a probability of '10'; cells are 1 to 9"),
        ({"1": 0.5, "2": 0.4}, "probabilities that sum to 0.9, not 1"),
        ([float("nan")] * 9, "NaN as the probability of cell 1"),
        ([-1, 2] + [0] * 7, "-1 as the probability of cell 1"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        pytest.param(k, row, id=f"{k}-{n}")
        for k, rows in REFUSED.items()
        for n, row in enumerate(rows)
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(kind, row, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read, error = READERS[kind]
    *given, said = row
    with pytest.raises(error) as refused:
        read(*given)
    told = str(refused.value)
    assert told.startswith(BEGINS.get(kind, "").format(said)) and said in told
    assert told.isprintable() and len(told) < 2_000
