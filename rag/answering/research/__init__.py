"""Questions that take several searches: planned, run within a budget, shown step by step."""
