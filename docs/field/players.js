// Players of the npm registry: `node players.js NAME` answers each board with a cell from 1 to 9.
const path = require("path");
const readline = require("readline");

const load = (name) => require(path.join(process.env.FIELD, name, "node_modules", name));
const part = (name, file) => require(path.join(process.env.FIELD, name, "node_modules", name, file));
const mover = (board) => ((board.match(/[XO]/g) || []).length % 2 ? "O" : "X");
const other = (mark) => (mark === "X" ? "O" : "X");

const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

class Grid { // the board that ttt-minimax-typescript expects
  constructor(signs) { this.signs = signs; }
  availablePositions() { return this.signs.flatMap((s, k) => (s === "." ? [k + 1] : [])); }
  makeMove(position, mark) { return new Grid(this.signs.map((s, k) => (k === position - 1 ? mark : s))); }
  winningPlayer() {
    const line = lines.find(([a, b, c]) => this.signs[a] !== "." && this.signs[a] === this.signs[b] && this.signs[b] === this.signs[c]);
    return line && this.signs[line[0]];
  }
  isGameDraw() { return !this.signs.includes("."); }
}

const players = {
  "tic-tac-toe-minimax-engine": (board) => {
    const { default: Engine, Player } = load("tic-tac-toe-minimax-engine");
    const engine = new Engine(Player.PLAYER_ONE);
    const cells = { X: [], O: [] };
    [...board].forEach((sign, k) => sign !== "." && cells[sign].push(k));
    while (cells.X.length) {
      for (const sign of "XO") {
        const k = cells[sign].shift();
        if (k !== undefined) engine.makeNextMove(k % 3, Math.floor(k / 3));
      }
    }
    const best = engine.getBestMove();
    return 3 * best.y + best.x + 1;
  },
  "tic-tac-toe-minimax": (board) => {
    const { ComputerMove } = load("tic-tac-toe-minimax").default;
    const symbols = { aiPlayer: mover(board), huPlayer: other(mover(board)) };
    return ComputerMove([...board].map((sign, k) => (sign === "." ? k : sign)), symbols, "Hard") + 1;
  },
  "tictactoe-ai": (board) => {
    const game = load("tictactoe-ai");
    const grid = new game.TicTacToeBoard([...board].map((sign) => (sign === "." ? "" : sign)));
    const player = new game.TicTacToeAIPlayer();
    player.initialize(mover(board), grid);
    const best = player.makeMove();
    return 3 * best.y + best.x + 1;
  },
  "tic-tac-toe-ai-engine": (board) => {
    const signs = [...board].map((sign) => (sign === "." ? "" : sign));
    const next = load("tic-tac-toe-ai-engine").computeMove(signs).nextBestGameState;
    return next.findIndex((sign, k) => sign !== signs[k]) + 1;
  },
  "ttt-minimax-typescript": (board) => {
    const Minimax = load("ttt-minimax-typescript").default;
    return new Minimax(mover(board), other(mover(board))).findBestMove(new Grid([...board]));
  },
  "discord-tictactoe": (board) => {
    const AI = part("discord-tictactoe", "dist/src/tictactoe/ai/AI.js").default;
    const Game = part("discord-tictactoe", "dist/src/tictactoe/Game.js").default;
    const game = new Game();
    [...board].forEach((sign, k) => { game.board[k] = { ".": 0, X: 1, O: 2 }[sign]; });
    while ("XO"[game.currentPlayer - 1] !== mover(board)) game.nextPlayer();
    return new AI("Unbeatable").operate(game).move + 1;
  },
};

// Players that draw no random numbers are asked once a board: some need seconds for the first.
const drawNothing = ["tic-tac-toe-ai-engine", "tictactoe-ai", "ttt-minimax-typescript"];
const known = new Map();

function play(board) {
  const name = process.argv[2];
  if (!drawNothing.includes(name)) return players[name](board);
  if (!known.has(board)) known.set(board, players[name](board));
  return known.get(board);
}

readline.createInterface({ input: process.stdin }).on("line", (board) => {
  try {
    console.log(play(board));
  } catch (error) {
    console.log(error.name);
  }
});
