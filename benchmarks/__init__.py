"""Measurements: how fast replies are read, and how close a run comes to its limit."""
