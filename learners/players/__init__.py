"""Texts and files that become players."""
