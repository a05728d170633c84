"""Measures and what may be concluded from them."""
