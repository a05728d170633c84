"""Text of others inside a prompt: it must not be able to end the block it stands in."""

import re

# Our own tags, also as "< / SOURCE": without "<" they cannot end a block.
_OUR_TAG = re.compile(
    r"<(?=\s*/?\s*(?:sources?|passages?|claims?|title|section|page|text|before|after|question|answer|expected"
    r"|draft|notes?|history|glossary|turn|asked|answered|page_text|style|searched)\b)",
    re.IGNORECASE,
)
# Characters without width or that turn the writing direction: they hide a command from people, not from a model.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def neutralise(text: str) -> str:
    """`text` without anything that reads as one of the prompts' own delimiters, and without unseen characters."""
    return _OUR_TAG.sub("&lt;", _UNSEEN.sub("", text))
