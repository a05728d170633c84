"""Rights of persons: the register of what is processed, terms that are kept, what there is on somebody."""
