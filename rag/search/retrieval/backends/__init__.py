"""Where a search's candidates come from: one protocol, PostgreSQL alone and Qdrant beside it."""
