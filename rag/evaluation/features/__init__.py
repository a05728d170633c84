"""The weights of the reranker by features, fitted."""
