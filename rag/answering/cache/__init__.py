"""What was worked out a moment ago. Nothing is kept that a change of the knowledge base, or of rights, makes untrue."""
