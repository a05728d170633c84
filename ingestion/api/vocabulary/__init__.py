"""The organisation's words over HTTP: synonyms, the lexicon's packs, the glossary."""
