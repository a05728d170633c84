"""The claims of an answer: its sentences and list items, each with the `[n]` that stand with it."""

import re

from ingestion.text.sentences import sentence_spans

MIN_WORDS = 4
"""Shorter pieces ("Tak.", "Zgodnie z umową:") say nothing that a source could confirm by themselves."""

MARKER = re.compile(r"\[\d+\]")
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TABLE_HEAD = re.compile(r"^\|[^\n]*\|[ \t]*\n\|[\s:|-]*-[\s:|-]*$", re.MULTILINE)
_LEADING_MARKERS = re.compile(r"(?:\s*\[\d+\])+[.,;]?\s*")
_WORD = re.compile(r"[^\W_]+")
HEADING = re.compile(r"#{1,6}\s")


def split_claims(text: str) -> list[str]:
    """Sentences, list items and table rows of `text` in order, markers included; code, headings and headers are none.

    Markers that follow a full stop ("Tak jest. [1] Dalej") belong to the sentence before them.
    """
    claims: list[str] = []
    prose = _TABLE_HEAD.sub("\n", _FENCED.sub("\n\n", text))
    for start, end in sentence_spans(prose):
        sentence = prose[start:end]
        markers = _LEADING_MARKERS.match(sentence)
        if markers and claims:
            claims[-1] = f"{claims[-1]} {markers.group().strip()}"
            sentence = sentence[markers.end() :]
        if _WORD.search(MARKER.sub("", sentence)) and not HEADING.match(sentence):
            claims.append(sentence)
    return claims


def uncited_claims(text: str) -> tuple[str, ...]:
    """Claims of four words or more without `[n]`; a lead-in that ends with a colon is no claim."""
    return tuple(claim for claim in split_claims(text) if not MARKER.search(claim) and _asserts(claim))


def last_claim(text: str) -> str:
    """The last sentence of `text` without markers: what a marker at its end refers to."""
    plain = MARKER.sub("", text).rstrip()
    line = plain[plain.rfind("\n") + 1 :]
    spans = sentence_spans(line)
    return line[slice(*spans[-1])] if spans else ""


def _asserts(claim: str) -> bool:
    return len(_WORD.findall(claim)) >= MIN_WORDS and not claim.rstrip("*_ ").endswith(":")
