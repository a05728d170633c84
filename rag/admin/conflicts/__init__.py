"""Statements of documents that contradict each other, for an editor to clear."""
