"""A document's way in: extraction, chunking, the Polish analyser, embedding and the index."""
