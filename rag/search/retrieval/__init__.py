"""Passages for a question: lexical and dense search, fused and explained."""
