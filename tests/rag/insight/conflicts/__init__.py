"""The board of contradictions."""
