"""The words of a question as the index knows them: terms, forms, repaired spelling, other words for them."""
