"""Chunks, their words, vectors, names and sketches in the database."""
