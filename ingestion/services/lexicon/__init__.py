"""Other words for things that come in files: the packs of everyday words that ship with us, and a thesaurus."""
