"""Panes: each draws one frozen view and knows neither the learners nor its siblings."""
