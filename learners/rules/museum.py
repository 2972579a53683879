"""The bug museum: mistakes of real tic-tac-toe learners, each as a rule that has it.

A piece is a player like any other (`museum:draw-as-loss`); its docstring tells its story. Each
means to be the rule `MEANT`, which lacks the mistake. One mistake is in no rule: a notebook (seed
001) keeps the turn of the previous game, so that X does not always open. Our games begin with X
whatever a rule does.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.game.constants import DRAWN, LINES
from afterstate_lab.learners.engine.backups import EXPLORATORY, backup, no_backup, step_size
from afterstate_lab.learners.engine.dice import EXPLORE, PICK, dice_word
from afterstate_lab.learners.engine.entries import Entries
from afterstate_lab.learners.engine.play import GAME
from afterstate_lab.learners.errors import SpecError, did_you_mean, shown
from afterstate_lab.learners.rules.action_values import best_pair
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.options import STATE_VALUES, with_defaults
from afterstate_lab.learners.rules.state_values import LEARN, Chain, TemporalDifference

PREFIX: Final = "museum:"
MEANT: Final = "td"
"""The rule that every piece means to be."""
learn: Final = TemporalDifference.after_step


class DrawAsLoss(TemporalDifference):
    """A draw is worth a loss.

    The code gives 1 for a win and 0 otherwise, and "otherwise" swallows the draw. X barely notices:
    it wants to win anyway. O can hold every game and win few, and to O holding is now as bad as
    losing: where it cannot win, all of its moves are worth the same, so it never learns to hold.

    Documents 000 and 003 have it. (The book's text scores a draw as 0 too, on purpose: it plays
    against one that slips.)
    """

    name = "museum:draw-as-loss"
    summary = "a draw is worth a loss, so O never learns to hold"
    source = "two-agents and train-compete-play"
    options = with_defaults(STATE_VALUES, draw=0.0)


@cache
def missed_wins() -> list[int]:
    """The won positions where the check returns at a blank line, before the line that wins."""
    missed = []
    for position in np.flatnonzero(space().outcome % DRAWN > 0).tolist():
        board = space().text(position)
        equal = (board[a] for a, b, c in LINES if board[a] == board[b] == board[c])
        if next(equal) == ".":
            missed.append(position)
    return missed


class MissedWins(TemporalDifference):
    """The check for three in a row stops at the first blank line.

    The loop over the eight lines returns as soon as three cells are equal, also when all three are
    empty. So a win counts only where every line before it has a mark in it: 18 of the 942 won
    boards are taken for boards that go on, all of them quick wins, and keep the value of a board
    about which nothing is known. A player that does not see a win neither takes it nor fears it.

    Document 001 has it, in `game_ended` and in `get_reward`: `if a == b == c: return a != " "`.
    """

    name = "museum:missed-wins"
    summary = "the check for three in a row stops at the first blank line"
    source = "Sutton-Barto notebook"

    @classmethod
    def entries(cls, side: int, settings: Mapping[str, Any]) -> Entries:
        s, of_all = space(), super().entries(side, settings)
        assert of_all.of_state is not None
        of_state = of_all.of_state.copy()
        # The check takes a missed win for a draw.
        of_state[missed_wins()] = of_state[s.outcome == DRAWN][0]
        of_edge = np.where(of_all.of_edge > 0, of_state[s.edge_successor], 0)
        return replace(of_all, of_state=of_state, of_edge=of_edge)


class BeforeOwnMove(TemporalDifference):
    """The board before the learner's own move is backed up, not the board after it.

    It chooses by the boards after its moves, and learns about the boards before them: two tables in
    one that never meet. However long it trains, it chooses by values that nobody has ever written.

    Document 001 has it: `back_up(state, next_state, …)` is given the state before the move. There
    the turn carries over from game to game, so some boards are now and then both, and a little is
    learned by that accident. (Of its afterstates 0 of 410 are ever learned.)
    """

    name = "museum:before-own-move"
    summary = "the board before its own move is backed up, not the afterstate"
    source = "Sutton-Barto notebook"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        ply = 2 * t - 1 + me.side
        s = me.state_entry[game.path[ply - 1]] if ply > 1 else steps[0]
        if over:
            return
        if greedy[t] or me.exploration == LEARN:
            backup(v, tape, me, s, steps[t], 0.0, step_size(v, me, s))
        else:
            no_backup(tape, s, EXPLORATORY)


class NoLosses(TemporalDifference):
    """It learns at its own moves only: when the opponent ends the game, nothing is learned.

    The loop is written from the learner's side: choose, move, back up. The opponent's last move
    comes after the learner's last move, and the loop is over. So a loss is never seen, and a board
    before a loss is as good as any other.

    Document 001 has it, and it is a classic of homework.
    """

    name = "museum:no-losses"
    summary = "the opponent's ending move is not learned from, so no loss is"
    source = "Sutton-Barto notebook, and homework"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if not over:
            learn(v, tape, me, steps, greedy, t, over, game)


class BornWinners(TemporalDifference):
    """Boards start as won: every value is 1 before the first game.

    A list of results is made once and never emptied, or the test for "won" is true for whatever is
    not a loss. With a step size of .1 that belief fades slowly: after 1,000 games of self-play 43
    of 100 decisions of X are right, and 80 of 100 where boards start at .5. Yet starting high makes
    it try everything once (S&B 2.6), and with games enough it comes out ahead: a mistake, when
    nobody meant it.

    Document 002 has it: all but 13 of its 19,683 boards start at 1.
    """

    name = "museum:born-winners"
    summary = "every board starts as won"
    source = "Q-learning article"
    options = with_defaults(STATE_VALUES, initial=1.0)


OTHER_WINS: Final = 2
"""The result of a game that X lost; minus the side, the result of the other player's loss."""


class BeforeTheAnswer(TemporalDifference):
    """It learns before the opponent has answered, and takes a game that goes on for a lost one.

    Right after its own move it moves the value of that very board towards the reward: 1 for a win,
    and a loss "otherwise". A board after which the game goes on is not won yet, so it is punished.
    It never looks at what comes of the board; the history is cleared each time, so every chain has
    length 1.

    Document 002 has it: the more often a move is tried, the worse it looks, and no value ever
    rises.
    """

    name = "museum:before-the-answer"
    summary = "it learns before the opponent has answered, and punishes what goes on"
    source = "Q-learning article"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t]
        if not over and game.outcome[game.path[2 * t - 1 + me.side]] == 0:
            loss = me.rewards + OTHER_WINS - me.side
            backup(v, tape, me, s, loss, 0.0, step_size(v, me, s))


class DrawsTeachNothing(TemporalDifference):
    """A draw teaches nothing: after a drawn game the last backup is left out.

    "Nobody won, so there is nothing to learn." But that a board leads to a draw, and to no loss, is
    what O has to learn; and a board that once won keeps a value that it no longer deserves.

    Document 004 has it: after a draw its matchboxes neither gain nor lose a bead.
    """

    name = "museum:draws-teach-nothing"
    summary = "nothing is learned from a drawn game's end"
    source = "MENACE article"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if game.outcome[game.path[2 * t - 1 + me.side - over]] != DRAWN:
            learn(v, tape, me, steps, greedy, t, over, game)


class ReverseChain(Chain):
    """It calls itself TD(0), and backs up the whole game backwards at its end.

    Each board moves towards the next one's value, but the next one has just been written, so a
    result runs through the whole game at once. That is a good learner: on its own afterstates it is
    TD(λ) with λ = α (S&B 12.2). It is another one than its text says, and what is measured of it is
    not TD(0).

    Document 003 has it, the book's best-known re-implementation explained.
    """

    name = "museum:reverse-chain"
    summary = "a reverse chain at the end of the game that calls itself TD(0)"
    source = "train-compete-play"
    options = with_defaults(Chain.options, exploration="skip")


class LearnsFromExploring(TemporalDifference):
    """It learns from its exploratory moves as from any other.

    The value of the board before a random move is moved towards what came of the random move. So a
    board is worth what it is worth to somebody who slips now and then, and boards after which a
    slip is deadly look worse than they are (S&B exercise 1.4).

    A classic of homework: the test whether the move was greedy is forgotten.
    """

    name = "museum:learns-from-exploring"
    summary = "exploratory moves are learned from like any other"
    source = "homework; S&B exercise 1.4"
    options = with_defaults(STATE_VALUES, exploration="learn")


def first_best(v, game, me, row, n, ply, low, high, threshold):
    """Epsilon-greedy; of equally good moves always the first."""
    entry = game.entry
    best_move = row
    for move in range(row + 1, row + n):
        if v[entry[move]] > v[entry[best_move]]:
            best_move = move
    if dice_word(low, high, ply, EXPLORE) < threshold:
        move = row + (dice_word(low, high, ply, PICK) * n >> 32)
        return move, 1 if v[entry[move]] == v[entry[best_move]] else 0
    return best_move, 1


class FirstCell(TemporalDifference):
    """Ties always go to the first cell.

    `argmax` returns the first of equals. At the start all are equal, so the first game begins in
    cell 1, and the same few games are played again and again; what differs is left to exploration.

    A classic of homework; document 000 has it too, and document 001 gives ties to the last cell.
    """

    name = "museum:first-cell"
    summary = "ties always go to the first cell"
    source = "two-agents notebook, and homework"
    choose = first_best


GAMES: Final = 1000.0
"""After so many games the step size is 0."""


class VanishingStep(TemporalDifference):
    """The step size falls with every episode, and soon it is 0.

    "α should decay" is right (S&B 2.5), but the sum of the steps must not be finite: here α falls
    in a straight line to 0 within the first 1,000 games, and whatever is played later changes
    nothing. The program goes on for an hour and prints the same table.

    A classic of homework: the rate of decay is taken from a text about another number of games.
    """

    name = "museum:vanishing-step"
    summary = "α falls with every game, to 0 after a thousand"
    source = "homework"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        step = me.alpha * max(0.0, 1.0 - game.clock[GAME] / GAMES)
        if greedy[t] or me.exploration == LEARN:
            backup(v, tape, me, s, steps[t], 0.0, step)
        else:
            no_backup(tape, s, EXPLORATORY)


class LostCopy(TemporalDifference):
    """The update is written into a copy of the table, and the copy is thrown away.

    `values = dict(self.values)`, a few lines that are right, and no line that puts it back.
    Everything is computed, nothing is learned, and a test of the computed number alone does not
    find it.

    A classic of homework.
    """

    name = "museum:lost-copy"
    summary = "updates are written into a copy that is thrown away"
    source = "homework"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        value = v[steps[t - 1]]
        if greedy[t] or me.exploration == LEARN:
            value += me.alpha * (v[steps[t]] - value)


class NextMoveCounts(TemporalDifference):
    """An exploratory move is backed up towards the greedy value.

    `max` over the next moves, as in Q-learning, in a learner that should skip this backup. After a
    greedy move nothing is different. After an exploratory one the previous board moves towards the
    value of a move that was not made: it learns at turns from which the book's learner learns
    nothing, and its values no longer depend on what it tries.

    A classic of homework, where two rules meet in one function.
    """

    name = "museum:next-move-counts"
    summary = "after an exploratory move it backs up the greedy value"
    source = "homework; S&B exercise 1.4"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        s_next = steps[t] if greedy[t] else best_pair(v, game, me, t)[1]
        backup(v, tape, me, s, s_next, 0.0, step_size(v, me, s))


class ValueOfTheEnd(TemporalDifference):
    """The target at the end is the table's value of the finished board, which nobody ever wrote.

    `target = V[next_board]` on every turn, the last one included. But the result is a reward, and
    no line puts it into the table: a finished board still has its initial value. So a win, a draw
    and a loss all move the last board towards .5, where it started, and nothing is ever learned.

    A classic of homework: the reward is computed, and then not used.
    """

    name = "museum:value-of-the-end"
    summary = "the target is the value of a finished board, which is never written"
    source = "homework"

    def after_step(v, tape, me, steps, greedy, t, over, game):
        s = steps[t - 1]
        is_finished = over or game.outcome[game.path[2 * t - 1 + me.side]] != 0
        if greedy[t] or me.exploration == LEARN:
            s_next = me.nothing if is_finished else steps[t]
            reward = me.initial if is_finished else 0.0
            backup(v, tape, me, s, s_next, reward, step_size(v, me, s))
        else:
            no_backup(tape, s, EXPLORATORY)


PIECES: Final[Mapping[str, type[Rule]]] = {
    piece.name.removeprefix(PREFIX): piece
    for piece in list(vars().values())
    if isinstance(piece, type) and issubclass(piece, Rule) and piece.name.startswith(PREFIX)
}
"""By name; mistakes from the documents first, then the classics of homework."""


def piece(name: str) -> type[Rule]:
    """The rule of a piece.

    Raises:
        SpecError: there is no such piece.
    """
    if name not in PIECES:
        hint = did_you_mean(name, PIECES) or f" (it has {', '.join(PIECES)})"
        raise SpecError(f"the museum has no {shown(name)}{hint}")
    return PIECES[name]


def story(name: str) -> tuple[str, ...]:
    """The paragraphs of a piece's story.

    Raises:
        SpecError: there is no such piece.
    """
    text = inspect.cleandoc(piece(name).__doc__ or "")
    return tuple(" ".join(part.split()) for part in text.split("\n\n"))
