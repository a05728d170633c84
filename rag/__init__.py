"""A question's way to its cited answer: retrieval, synthesis, citations."""
