"""Plain text, and files that are text: Markdown, JSON, CSV, source code."""
