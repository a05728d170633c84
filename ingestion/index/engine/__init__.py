"""The search engine is told what the index has: generations of it, and the changes that each has yet to be told of.

PostgreSQL stays the truth. The engine proposes chunks, PostgreSQL decides: who may read them, and what they score.
"""
