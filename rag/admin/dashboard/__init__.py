"""Figures of what is asked, drawn."""
