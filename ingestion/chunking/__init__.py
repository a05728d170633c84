"""From a text to the spans that are stored and cited: a chunker is a file, `context.locate` ends the work."""
