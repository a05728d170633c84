"""Vectors of another model, computed while the old ones serve."""
