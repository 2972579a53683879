"""Stepping by ear: each place in sentences, with the numbers of the trace, forth and back."""

from __future__ import annotations

import re

import pytest

from game import Board
from learners.ask.what_if import event_pairs, replay_game
from learners.players.resolve import parse_player
from learners.rules.registry import rules
from learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from learners.tape.timeline import TARGET, WRITE
from tui.blocks.speech import board_words, figure, joined, plain, spoken
from tui.lab.microscope.microscope import Microscope
from tui.lab.modes import Mode
from tui.lab.searches import current_entry
from tui.plain.dialogue import Dialogue

LEARNERS = [name for name, rule in rules().items() if rule.learns]
PAIRS = [
    *((name, name) for name in LEARNERS),
    ("double-q:gamma=.9", "random"),
    ("negamax:gamma=1", "perfect:epsilon=0.2"),
    ("tdlambda:exploration=learn", "menace:beads=1"),
    ("menace:beads=1,empty=refill", "td"),
    ("td:step=1/n", "q"),
]
KINDS = ("td", "double-q", "tdlambda", "negamax", "menace", "menace-code")
"""Learners whose sentences differ most; the others are told in the same words."""
WORDS = {"plus": "+", "minus": "-", "times": "*", "gives": ""}


def event_of(dialogue: Dialogue) -> Event:
    event = dialogue.session.timeline.event
    assert event is not None
    return event


def worked_out(equation: str) -> tuple[float, float]:
    """What the right-hand side of a told equation comes to, and what it is told to give."""
    body, _, new = equation.removesuffix(".").partition(": ")[2].partition(", gives ")
    body = (
        body.replace("a half", ".5").replace(", never below 0", "").replace(", never below 1", "")
    )
    signs = re.sub("|".join(WORDS), lambda match: WORDS[match[0]], body.replace(",", ""))
    assert re.fullmatch(r"[-+*(). 0-9]+", signs), equation
    return float(eval(signs)), float(new.replace("minus ", "-"))


@pytest.mark.quick("td-td", "menace-menace", "negamax-negamax", "tdlambda-tdlambda")
@pytest.mark.parametrize(
    ("x", "o"),
    [pytest.param(x, o, marks=[] if x != o or x in KINDS else pytest.mark.slow) for x, o in PAIRS],
)
def test_the_numbers_told_are_those_of_the_events(lab, x: str, o: str):
    dialogue = lab(x, o, train=40)
    dialogue.answer("go 3")
    seen = set()
    for _ in range(150):
        told, event = dialogue.answer("next"), event_of(dialogue)
        phase = dialogue.session.timeline.phase
        seen.add(type(event))
        if isinstance(event, Backup) and phase == WRITE:
            check_write(dialogue, event, told)
        elif isinstance(event, Backup) and phase == TARGET:
            assert told[0].startswith(f"Target, {event.player}: ")
            board = Board.from_id(event.board)
            where = f": {board_words(board)}".rstrip(".") if board.ply else " is empty"
            assert told[1].startswith(f"Its board{where}")
        elif isinstance(event, NoBackup):
            assert told[0].startswith(f"No backup, {event.player}: ")
        elif isinstance(event, GameOver):
            assert told[0].startswith("End: ")
        elif isinstance(event, Move) and told[0].startswith("Choice: "):
            assert str(event.cell + 1) in told[0]
            assert told[1] == board_words(Board.from_id(event.afterstate))
    assert {Move, Backup, GameOver} <= seen


def check_write(dialogue: Dialogue, event: Backup, told: list[str]) -> None:
    """The sentence is the lab's; the equation has the event's numbers, and comes out right."""
    scope = Microscope.at(dialogue.session.timeline)
    assert scope is not None
    words = spoken(joined(scope.equation().words))
    assert told[0] == f"Write, {event.player}: {words}"
    estimates = scope.update.spec.rule.estimates
    places = 6 if estimates else 0
    said = told[1].partition(": ")[2]
    assert said.startswith(f"{figure(event.old, places)}, plus ") or not estimates
    assert said.endswith(f"gives {figure(event.new, places)}.")
    if not estimates:
        assert said.startswith(figure(event.old, 0))
        return
    value, new = worked_out(told[1])
    # Three numbers are told with six decimals, a trace and a step size with four.
    rounding = 2e-6 + 5e-5 * abs(event.error) * (event.trace != 1.0 or event.step != 0.1)
    assert abs(value - new) <= rounding


@pytest.mark.quick("menace-phase", "tdlambda-event")
@pytest.mark.parametrize("by", ["phase", "event", "game"])
@pytest.mark.parametrize(
    "learner",
    ["menace", "tdlambda", *(pytest.param(name, marks=pytest.mark.slow) for name in ("td", "q"))],
)
def test_stepping_back_tells_the_same_in_reverse_order(lab, learner: str, by: str):
    dialogue = lab(learner, learner, train=60)
    dialogue.answer("go 31")
    forth = [dialogue.answer("where")[3:-4]]
    steps = {"phase": 260, "event": 130, "game": 20}[by]
    forth += [dialogue.answer(f"next {by}") for _ in range(steps)]
    back = [dialogue.answer(f"back {by}") for _ in range(steps)]
    assert back == forth[-2::-1]


@pytest.mark.slow
def test_from_the_end_to_the_start_no_place_is_empty(lab):
    dialogue = lab("td", "td", train=60)
    dialogue.answer("go last")
    places = 0
    while (told := dialogue.answer("back")) != ["This is the start of the run."]:
        places += 1
        if told == ["This is the start: nothing has happened yet."]:
            assert dialogue.session.timeline.recording.first == 0
            break
    assert places > 60 * 5 * 4
    assert dialogue.answer("n")[0] == "Game 1."


def test_an_empty_line_goes_on_as_next_does(lab):
    one, two = lab("td", "td", train=5), lab("td", "td", train=5)
    assert one.answer("") == two.answer("next") == two.answer("again")


def test_go_goes_to_a_game_and_to_a_move(lab):
    dialogue = lab("td", "td", train=50)
    dialogue.answer("go 12")
    assert event_of(dialogue).game == 11
    dialogue.answer("g 12.3")
    assert (event_of(dialogue).game, event_of(dialogue).ply) == (11, 3)
    assert dialogue.answer("go 51") == ["There is no game 51: the run has 50."]
    assert dialogue.answer("go 0") == ["There is no game 0: the run has 50."]
    assert dialogue.answer("go 12.99") == ["Game 12 has no move 99."]
    assert dialogue.answer("go 12.3.9")[0].startswith("Move 3 of game 12 has ")
    dialogue.answer("go 12.3.2")
    assert isinstance(event_of(dialogue), Backup | NoBackup)
    dialogue.answer("go 12.3.1.2")
    event, timeline = event_of(dialogue), dialogue.session.timeline
    assert (event.game, event.ply, timeline.phases_done) == (11, 3, 2)
    assert dialogue.answer("go 12.3.2.4") == ["The event at 12.3.2.4 has no phase 4 to stop at."]
    assert dialogue.answer("go 12.3.0")[0].endswith(", and no event 0.")
    for wrong in ("", "soon", "1.2.3.4.5", "-4", "9" * 400):
        assert dialogue.answer(f"go {wrong}")[0].startswith("Go where? go 123 goes to a game, ")
    assert (event_of(dialogue), timeline.phases_done) == (event, 2), "nothing refused moves it"
    dialogue.answer("go last")
    told = dialogue.answer("n")
    assert told[0] == "The tape ended here, so game 51 was played."
    assert (event_of(dialogue).game, event_of(dialogue).ply) == (50, 1)


def test_next_change_passes_what_changes_nothing_through_the_whole_run(lab):
    dialogue = lab("td", "td", train=200)
    events = dialogue.session.run.record(0, 200).events()
    changes = [e for e in events if isinstance(e, Backup) and e.new != e.old]
    late = [change for change in changes if change.game >= 100]
    dialogue.answer("go 100")
    dialogue.answer("go 1")
    dialogue.answer("next change")
    assert event_of(dialogue) == changes[0]
    assert dialogue.answer("back change")[-1] == "No backup before this one changes a value."
    dialogue.answer("go 100")
    dialogue.answer("back change")
    assert event_of(dialogue) == [c for c in changes if c.game < 99][-1]
    dialogue.answer("go 101")
    dialogue.answer("next change")
    assert event_of(dialogue) == late[0]


def test_a_break_is_run_to_both_ways(lab):
    dialogue = lab("td", "td", train=200)
    dialogue.answer("go 100")
    assert dialogue.answer("c")[0].startswith("There is no break: ")
    assert dialogue.answer("break error > .3") == ["Break at error > .3: c runs on to it, C back."]
    assert dialogue.answer("break") == ["Break at error > .3: c runs on to it, C back."]
    for command, sign in (("c", 1), ("C", -1), ("continue", 1), ("reverse", -1)):
        before = dialogue.session.timeline.place
        told = dialogue.answer(command)
        assert told[0] == "Stopped: error > .3."
        assert re.match(r"Game \d+, event \d+\.", told[1])
        event = event_of(dialogue)
        assert isinstance(event, Backup)
        assert abs(event.error) > 0.3
        assert (dialogue.session.timeline.place > before) == (sign > 0)
    assert dialogue.answer("break off") == ["No break."]
    assert len(dialogue.answer("break nonsense")) == 1
    dialogue.answer("break error > 5")
    assert dialogue.answer("c") == ["error > 5: nowhere after this place."]


def test_the_writer_is_gone_to_and_why_tells_the_chain(lab):
    dialogue = lab("td", "td", train=300)
    dialogue.answer("go last")
    while not isinstance(dialogue.session.timeline.event, Backup):
        dialogue.answer("back event")
    now = event_of(dialogue)
    assert isinstance(now, Backup)
    chain = dialogue.answer("why")
    assert chain[0].startswith(f"This value of {now.player}, ")
    assert " is made of " in chain[2]
    assert chain[4].startswith(f"1. Game {now.game + 1}, ply {now.ply}: ")
    told = dialogue.answer("writer")
    before = event_of(dialogue)
    assert isinstance(before, Backup)
    assert (before.entry, before.new) == (now.entry, now.old)
    assert told[0] == f"Last written in game {before.game + 1}."
    assert chain[5].startswith(f"2. Game {before.game + 1}, ply {before.ply}: ")


def test_values_tells_every_candidate_and_the_dice(lab):
    dialogue = lab("td", "td", train=300)
    dialogue.answer("go 300.1")
    told = dialogue.answer("v")
    move = event_of(dialogue)
    assert isinstance(move, Move)
    assert len(told) == 10
    assert sum("taken" in line for line in told) == 1
    assert next(line for line in told if "taken" in line).startswith(str(move.cell + 1))
    assert told[-1].startswith(f"Dice: u {figure(move.explore)}")


def test_the_equation_is_told_with_rule_and_code(lab):
    dialogue = lab("q", "q", train=50)
    while not isinstance(dialogue.session.timeline.event, Backup):
        dialogue.answer("next")
    told = dialogue.answer("equation")
    assert told[0] == (
        "Rule, S&B 6.5, (6.8): Q of S and A becomes Q of S and A plus alpha times (R plus gamma "
        "max Q of S prime and a minus Q of S and A)."
    )
    assert told[1].startswith("Q of S and A: ")
    assert re.fullmatch(r"Code: .+  \(learners/rules/q\.py:\d+\)\.", told[2])
    assert told[3].startswith("Exact value: ")


def test_what_is_written_can_be_predicted_and_is_scored(lab):
    dialogue = lab("td", "td", train=50)
    assert dialogue.answer("predict .5")[0].startswith("Go on to a target first")
    while not (
        isinstance(dialogue.session.timeline.event, Backup)
        and dialogue.session.timeline.phase == TARGET
    ):
        dialogue.answer("next")
    event = event_of(dialogue)
    assert isinstance(event, Backup)
    assert len(dialogue.answer("predict well")) == 1
    told = dialogue.answer(f"predict {event.new:.3f}")
    assert told[0] == f"Right: {event.old:.3f} becomes {event.new:.3f}. So far 1 of 1."
    assert told[1].startswith("Write, ")


@pytest.mark.parametrize("other", ["td:alpha=.9", "q", "random", "menace"])
def test_what_would_have_been_is_told_from_the_first_difference(lab, other: str):
    dialogue = lab("td", "td", train=80)
    dialogue.answer("go 70")
    game = dialogue.session.timeline.game
    told = dialogue.answer(f"whatif {other}")
    result = replay_game(dialogue.session.run, game, x=parse_player(other))
    assert result is not None
    assert told[0] == f"Game 70 again, on the same dice, if X were {parse_player(other)}:"
    same = result.first_difference
    assert told[1] == {
        0: "No event is the same.",
        1: "The first event is the same.",
    }.get(same, f"The first {same} events are the same.")
    assert told[2].startswith("Was: ")
    assert told[3].startswith("Would be: ")
    assert dialogue.answer("whatif td")[1] == "Every event is the same."
    for wrong in ("frogs", "human", "td:alpha=9"):
        assert len(dialogue.answer(f"whatif {wrong}")) == 1


def test_two_backups_that_write_the_same_are_told_apart_by_their_step_sizes(lab):
    dialogue = lab("td", "td", train=2)
    dialogue.answer("go 1")
    told = dialogue.answer("whatif td:alpha=.2")
    assert told[1] == "The first event is the same."
    assert told[2].endswith("X writes .5 to .5, towards .5. Its board is empty. Its step size "
                            "is .1, its trace 1.")  # fmt: skip
    assert told[3].endswith("Its step size is .2, its trace 1.")
    assert re.fullmatch(r"1 of the \d time steps of X differs\.", told[-1])


def test_the_differences_of_a_what_if_are_told_one_after_the_other(lab):
    dialogue = lab("td", "td", train=80)
    dialogue.answer("go 70")
    assert dialogue.answer("next difference") == [
        "Nothing is beside this game: whatif plays it again with another player."
    ]
    game = dialogue.session.timeline.game
    dialogue.answer("whatif mc")
    result = replay_game(dialogue.session.run, game, x=parse_player("mc"))
    pairs = event_pairs(result.original, result.other, game)
    many = sum(pair.difference is not None for pair in pairs)
    assert many > 2
    for number in range(2, many + 1):
        told = dialogue.answer("next difference")
        assert told[0].startswith(f"Difference {number} of {many}: ")
        assert [line.partition(": ")[0] for line in told[1:]] == ["Was", "Would be"]
    assert dialogue.answer("next difference") == ["No further difference in this game."]
    told = dialogue.answer("back difference")
    assert told[0].startswith(f"Difference {many - 1} of {many}: ")
    assert all(line.isascii() for line in told)


def test_a_move_is_played_differently_and_the_old_line_is_kept(lab):
    dialogue = lab("td", "td", train=20)
    dialogue.answer("go 10.1")
    run, move = dialogue.session.run, event_of(dialogue)
    assert isinstance(move, Move)
    other = next(cell for cell in range(9) if cell != move.cell)
    told = dialogue.answer(f"fork {other + 1}")
    assert told[0] == "A line of its own; line goes back to the old one."
    assert dialogue.session.run is not run
    dialogue.answer("line")
    assert dialogue.session.run is run
    assert len(dialogue.answer("fork 0")) == 1


def test_a_persons_game_is_found_again_where_it_stood(sit):
    dialogue = sit(train=30)
    dialogue.answer("n")
    before = dialogue.answer("5")
    assert dialogue.answer("step")[1].startswith("Choice: You mark 5.")
    dialogue.answer("go 3")
    assert dialogue.answer("u")[0].startswith("undo works while you play")
    assert dialogue.answer("play")[0] == "Back to your game."
    assert dialogue.session.mode is Mode.PLAY
    assert before[-4:] == dialogue.answer("where")[1:5]
    assert dialogue.answer("u")[0] == "Taken back."


def test_a_finished_game_can_be_taken_back_after_stepping_elsewhere(sit):
    dialogue = sit(train=30)
    dialogue.answer("n")
    while not dialogue.prompt.startswith("n for"):
        dialogue.answer(str(dialogue.session.board.legal_cells[0] + 1))
    games = dialogue.session.run.games
    dialogue.answer("step")
    dialogue.answer("go 3")
    dialogue.answer("play")
    assert dialogue.answer("u")[0] == "Taken back."
    assert dialogue.session.run.games == games - 1


def test_the_next_move_is_watched_and_at_the_end_a_new_game(lab):
    dialogue = lab("td", "td")
    first = dialogue.answer("watch")
    assert first[:2] == ["Game 1.", first[1]]
    assert first[1].startswith("Choice: X takes ")
    assert any(line.startswith("Write, X: ") for line in first)
    assert not any(line.startswith("Choice: O") for line in first)
    assert dialogue.answer("watch event")[0].startswith("Choice: O takes ")
    assert dialogue.answer("watch game")[-1].startswith("End: ")
    assert dialogue.session.run.games == 1
    assert dialogue.answer("w")[0] == "Game 2."
    assert len(dialogue.answer("watch tv")) == 1


def test_a_persons_unfinished_game_is_not_dropped_by_watching(sit):
    dialogue = sit()
    dialogue.answer("5")
    assert dialogue.answer("watch")[0].startswith("Your game is not over")
    assert dialogue.answer("u")[0] == "Taken back."


def test_all_that_is_told_is_printable_ascii_after_the_gate(lab):
    dialogue = lab("double-q", "menace", train=30)
    for line in ("equation", "values", "where", "stats", "table", "players", "help", "again"):
        for text in dialogue.answer(line):
            assert re.fullmatch(r"[ -~]*", plain(text))
            assert "\\u" not in plain(text)


def test_the_numbers_of_an_update_are_selected_one_by_one_and_told(lab):
    dialogue = lab("td", "td", train=100)
    dialogue.answer("break error > .3")
    dialogue.answer("c")
    event = event_of(dialogue)
    assert isinstance(event, Backup)
    first = dialogue.answer("select")
    assert len(first) == 1
    assert first[0].startswith(f"New V of S t {figure(event.new, 6)}: {event.player}'s value of ")
    second = dialogue.answer("select")
    assert second[0].startswith(f"Old V of S t {figure(event.old, 6)}: ")
    assert dialogue.answer("select back") == first
    assert dialogue.answer("select off") == ["Nothing is selected."]
    assert dialogue.session.selection is None
    assert dialogue.answer("select it") == [
        "'it' cannot be selected: select, select back or select off."
    ]


def test_the_writer_and_the_reasons_are_those_of_the_selected_value(lab):
    dialogue = lab("td", "td", train=100)
    dialogue.answer("go last")
    dialogue.answer("back event")
    dialogue.answer("select")
    chosen = current_entry(dialogue.session)
    dialogue.answer("writer")
    event = event_of(dialogue)
    assert isinstance(event, Backup)
    assert event.entry == chosen


def test_a_line_of_why_opens_to_what_it_was_made_of(lab):
    """α = .5: half of the value is the newest target, a quarter of it that target's newest one."""
    dialogue = lab("td:alpha=.5", "random", train=80)
    dialogue.answer("go 80.1")
    while not isinstance(dialogue.session.timeline.event, Backup):
        dialogue.answer("next event")
    told = dialogue.answer("why")
    assert told[4:6] == [
        "1. Game 80, ply 1: .8823 to .9115; 50.0% is .9407 of game 79.",
        "2. Game 79, ply 1: .8812 to .8823; 25.0% is .8834 of game 78.",
    ]
    assert dialogue.answer("why 1")[:2] == [
        "The value that it read, .9407. X has 7.",
        "1.1. Game 79, ply 3: .8834 to .9407; 25.0% is .998 of game 73.",
    ]
    behind = dialogue.answer("why 1.1")
    assert behind[1] == "1.1.1. Game 73, ply 5: .9961 to .998; 12.5% is 1, the win."
    assert dialogue.answer("why 1.1.1") == ["This is the win: it is made of nothing else."]
    assert dialogue.answer("why 9")[1].startswith("9.1. Game 72, ply 1: ")
    assert dialogue.answer("why 99") == [
        "There is no line '99': why alone tells them from the start."
    ]
    assert "is no line" in dialogue.answer("why 1.x")[0]
    assert all(line.isascii() for line in [*told, *behind])
