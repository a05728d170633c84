"""Chunks and what was found in them."""
