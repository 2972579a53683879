"""Stores of earlier versions open as they are, and their runs replay to the same bits."""

import gzip
from pathlib import Path

import pytest

from afterstate_lab.learners.runs.replay import address_of, open_address, verify
from afterstate_lab.learners.runs.store import Store

STORES = sorted(Path(__file__).parent.glob("store_of_*.sqlite.gz"))
LINES = {
    "mine": "afterstate:1/td/random/7/21~21lhADAB",
    "fork": "afterstate:1/q:alpha=0.3/menace/1099511627776/40~31=19",
}


@pytest.mark.parametrize("file", STORES, ids=lambda file: file.name)
def test_a_store_of_an_earlier_version_is_whole(path, file):
    path.parent.mkdir()
    path.write_bytes(gzip.decompress(file.read_bytes()))
    store = Store.open(path)
    assert [info.name for info in store.list()] == ["fork", "mine"]
    for name, line in LINES.items():
        loaded = store.load(name)
        assert (loaded.repair, verify(loaded).is_same) == ("", True)
        script = dict(loaded.pending.script) if loaded.pending else None
        address = address_of(loaded.run, script)
        assert str(address) == line
        again = open_address(address)
        assert again is not None
        assert again.run.sha256 == loaded.run.sha256 == store.info(name).sha256
        assert again.script == (script or {})
        loaded.run.seat(again.run.seating)
        store.save(loaded.run, into=loaded.stored, pending=loaded.pending)
        assert verify(store.load(name)).is_same
    assert store.load("mine").note == "a note"
