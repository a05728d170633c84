"""Qdrant beside PostgreSQL, for collections that are too big for one machine: its settings, and the way to it."""
