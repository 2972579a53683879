"""The card of a value: what it says, what it hides, and what begins there."""

import pytest
from reading import lines, trained_lab

from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.microscope.reading import board_of
from afterstate_lab.tui.lab.outcomes import Copy, Key, Message, Open, Outcome, Running, Work
from afterstate_lab.tui.lab.searches import microscope_of
from afterstate_lab.tui.pages.explain import explain_screen
from afterstate_lab.tui.pages.value import ValueCard

LEARNERS = ("td", "mc", "tdlambda", "negamax", "q", "double-q", "expected-sarsa", "menace",
            "menace-code")  # fmt: skip


def found(outcome: Outcome) -> Outcome:
    """What comes of a search."""
    while isinstance(outcome, Work):
        outcome = outcome.taken(outcome.do(Running(outcome)))
    return outcome


def seen(card: ValueCard) -> ValueCard:
    """The card, once it has found what it looks for."""
    if card.page().work is not None:
        card.take(card.look(lambda: False))
    return card


@pytest.mark.quick("td")
@pytest.mark.parametrize("spec", LEARNERS)
def test_every_value_of_every_phase_has_a_card_with_its_numbers(spec: str):
    lab = trained_lab(spec, spec, 20)
    session, many = lab.session, 0
    session.timeline.go_to(19)
    for _ in range(20):
        scope = microscope_of(session)
        for quantity in {quantity.entry: quantity for quantity in scope.quantities}.values():
            entry, session.selection = quantity.entry, quantity
            is_value = entry >= 0 and board_of(session.run.layout.table_of(entry), entry)
            outcome = lab.perform("card")
            if entry >= 0 and not is_value:
                assert outcome.text.startswith("Only a value has a card")
            if entry < 0 or not is_value:
                continue
            assert outcome == Open("value", entry)
            card = seen(ValueCard(lab, entry))
            assert card.now == scope.update.after[entry]
            assert card.visits == scope.update.after[len(scope.update.after) // 2 + entry]
            assert (card.last is not None) == (card.visits > 0)
            if card.last is not None:
                assert card.last.backup.new == card.now
            assert card.said in " ".join(lines(card.page(), 120, 40))
            many += 1
        session.timeline.step_phase()
    assert many > 20


def lab_at_write(x: str, o: str, games: int, *, asks: bool = False) -> LabController:
    """A lab at the last backup of its last game, before its write where it is asked for."""
    lab = trained_lab(x, o, games)
    lab.session.predictions.wanted = asks
    lab.perform("change_back")
    return lab


def card_of(lab: LabController) -> ValueCard:
    opened = lab.perform("card")
    assert isinstance(opened, Open)
    return seen(ValueCard(lab, opened.data))


@pytest.mark.parametrize(
    ("x", "o", "games", "said"),
    [
        ("td", "td", 1, "X expects .450 of this board. It was .500; a loss pulled it down."),
        ("q", "td", 1, "X expects .450 of playing 5 here. It was .500; a loss pulled it down."),
        ("tdlambda", "random", 40,
         "X expects .757 of this board. It was .731; a win pulled it up."),
        ("negamax", "negamax", 50,
         "O expects .451 of this board. It was .500; a later value pulled it down."),
        ("menace", "td", 3, "X holds 1 bead for playing 1 here. It held 2; a loss took 1."),
    ],
)  # fmt: skip
def test_it_says_what_is_expected_and_what_moved_it(x: str, o: str, games: int, said: str):
    assert card_of(lab_at_write(x, o, games)).said == said


def test_a_value_that_no_game_changed_is_a_first_guess():
    lab = trained_lab("td", "td", 1)
    lab.session.timeline.go_to(0)
    card = card_of(lab)
    assert card.said == "X expects .500 of this board. No game has changed it yet."
    assert next(name for name, *_ in card.items) == "table"


def test_what_is_to_be_predicted_stays_hidden():
    lab = lab_at_write("td", "td", 20, asks=True)
    assert lab.perform("card").word == "predict", "Enter answers what is asked"
    card = seen(ValueCard(lab, lab.session.backup_to_predict.entry))
    backup = card.update.backup
    assert card.entry == backup.entry and card.now == backup.old != backup.new
    shown = " ".join(lines(card.page(), 120, 40))
    assert "Hidden until you have said what is written." in shown
    made = found(card.begin("provenance")).data
    assert made.links[0].backup.new == backup.old, "why is about the value before it"


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("last_writer", Message), ("provenance", Open), ("table", Open), ("what_if", Key),
        ("fork", Key), ("breaks", Message), ("prediction", Key), ("address", Copy),
        ("matchbox", Open),
    ],
)  # fmt: skip
def test_what_begins_there_is_what_the_command_does(name: str, made: type):
    """Of a value that was written before and will be written again."""
    lab = trained_lab("menace", "menace", 60)
    lab.session.timeline.go_to(40)
    card = card_of(lab)
    assert [item for item in card.items if item[0] == name]
    outcome = found(card.begin(name))
    assert isinstance(outcome, made)
    if name == "last_writer":
        event = lab.session.timeline.event
        assert (event.entry, event.new) == (card.entry, card.last.backup.new)
    elif name == "table":
        assert outcome.data == card.condition.split()[-1]
    elif name == "breaks":
        assert lab.session.breakpoint == card.condition
        assert "runs on to it" in outcome.named(str).text
    elif name == "prediction":
        assert lab.session.backup_to_predict.entry == card.entry
        assert outcome.word == "predict"


def test_explaining_a_card_begins_with_whose_games_made_the_value():
    shown = [" VALUE ", "its history  last backup", "whose games  own  borrowed", ""]
    explained = explain_screen(shown, None, str)
    assert "borrows from games that never did" in explained.words[explained.at].says
    assert "whose games" in [word.word for word in explained.words]
