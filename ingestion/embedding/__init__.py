"""Texts as vectors. An embedder is declared in `settings.RAG["components"]["embedders"]`."""
