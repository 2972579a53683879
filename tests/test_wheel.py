"""What is installed: one name, from a checkout, one without links, and an sdist, whatever lies
beside it."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from afterstate_lab.learners import VERSION

ROOT = Path(__file__).parents[1]
LEFT_OUT = (".git", ".venv", ".*cache*", "__pycache__", "build", "*.egg-info", "site")
BUILD = """
import os, tarfile
from pathlib import Path
from setuptools import build_meta
here = Path.cwd()
for name in ("checkout", "no links"):
    os.chdir(here / name)
    build_meta.build_wheel(f"../from {name}")
build_meta.build_editable("../editable")
os.chdir("../checkout")
tarfile.open("../sdist/" + build_meta.build_sdist("../sdist")).extractall("../sdist", filter="data")
(there,) = (path for path in (here / "sdist").iterdir() if path.is_dir())
os.chdir(there)
build_meta.build_wheel("../../from sdist")
"""
STUDENTS = ("game.py", "learners.py", "tui.py")
NEEDED = ("textual", "rich", "click", "numpy", "numba")


def files_of(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("RECORD")}


def installed(wheel: Path, fresh: Path) -> tuple[Path, str]:
    """Install a wheel beside the packages that it needs: where it is then, and its Python."""
    venv.create(fresh)
    (packages,) = fresh.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    found = (find_spec(name) for name in NEEDED)
    places = {str(Path(spec.origin).parents[1]) for spec in found if spec and spec.origin}
    (packages / "needed.pth").write_text("\n".join(places))
    return packages, str(fresh / "bin" / "python")


@pytest.mark.slow
def test_the_wheel_has_one_name_and_the_lab_starts_from_it(tmp_path: Path) -> None:
    from labs import PANES, interpreted
    from pseudo_terminal import PseudoTerminal

    ignored = shutil.ignore_patterns(*LEFT_OUT)
    shutil.copytree(ROOT, tmp_path / "checkout", symlinks=True, ignore=ignored)
    shutil.copytree(tmp_path / "checkout", tmp_path / "no links", symlinks=True)
    links = [path for path in (tmp_path / "no links").rglob("*") if path.is_symlink()]
    assert {link.name for link in links} == {"game", "learners", "tui"}
    for link in links:  # as git and unzip leave them on Windows
        text = str(link.readlink())
        link.unlink()
        link.write_text(text)
    for name in ("from checkout", "from no links", "from sdist", "sdist", "editable"):
        (tmp_path / name).mkdir()
    env = os.environ | {"PYTHONWARNINGS": "ignore", "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([sys.executable, "-c", BUILD], cwd=tmp_path, env=env, check=True)
    (wheel,) = tmp_path.glob("from checkout/*.whl")
    (other,) = tmp_path.glob("from sdist/*.whl")
    assert files_of(wheel) == files_of(other)
    (same,) = tmp_path.glob("from no links/*.whl")
    assert same.read_bytes() == wheel.read_bytes()
    tops = {name.split("/")[0] for name in files_of(wheel)}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"afterstate_lab"}

    (editable,) = tmp_path.glob("editable/*.whl")
    _, python = installed(editable, tmp_path / "by hand")
    told = (
        "import sys; sys.meta_path.insert(0, sys.meta_path.pop())\n"  # before what the tests run on
        "import afterstate_lab.tui.command as it; print(it.__file__); it.main()"
    )
    command = [python, "-c", told, "--version"]
    told = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    file, version = told.splitlines()
    assert Path(file) == tmp_path / "no links" / "tui" / "command.py"
    assert version.endswith(f"version {VERSION}")

    packages, python = installed(other, tmp_path / "fresh")
    work = tmp_path / "work"
    work.mkdir()
    for name in STUDENTS:
        (work / name).write_text("raise SystemExit('a file of a student was imported')\n")
    told = "import afterstate_lab, os; os.write(1, afterstate_lab.__file__.encode())"
    there = subprocess.run([python, "-c", told], cwd=work, check=True, capture_output=True).stdout
    assert Path(os.fsdecode(there)).is_relative_to(packages)
    lab = ["env", "-C", str(work), python, "-m", "afterstate_lab", "--seed", "0"]
    with PseudoTerminal(lab, env=interpreted(tmp_path / "data")) as terminal:
        terminal.read_until_shown(*PANES)
        terminal.press("q", "q")
        assert terminal.wait() == 0


def test_a_class_can_install_the_versions_of_everything_that_the_lab_needs() -> None:
    lines = (ROOT / "docs" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = (line.split("==") for line in lines if not line.startswith("#"))
    versions = {canonicalize_name(name): version for name, version in pinned}
    needed: dict[str, Requirement] = {}
    waiting = ["afterstate-lab"]
    while waiting:
        for text in importlib.metadata.requires(waiting.pop()) or ():
            found = Requirement(text)
            name = canonicalize_name(found.name)
            is_needed = found.marker is None or found.marker.evaluate({"extra": ""})
            if is_needed and name not in needed:
                needed[name] = found
                waiting.append(name)
    assert not [name for name in needed if versions.get(name, "") not in needed[name].specifier]
