"""LaTeX sources."""
