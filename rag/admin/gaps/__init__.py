"""What the knowledge base could not answer, and what readers thought of its answers."""
