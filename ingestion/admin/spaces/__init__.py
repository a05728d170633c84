"""Embedding spaces."""
