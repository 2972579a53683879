"""Rules that are graded when what a user sees is compared."""

from afterstate_lab import Rule, backup, options


class Right(Rule):
    options = (options.ALPHA, options.EPSILON, options.DRAW, options.INITIAL)

    def after_step(v, tape, me, steps, greedy, t, over, game):
        if greedy[t]:
            backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)


class Wrong(Rule):
    options = (options.ALPHA, options.EPSILON, options.DRAW, options.INITIAL)

    def after_step(v, tape, me, steps, greedy, t, over, game):
        backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)
