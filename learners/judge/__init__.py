"""Exact metrics of what two players learned."""
