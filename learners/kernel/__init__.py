"""The memory of two players and the engine bound to them, interpreted or compiled."""
