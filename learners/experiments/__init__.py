"""Experiments: a question about learning, tried with many seeds and judged exactly.

A plan is a TOML file:

    title = "Learning from exploration"
    question = "Which is better to learn?"
    games = 20_000
    seeds = 30                        # 0 to 29
    metrics = ["value X", "beatable X"]

    [measure]                         # optional: 40 points, linear
    points = 25
    spacing = "linear"                # or "log"
    judge = "end"                     # compare arms at the end, or by the mean over the "run"

    [[arms]]
    name = "A"
    x = "td:draw=0"
    o = "random"

    [[arms]]
    name = "B"
    x = "td:draw=0,exploration=learn"
    o = "random"
    baseline = "A"                    # what it is compared with; the first arm by default

    [[sweep]]                         # any number: an arm for each value, and every combination
    arm = "A"                         # all arms by default
    option = "x.alpha"                # or "alpha": of every learner that has it
    values = [0.1, 0.2, 0.4]

Also texts: `source`, `prediction` (what is asked before the run), `measured` and `answer`.
`learners.experiments.plan` declares this, with the metrics and the plans of the package.

    from afterstate_lab.learners.experiments.plan import find_plan
    from afterstate_lab.learners.experiments.run import Experiment

    results = Experiment(find_plan("1.4")).work()
    results.arms[0].figure(results.plan.metrics[0])
"""
