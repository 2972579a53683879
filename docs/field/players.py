"""Players that others publish, each as a function that `afterstate judge` can ask.

`ask.py` installs every package in a folder of its own and names the parent of these in FIELD. A
function takes nine characters and returns a cell from 1 to 9. Where a package plays one mark only,
it plays the other one with the marks swapped. `cache` keeps the answers of players that draw no
random numbers: some need seconds for a board.
"""

import io
import os
import random
import sys
import time
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from itertools import chain
from types import SimpleNamespace

SWAPPED = str.maketrans("XO", "OX")
time.sleep = lambda seconds: None
"""Some packages wait before they answer, to look thoughtful."""


def mover(board):
    return "XO"[board.count("X") != board.count("O")]


def other(mark):
    return mark.translate(SWAPPED)


@cache
def package(folder, module):
    """Import a module of the package in this folder."""
    sys.path.insert(0, f"{os.environ['FIELD']}/{folder}")
    try:
        with redirect_stdout(io.StringIO()):
            return import_module(module)
    finally:
        del sys.path[0]


def rows(board, **marks):
    """Return three lists of three, with other marks for X, O and `empty`."""
    signs = {"X": "X", "O": "O", ".": marks.pop("empty", ".")} | marks
    return [[signs[sign] for sign in board[k : k + 3]] for k in (0, 3, 6)]


def cell(place):
    """Return the cell of (row, column)."""
    return 3 * int(place[0]) + int(place[1]) + 1


def new_cell(before, after):
    """Return the cell in which two lists of rows differ."""
    pairs = zip(chain(*before), chain(*after), strict=True)
    return next(k for k, (a, b) in enumerate(pairs, 1) if a != b)


def as_o(board):
    """Return the board as a player of O sees it."""
    return board if mover(board) == "O" else board.translate(SWAPPED)


@cache
def tictactai(board):
    evaluator = package("tictactai", "tictactai.evaluator")
    theirs = evaluator.Board()
    theirs.set_board([sign.strip(".") for sign in board])
    return evaluator.get_best_move(theirs, mover(board) == "X") + 1


def tictacai(board):
    """Move at random first, as it does; after that it draws no random numbers."""
    return tictacai_search.__wrapped__(board) if board == "........." else tictacai_search(board)


@cache
def tictacai_search(board):
    models = package("tictacai", "tictacai.logic.models")
    players = package("tictacai", "tictacai.game.players")
    state = models.GameState(models.Grid(board.replace(".", " ")), models.Mark("X"))
    player = players.MinimaxComputerPlayer(models.Mark(mover(board)), 0)
    return player.get_move(state).cell_index + 1


@cache
def sphsebot25(board):
    # The package itself begins a game of Connect 4 when it is imported.
    game = package("sphsebot25/ebotsphs25", "tictactoe")
    return game.computer_move(list(as_o(board).replace(".", " "))) + 1


def lealtictactoe(board):
    names = [row + column for row in "ABC" for column in "123"]
    robot = package("lealtictactoe", "lealtictactoe.main").LealTicTacToe
    mine = [name for name, sign in zip(names, board, strict=True) if sign == mover(board)]
    theirs = [name for name, sign in zip(names, board, strict=True) if sign == other(mover(board))]
    guess = robot.bestgame(theirs, mine)
    return names.index(guess) + 1 if guess else None


def tic_tac_toe_api_bot(board):
    theirs = package("tic-tac-toe-api-bot", "tic_tac_toe")
    field = theirs.Field(turn="bot")
    marks = {mover(board): "o", other(mover(board)): "x"}
    field.map = rows(board, empty="", **marks)
    theirs.Bot(field, level=100).make_move()
    return new_cell(rows(board, empty="", **marks), field.map)


def tictactoe3(board):
    sys.modules.setdefault("github", SimpleNamespace(Github=None))  # it asks nobody to play
    functions = package("TicTacToe3", "TicTacToe3.__functions__")
    return cell(functions.comptrMove(rows(board, empty=None), other(mover(board)), mover(board)))


@cache
def ai_tictactoe(board):
    theirs = package("ai-tictactoe", "ai_tictactoe.tictactoe").TicTacToeAI()
    theirs.board = rows(as_o(board), empty=" ")
    return cell(theirs.get_ai_move())


def jokettt(board):
    boards = package("jokettt", "jokettt.board.board")
    minimax = package("jokettt", "jokettt.players.minimaxplayer")
    field = boards.Board("x", "o", rows(board, X="x", O="o", empty="_"))
    return cell(minimax.MinimaxPlayer(mover(board).lower()).move(field))


def supernovattt(board):
    brain = package("supernovattt", "supernovattt.brain")
    return brain.choose_move(list(as_o(board).replace(".", " ")), "impossible") + 1


@cache
def tic_tac_toe_game(board):
    negamax = package("tic-tac-toe-game", "tic_tac_toe_game.AI.negamax")
    with redirect_stdout(io.StringIO()):
        return cell(negamax.negamax_move(rows(as_o(board), X=1, O=-1, empty=0), -1))


def tictaccli(board):
    theirs = package("tictaccli", "tictactoecli")
    marks = theirs.Mark
    theirs.computer_mark = marks[mover(board)]
    theirs.player_mark = marks[other(mover(board))]
    theirs.board = theirs.Board()
    signs = {"X": marks.X, "O": marks.O, "empty": marks.NULL}
    theirs.board.positions = rows(board, **signs)
    theirs.start_computer_turn(2)
    return new_cell(rows(board, **signs), theirs.board.positions)


@cache
def tictactoeai(board):
    theirs = package("TicTacToeAI", "TicTacToeAI")
    as_x = as_o(board).translate(SWAPPED)  # the computer is X
    return cell(theirs.get_best_move(rows(as_x, empty=" "), "hard"))


def tactacai(board):
    theirs = package("tactacai", "tactacai.game")
    theirs.Statistics = theirs.clean = lambda: None
    game = theirs.Game()
    game.c_choice, game.h_choice = "O", "X"
    game.board = rows(as_o(board), empty=" ")
    with redirect_stdout(io.StringIO()):
        game.ai_turn()
    return new_cell(rows(as_o(board), empty=" "), game.board)


@cache
def easyai(board):
    """Play as the package's example does: six plies ahead."""
    easy = package("easyAI", "easyAI")
    module = package("easyAI", "easyAI.games.TicTacToe")
    game = module.TicTacToe([None, easy.AI_Player(easy.Negamax(6))])
    game.board = [*chain(*rows(as_o(board), X=1, O=2, empty=0))]
    game.current_player = 2
    return int(game.get_move())


@cache
def aima3(board):
    games = package("aima3", "aima3.games")
    theirs = games.TicTacToe()
    marks = {(k // 3 + 1, k % 3 + 1): sign for k, sign in enumerate(board) if sign != "."}
    moves = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3) if (i, j) not in marks]
    state = games.GameState(to_move=mover(board), utility=0, board=marks, moves=moves)
    i, j = games.alphabeta_search(state, theirs)
    return cell((i - 1, j - 1))


def mctspy(board):
    numpy = import_module("numpy")
    examples = package("mctspy", "mctspy.games.examples.tictactoe")
    nodes = package("mctspy", "mctspy.tree.nodes")
    search = package("mctspy", "mctspy.tree.search")
    grid = numpy.array(rows(board, X=1, O=-1, empty=0))
    state = examples.TicTacToeGameState(grid, {"X": 1, "O": -1}[mover(board)])
    root = nodes.TwoPlayersGameMonteCarloTreeSearchNode(state=state)
    best = search.MonteCarloTreeSearch(root).best_action(200).state.board
    return int(numpy.flatnonzero(best != grid)[0]) + 1


@cache
def tictactoe_py(board):
    theirs = package("tictactoe-py", "tictactoe")
    signs = tuple(None if sign == "." else sign for sign in board)
    after, _ = theirs.play_best_move(signs, mover(board))
    return next(k for k in range(9) if after[k] != signs[k]) + 1


def tic_tac_toe(board):
    theirs = package("tic-tac-toe", "tic_tac_toe.tic_tac_toe")
    if board == ".........":
        return random.randrange(9) + 1
    return theirs.the_move(list(board.replace(".", "-")), list(scores(board))) + 1


@cache
def scores(board):
    theirs = package("tic-tac-toe", "tic_tac_toe.tic_tac_toe")
    theirs.COUNT = 0
    mark = mover(board)
    return theirs.minimax(list(board.replace(".", "-")), mark, mark, other(mark))


@cache
def tic_tac_toe_aiman(board):
    game = package("tic-tac-toe-aiman/tic-tac-toe-aiman", "game").TicTacToe()
    game.board = rows(as_o(board), empty="")
    return cell(game.best_move("hard"))


def botany_noughtsandcrosses(board):
    main = package("botany-noughtsandcrosses", "botany_noughtsandcrosses.__main__")
    return main.get_next_move_random(list(board)) + 1


def eldar_tic_tac_toe(board):
    theirs = package("eldar-tic-tac-toe", "tic_tac_toe.board").Board()
    theirs.cells = [None if sign == "." else sign for sign in as_o(board)]
    return package("eldar-tic-tac-toe", "tic_tac_toe.ai").AI(theirs, "hard").move() + 1


def tic_tac_toe_miked(board):
    theirs = package("tic-tac-toe-miked", "tic_tac_toe_miked.ttt")
    before = [" ", *as_o(board).translate({ord("."): " ", ord("O"): "A"})]
    theirs.cells[:] = before
    theirs.ai(True)
    return next(k for k in range(1, 10) if theirs.cells[k] != before[k])


@cache
def tictactoe_vish(board):
    grid = package("tictactoe-vish", "tictactoe.board").Board()
    grid.grid = rows(board, empty=None)
    player = package("tictactoe-vish", "tictactoe.ai").AIPlayer("hard")
    player.set_symbols(mover(board), other(mover(board)))
    return cell(player.get_best_move(grid))


def titato(board):
    core = package("titato", "titato.core")
    symbols = {mark: package("titato", "titato.core.player.symbol").Symbol(mark) for mark in "XO"}
    cells = {mark: core.table.cell.Cell(symbol) for mark, symbol in symbols.items()}
    lines = core.table.combinations.CombDefault.get_combinations(3, 3, 3)
    table = rows(board, empty=None, **cells)
    return cell(core.game.AIDefault.get_step(symbols[mover(board)], table, lines))


def toetactic(board):
    theirs = package("toetactic", "toetactic.board").Board()
    theirs.cells = rows(board, empty=" ")
    player = package("toetactic", "toetactic.player").Dikembe("", mover(board))
    return cell(player.choose_move(theirs, other(mover(board))))


@cache
def ttt_gauntlet(board):
    models = package("ttt-gauntlet", "ttt.models")
    player = package("ttt-gauntlet", "ttt.opponents.minimax").MinimaxAI()
    grid = models.Board.from_key(board.lower().replace(".", "b"))
    return player.choose_move(grid, models.Mark(mover(board).lower())) + 1


def xo(board):
    row, column = random.choice(best_of_xo(board))
    return 3 * row + column - 3


@cache
def best_of_xo(board):
    grid = package("xo", "xo.board").Board.fromstring(board.lower())
    return package("xo", "xo.ai").evaluate(grid, mover(board).lower()).positions


if __name__ == "__main__":
    play, boards, sys.stdin = globals()[sys.argv[1]], sys.stdin, io.StringIO()
    for line in boards:
        try:
            print(play(line.strip()), flush=True)
        except Exception as error:
            print(type(error).__name__, flush=True)
