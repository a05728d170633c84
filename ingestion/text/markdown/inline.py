"""Inline Markdown as a reader sees it."""

import re

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>|<!--.{0,500}?-->")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)")
_MARKS = re.compile(r"\*+|`+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|\\(?=[!-/:-@\[-`{-~])")


def plain_inline(markdown: str) -> str:
    """One line of Markdown without emphasis, code marks and tags, links as their text, spaces collapsed."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", _TAG.sub("", markdown))).split())
