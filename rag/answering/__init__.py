"""From a question and what a search found to a checked answer."""
