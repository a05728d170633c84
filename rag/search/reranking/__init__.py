"""Putting retrieved passages into a better order."""
