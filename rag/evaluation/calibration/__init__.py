"""Weights of fusion and relevance fitted to a knowledge base."""
