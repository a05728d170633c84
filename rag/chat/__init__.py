"""The reader's pages: asking, reading the answer, opening what it cites."""
