"""Finds the packages by their folders, since `afterstate_lab/game` is no link where git makes none
(Windows)."""

from setuptools import find_namespace_packages, setup

TOPS = ("game", "learners", "tui")
FOUND = find_namespace_packages(include=[f"{top}*" for top in TOPS])

setup(
    packages=["afterstate_lab", *(f"afterstate_lab.{name}" for name in FOUND)],
    package_dir={f"afterstate_lab.{top}": top for top in TOPS},
)
