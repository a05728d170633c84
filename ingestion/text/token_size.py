"""How long a model's token is, estimated without a tokeniser."""

CHARACTERS_PER_TOKEN = 4
"""For sizing only. Polish words cost current multilingual models 3 to 4.5 characters a token, so a chunk of 512 such
tokens stays well inside a window of 1,024 whatever the model.
"""
