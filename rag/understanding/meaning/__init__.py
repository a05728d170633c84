"""Other wordings of a question, made by a language model."""
