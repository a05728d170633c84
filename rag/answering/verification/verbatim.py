"""Claims that stand word for word in their source: a sentence of it, or a row of a table with its columns."""

import re
from collections.abc import Iterator

from ingestion.text.sentences import sentence_spans
from rag.answering.passage_tables import tables_of
from rag.answering.verification.overlap import CitedSource

_MARKUP = re.compile(r"\*\*|__|`|\\(?=\|)")
_BULLET = re.compile(r"\A\s*(?:[-*•–—>]\s+|\(?\d{1,3}[.)]\s+|[a-z]\)\s+)+")
_LEAST = 3  # words; fewer stand somewhere by chance


def is_verbatim(claim: str, source: CitedSource) -> bool:
    """Whether `claim`, without its markers, is whole sentences or a row of `source`, however that is marked up."""
    said = _plain(claim)
    if len(said.split()) < _LEAST:
        return False
    told = {_plain(sentence.text) for sentence in source.sentences}
    return all(_plain(claim[start:end]) in told for start, end in sentence_spans(claim)) or said in _rows(source)


def _rows(source: CitedSource) -> Iterator[str]:
    """Each row as it is shown: alone with the names of its columns, or among others without."""
    for table in tables_of(source.text) if "|" in source.text else ():
        for row in table.rows:
            named = (f"{name}: {cell}" if name else cell for name, cell in zip(table.columns, row.cells, strict=False))
            yield _plain("; ".join(one for one, cell in zip(named, row.cells, strict=False) if cell))
            yield _plain(f"| {' | '.join(row.cells)} |")


def _plain(text: str) -> str:
    return " ".join(_BULLET.sub("", _MARKUP.sub("", text)).split()).rstrip(".;,").strip()
