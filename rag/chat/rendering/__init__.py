"""From Markdown to safe HTML."""
