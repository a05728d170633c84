"""Assistants and the presets that they are made of."""
