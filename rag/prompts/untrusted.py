"""Text of others inside a prompt: it must not be able to end the block it stands in."""

import re

# Our own tags, also as "< / SOURCE": without "<" they cannot end a block.
_OUR_TAG = re.compile(
    r"<(?=\s*/?\s*(?:sources?|passages?|title|section|page|text|before|after|question)\b)", re.IGNORECASE
)


def neutralise(text: str) -> str:
    """`text` without anything that reads as one of the prompts' own delimiters."""
    return _OUR_TAG.sub("&lt;", text)
