"""The question box: the page it stands on, what it sends, and the two ways to ask."""
