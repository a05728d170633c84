"""Everyday questions: what whole answers are worth to those who ask, in figures that a tired reader understands."""
