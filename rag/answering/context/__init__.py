"""What a language model is given to read of what was found: whole sections and tables, in the documents' order."""

from rag.answering.context.reading import read_around

__all__ = ["read_around"]
