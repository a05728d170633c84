"""Markdown as blocks and inline text."""
