"""The board of contradictions: statements of documents in force that cannot both be true."""
