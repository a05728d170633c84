"""A question read with the sentences of passages: what pieces a passage has, and how likely each is to answer."""
