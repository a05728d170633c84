"""From a text to the spans that are stored and cited: a chunker is a file, `context.locate` ends the work."""

VERSION = 1
"""Raise it where a chunker splits a text otherwise than before, so that `reembed --rechunk` finds what is old."""
