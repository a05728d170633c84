"""Synonyms and the glossary."""
