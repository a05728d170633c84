"""Conversations of a reader: listed, searched, renamed, deleted, exported, shared, judged."""
