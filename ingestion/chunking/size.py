"""The size of a chunk, estimated without a tokeniser."""

CHARACTERS_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """About how many model tokens `text` has: a quarter of its characters, rounded up.

    An estimate for sizing only. Polish words cost current multilingual models 3 to 4.5 characters a token,
    so a chunk of 512 estimated tokens stays well inside a window of 1,024 whatever the model.
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)
