"""Signs as words, and every line in printable ASCII."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.tui.blocks.speech import WIDTH, figure, lines_of, listed, plain, spoken
from afterstate_lab.tui.lab.microscope.words import Term, rule_words, told_terms
from afterstate_lab.tui.lab.outcomes import sentence


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("V(S₁) stays .5000.", "V of S 1 stays .5000."),
        ("Raise Q₂(S,3) by .10 of the gap: .5 → .55.",
         "Raise Q 2 of S and 3 by .10 of the gap: .5 to .55."),
        ("After O→5, S₂ is worth −.5", "After O marking 5, S 2 is worth minus .5"),
        ("δ = .5 reaches S₁₀", "delta = .5 reaches S 10"),
        ("V(Sₜ₊₁)", "V of S t+1"),
        ("V <- V + alpha delta z", "V becomes V + alpha delta z"),
        ("error<-.1", "errorbelow-.1"),
        ("1–9", "1 to 9"),
        (".5 → .55, nearer vπ", ".5 to .55, nearer the value under current play"),
        ("u .0668 < ε .10", "u .0668 below epsilon .10"),
        ("u .5034 ≥ ε .10", "u .5034 not below epsilon .10"),
    ],
)  # fmt: skip
def test_signs_are_spoken(written: str, said: str):
    assert spoken(written) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.9409, ".9409"), (0.5, ".5"), (1.0, "1"), (0.0, "0"), (-0.017, "minus .017"),
     (-0.00001, "0"), (10.0, "10"), (12.345, "12.345")],
)  # fmt: skip
def test_numbers_have_no_zeros_that_say_nothing(value: float, said: str):
    assert figure(value) == said
    assert figure(20.0, 0) == "20"


@pytest.mark.parametrize("rule", [rule for rule in rules().values() if rule.learns])
def test_the_equation_of_every_rule_is_spoken_in_ascii(rule):
    words = rule_words(rule.equation.symbols)
    assert words.isascii()
    assert " becomes " in words
    assert "\\u" not in plain(words)
    assert rule_words(rules()["negamax"].equation.symbols) == (
        "V of s becomes V of s plus alpha times (a half plus gamma times (a half minus "
        "max V of s prime) minus V of s)"
    )


def told(*terms: tuple[str, str], floor: int | None = None) -> str:
    return told_terms(
        [Term(symbol, number, is_sign=number == symbol and symbol != "2")
         for symbol, number in terms],
        floor,
    )  # fmt: skip


def test_the_signs_of_a_declared_equation_are_spoken_and_a_floor_is_told_at_the_end():
    """V(s) ← V(s) + α × ( ( a + b ) × 2 − V(s) ), as a user's own rule may declare it."""
    said = told(
        ("V(s)", ".4"), ("←", "←"), ("V(s)", ".500000"), ("+", "+"), ("α", ".1"), ("×", "×"),
        ("(", "("), ("(", "("), ("a", ".25"), ("−", "−"), ("b", "(−.25)"), (")", ")"), ("×", "×"),
        ("2", "2"), ("−", "−"), ("V(s)", ".500000"), (")", ")"),
    )  # fmt: skip
    assert said == "V of s: .5, plus .1 times ((.25 minus minus .25) times 2 minus .5), gives .4."
    assert told(
        ("beads", "3"), ("←", "←"), ("max(0,", "max(0,"), ("beads", "4"), ("+", "+"), ("R", "(−1)"),
        (")", ")"), floor=0,
    ) == "Beads: 4, plus minus 1, never below 0, gives 3."  # fmt: skip
    product = told(("V", "?"), ("←", "←"), ("V", ".5"), ("+", "+"), ("α", ".1"), ("[", "["),
        ("2", "2"), ("(", "("), ("a", ".3"), (")", ")"), ("]", "]"))  # fmt: skip
    assert product == "V: .5, plus .1 times (2 times (.3))."


@given(st.text(max_size=300))
def test_whatever_is_said_is_printable_ascii(text: str):
    for line in lines_of(text):
        assert all(" " <= character <= "~" for character in line)


@given(st.lists(st.text("abc.,", min_size=1, max_size=WIDTH), max_size=60))
def test_lines_fit_where_the_words_do_and_lose_none(words: list[str]):
    text = " ".join(words)
    lines = lines_of(text)
    assert all(len(line) <= WIDTH for line in lines)
    assert " ".join(lines) == text
    assert lines_of("a" * 200) == ["a" * 200], "a word that is too long is left whole"


def test_a_message_becomes_a_sentence_and_cells_a_list():
    said = [sentence("no such run: 'a'"), sentence("Is it?")]
    assert said == ["No such run: 'a'.", "Is it?"]
    told = [listed(cells) for cells in ([4], [0, 8], [0, 2, 6, 8], [])]
    assert told == ["5", "1 and 9", "1, 3, 7 and 9", ""]
