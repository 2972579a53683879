"""The screens: each owns the conversation between the lab and its widgets."""
