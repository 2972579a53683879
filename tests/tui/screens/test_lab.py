"""The lab through its keys: what it does, what packets they come in, what settings change."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from piloting import ESCAPE, WINDOW, Desk, at, desk_of
from reading import SAMPLES, sample
from textual.events import Key, Resize
from textual.geometry import Size
from textual.keys import _character_to_key
from textual.widgets import Input

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.learners.training import Goal
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.desk import close
from afterstate_lab.tui.lab.commands import COMMANDS, gone
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.pages.palette import taught
from afterstate_lab.tui.preferences import read_preferences
from afterstate_lab.tui.screens.paper import Paper
from afterstate_lab.tui.terminal.driver import Pacer

TD = parse_player("td")


async def test_a_training_is_looked_at_once_a_second_while_the_user_types(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    now, looks = [100.0], []
    monkeypatch.setattr("afterstate_lab.tui.screens.lab.monotonic", lambda: now[0])
    monkeypatch.setattr(desk.session, "look_at_training", lambda: looks.append(now[0]))
    monkeypatch.setattr(Pacer, "is_after_key", True)
    for _ in range(9):
        desk.screen.poll()
        now[0] += 0.25
    monkeypatch.setattr(Pacer, "is_after_key", False)
    desk.screen.poll()
    assert looks == [100.0, 101.0, 102.0, 102.25]


@pytest.mark.slow
async def test_a_paused_training_keeps_still_until_it_is_stopped(desk: Desk):
    await desk.press("t")
    desk.screen.line.value = "1000000"
    await desk.press("Enter space")
    assert desk.session.training.is_paused
    await desk.finish("Esc")
    assert 0 < desk.session.run.games < 1_000_000
    assert not desk.session.is_training


@desk_of(size=(120, 40))
async def test_the_footer_names_keys_that_do_something_and_that_help_tells(desk: Desk):
    assert await desk.press("g") == "No game yet: s plays one."
    for keys in ("", "→ →", "s", "p 5"):
        await desk.press(keys)
        last = desk.text.splitlines()[-1]
        shown = dict(entry.split(maxsplit=1) for entry in last.strip().split("  "))
        assert len(shown) <= 8
        assert max(map(len, shown.values())) <= 12
        await desk.press("?")
        keys = {key for key, *_ in desk.state.found} | {"?", "+ −"}
        assert set(shown) <= {told for key in keys for told in (*key.split(), key.replace(" ", ""))}
        await desk.press("Esc")


BEHIND_ALTGR = "[]{}\\|@~#^`"
"""The characters of ASCII that German, French or Spanish keyboards have only behind AltGr."""


def test_no_command_is_only_behind_altgr():
    for command in COMMANDS:
        assert set(command.keys) - set(map(_character_to_key, BEHIND_ALTGR)) or not command.keys


def test_help_is_the_dozen_keys_and_the_palette_has_every_letter():
    told = taught()
    keys = {key for shown, _ in told for key in shown.split()}
    assert keys == {*"←→−+↑↓ni:pwst", "Enter", "Esc", "space", "1–9"}
    assert sum(len(f"{shown} {says}".split()) for shown, says in told) <= 250


@pytest.mark.slow
@desk_of(games=2)
async def test_no_letter_is_silent(desk: Desk):
    bound = {key for command in COMMANDS for key in command.keys}
    for mode in "pws":
        await desk.press(mode)
        for letter in sorted({*string.ascii_letters, "at"} - bound):
            said = await desk.press(letter)
            nothing = said.endswith("does nothing here. ? lists the keys.")
            assert said == gone(letter) or nothing, (mode, letter)


TWELVE = {"right": "", "left": "", "plus": "+", "minus": "-", "down": "", "up": "", "space": " ",
          "5": "5", "n": "n", "enter": "", "escape": "", "i": "i", "question_mark": "?",
          "colon": ":", "p": "p", "w": "w", "s": "s", "t": "t"}  # fmt: skip
PLACES = {
    "home": "H", "help": "question_mark", "explain": "i",
    "play": "p", "watch": "w", "step": "", "train": "t 9 enter",
}  # fmt: skip
UNTYPED = {
    name.partition("-")[0]: name for name in reversed(SAMPLES) if "setup" not in name
}.values()


@pytest.mark.quick("30-watch")
@pytest.mark.parametrize("name", [*UNTYPED, *PLACES])
@desk_of(games=30)
async def test_each_of_the_twelve_keys_does_something_on_every_page_or_says_where(
    desk: Desk, name: str
):
    screen, front, make = desk.screen, None, sample(name) if name in SAMPLES else None
    for key, character in TWELVE.items():
        await desk.until(lambda: screen.busy is None)  # else it takes Esc only
        if front is None or screen.front is not front or front.asked or desk.in_lab:
            if not desk.in_lab:
                close(screen, screen.sheets[1])
            screen.front.asked = None
            screen.redraw()
            await desk.press("s")
            if make is not None:
                screen.push(make)
            await desk.finish(PLACES.get(name, ""))
            front = screen.front
            assert desk.in_lab is (name in ["play", "watch", "step", "train"])
        if screen.page.typing is not None:
            return
        window = screen.page.window
        if window is not None:
            window.move(window.count if key in ("up", "left") else -window.count)
        screen.redraw()
        before = desk.text
        await screen.on_key(Key(key, character or None))
        if screen.front is front:
            assert desk.text != before or front.running or screen.busy, key
            assert key not in "pwst" or front.asked or screen.page.name[0].lower() == key
        else:
            assert key not in "pwst" or desk.in_lab


EDIT = st.lists(st.sampled_from(["5", "0", "1", "\x7f"]), max_size=6).map("".join)
STROKES = st.one_of(
    st.sampled_from([".", "s", "]", "[", "?q", "+", "\x1b[C", ":why\x7f", "vqs"]),
    st.builds("g{}\r".format, EDIT),
    st.builds("o/q:{}\r".format, EDIT),
    st.builds("b{}\r".format, EDIT),
)
LAST = st.builds("t{}{}\r".format, st.sampled_from("123"), EDIT.map(lambda edit: edit[:3]))
"""Trains last: what is typed during a training depends on how fast that is."""


async def place_after(typed: str, sizes: list[int]) -> tuple[object, ...]:
    """Where a line leads that arrives in packets of these sizes, and then all at once."""
    async with at(Afterstate(Settings(TD, TD, 7))) as desk:
        for size in [*sizes, len(typed)]:
            await desk.feed(typed[:size])
            typed = typed[size:]
            await desk.finish()
        fields = [field.value for field in desk.screen.query(Input)]
        names = [sheet.page.name for sheet in desk.screen.sheets if sheet.page]
        session = desk.session
        return names, fields, session.mode, session.run.games, session.board, session.breakpoint


@desk_of(games=3)
async def test_a_click_comes_before_a_later_key_of_its_packet(desk: Desk):
    await desk.press("v")
    at = desk.state.list
    y = next(y for y, line in enumerate(desk.text.split("\n")) if line[1:3] == " X")
    click = f"\x1b[<0;4;{y + 3}M\x1b[<0;4;{y + 3}m"
    await desk.feed(click)
    clicked = at.cursor
    assert clicked > 0
    await desk.feed("\x1b[H" + click + "\x1b[B")
    assert at.cursor == clicked + 1


@desk_of(games=1)
async def test_what_is_typed_in_one_packet_is_painted_once(desk: Desk, monkeypatch):
    pictures = []
    show = Paper.show
    monkeypatch.setattr(Paper, "show", lambda *given: (pictures.append(1), show(*given))[1])
    for opened, before in (("t", ""), (":", ""), ("o/", "")):
        await desk.feed(*opened)
        at_first = len(pictures)
        await desk.feed("1" * 40 + "\x7f" + "2" * 40)
        assert len(pictures) == at_first + 1
        assert desk.screen.line.value == before + "1" * 39 + "2" * 40
        assert "2222 " in desk.text.split("\n")[22]
        await desk.feed(ESCAPE, ESCAPE)
    await desk.feed(":zzz\x7f\x7f\x7fwhat is afterstate")
    assert "▸what is afterstate" in desk.text


@pytest.mark.slow
@settings(max_examples=max(3, settings().max_examples // 3))
@given(st.lists(STROKES, min_size=1, max_size=3), LAST, st.lists(st.integers(1, 6), max_size=9))
async def test_packets_do_not_matter(strokes: list[str], last: str, sizes: list[int]):
    typed = "".join(strokes) + last
    assert await place_after(typed, sizes) == await place_after(typed, [1] * len(typed))


async def test_it_starts_as_the_file_says_tells_what_is_wrong_and_never_writes_it(data_of_its_own):
    data_of_its_own.mkdir()
    path = data_of_its_own / "config.toml"
    wrong = "config.toml: theme: must be dark or light, not 'pink'"

    def lab_of(text: str, *, at_home: bool = False) -> Afterstate:
        path.write_text(text)
        return Afterstate(Settings(TD, TD), at_home=at_home, preferences=read_preferences())

    async with at(lab_of('theme = "light"\ncells = "keypad"\nspeed = 8\n')) as desk:
        assert desk.app.look.palette.name == "light256"
        assert desk.session.speed == 8.0
        await desk.press("p 7")
        assert desk.session.script[1] == 0
    async with at(lab_of('\ntheme = "pink"\nspeed = 3\n', at_home=True)) as desk:
        await desk.finish()
        assert desk.state.note == f"{wrong} (1 more: afterstate doctor)."
    async with at(lab_of('# mine\ntheme = "pink"\nspeed = 2\n')) as desk:
        assert await desk.finish() == f"{wrong}."
        await desk.press("d space plus space plus")
        desk.session.start(desk.session.settings)
        assert desk.session.speed == 4.0, "it outlives the run"
        desk.app.save_once()
    assert path.read_text() == '# mine\ntheme = "pink"\nspeed = 2\n'


def lab_at(place: str) -> Afterstate:
    opened = open_address(Address.parse(f"afterstate:1/td/td/7/20{place}"), with_points=True)
    return Afterstate(Settings(TD, TD), opened=opened)


async def test_it_opens_under_the_microscope_and_copies_the_address(data_of_its_own):
    app = lab_at("@12.3.2")
    copied = []
    app.copy_to_clipboard = copied.append
    async with at(app) as desk:
        await desk.pilot.pause()
        assert (desk.session.mode, desk.session.timeline.game) == (Mode.STEP, 11)
        note = await desk.press("Y")
        assert copied == ["afterstate:1/td/td/7/20@12.3.2"] == [note]
    assert not data_of_its_own.exists()


async def test_a_what_if_opens_with_it():
    async with at(lab_at("@12+x=mc")) as desk:
        await desk.pilot.pause()
        await desk.finish()
        assert "nothing is backed up" in desk.text


async def test_a_page_under_a_card_is_made_for_the_window_that_it_has(desk: Desk):
    await desk.finish("s ] ]")
    await desk.feed(":")
    assert desk.screen.page.is_over
    before = desk.text
    await desk.feed(ESCAPE, ":")
    await desk.resize((9, 9))
    await desk.resize(WINDOW)
    assert desk.text == before


@pytest.mark.parametrize("keys", ["o", "v", "m", ":", "h", "?"])
async def test_a_click_on_a_frame_chooses_nothing(desk: Desk, keys: str):
    await desk.feed(keys)
    framed = [place for place in desk.screen.places if place.block.framed]
    assert framed
    for place in framed:
        right, low = place.x + place.columns - 1, place.y + place.rows - 1
        for x in range(place.x, right + 1):
            assert place.row_at(x, place.y) is place.row_at(x, low) is None
        for y in range(place.y, low + 1):
            assert place.row_at(place.x, y) is place.row_at(right, y) is None


async def test_what_is_clicked_or_typed_while_the_lab_ends_counts_once_or_is_dropped(desk: Desk):
    await desk.feed("?")
    desk.app._exit = True  # nothing is painted any more
    for _ in range(2):
        desk.screen.take(Leave())
    desk.app._exit = False
    await desk.feed("v", ESCAPE)
    assert desk.in_lab
    await desk.feed("o")
    desk.app._exit = True
    await desk.feed("6", "\x1b[C")
    desk.app._exit = False
    await desk.feed(ESCAPE)
    assert desk.in_lab


@pytest.mark.slow
async def test_enters_in_one_packet_and_what_is_left_before_it_is_shown_do_no_harm(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    begun: list[Goal] = []
    monkeypatch.setattr(desk.screen, "start_training", begun.append)
    for key in "o:v":
        await desk.feed(key + ESCAPE, key + ESCAPE + key + ESCAPE)
        await desk.go_home()
    await desk.feed(":", "experiments (E)")
    await desk.finish()
    await desk.feed("\x1b[B", "\r" * 8)
    assert desk.screen.sheets[1].page.name.startswith("EXPERIMENT")
    await desk.go_home()
    for key in "o:t":
        await desk.feed(key, "\r\r\r\r")
        assert desk.screen.sheets[0].page is not None
    assert len(begun) == 1


async def test_a_question_and_the_palette_follow_the_size_and_no_old_one(desk: Desk):
    screen = desk.screen
    for key in ("t", "colon"):
        await desk.press(key)
        await desk.resize((2, 30), (40, 12))
        assert not screen.places
        await desk.resize((100, 30))
        assert screen.places
        assert screen.paper.lines[29].text.strip()
        assert {screen.paper.render_line(y).cell_length for y in range(30)} == {100}
        await desk.go_home()
    await desk.press("t")
    screen.post_message(Resize(Size(90, 20), Size(90, 20)))
    await desk.pilot.pause()
    assert screen.outer_size == (80, 24)


CONTROLS = [chr(code) for code in (*range(27), *range(28, 32), *range(127, 160), 0x2028, 0x2029)]
"""Without Esc, which ends a paste."""


@pytest.mark.quick("t")
@pytest.mark.quick("t")
@pytest.mark.parametrize("keys", ["t", ":", "o /"])
async def test_the_first_line_of_a_paste_that_is_not_blank_is_typed(desk: Desk, keys: str):
    """So a number that is copied with its line break is a number."""
    await desk.finish(keys)
    for control in CONTROLS:
        desk.screen.line.value = ""
        await desk.feed(f"\x1b[200~{control}7\t0{control}\r{control}\x1b[201~")
        assert desk.screen.line.value.strip() == "7 0"
