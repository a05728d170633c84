"""Measures of retrieval and of answers on labelled questions."""
