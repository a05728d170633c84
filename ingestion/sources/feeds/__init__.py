"""Feeds, and the pages and files that their entries lead to."""
