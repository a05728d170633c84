"""A document as a reader sees it: its text with the cited passage marked, its pages, its file."""
