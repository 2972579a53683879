"""Exact truth about what two players have learned."""
