"""Golden sets and their measurements."""
