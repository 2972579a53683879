"""How things look: colours, characters, numbers."""
