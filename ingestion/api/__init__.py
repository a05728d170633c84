"""The knowledge base over HTTP: collections, documents, chunks, jobs."""
