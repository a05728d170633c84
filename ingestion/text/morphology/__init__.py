"""Polish words: their lemmas, forms, grammar and kinship."""
