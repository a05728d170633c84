"""Everything that changes the knowledge base: keyword-only functions, one transaction each."""
