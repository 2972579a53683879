"""The user's own keys in a real lab, from the file to the footer."""

import pytest


@pytest.mark.slow
def test_the_file_s_keys_ask_for_the_commands(lab, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('x = "q"\n[keys]\ntrain = "X"\nwatch = "s"\nstep = ["w", "ctrl+s"]\n')
    terminal = lab(at_home=True, shows=("tour",), env={"AFTERSTATE_CONFIG": str(config)})
    assert "X  train it" in terminal.text
    assert "w  one update" in terminal.text
    terminal.send(b"w")
    terminal.read_until_shown("STEP", "X q")
    terminal.send(b"t")
    terminal.send(b"X")
    terminal.read_until_shown("how many games")
