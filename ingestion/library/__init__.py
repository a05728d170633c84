"""What a viewer sees of the knowledge base."""
