"""Writing what chunks are found by as words: the postings and the forward index."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ingestion.text.analyser import Word
from ingestion.text.index_format.word_sequences import WordsInOrder
from knowledgetree.postgres.copying import copy, copy_columns

_MAX_COUNT = 32_767  # smallint
_TERM = 32  # bits of a key in a pair


def write_postings(collection_id: int, terms: Mapping[str, int], chunks: Iterable[tuple[int, Sequence[Word]]]) -> None:
    """Writes the postings and the forward index; the triggers count. `terms` maps every form and lemma to its key."""
    in_order = [(chunk, WordsInOrder.of(words, terms)) for chunk, words in chunks]
    if not in_order:
        return
    _write_counts(collection_id, [chunk for chunk, _ in in_order], [words for _, words in in_order])
    with copy("COPY ingestion_chunkwords (chunk_id, terms) FROM STDIN (FORMAT BINARY)") as rows:
        rows.set_types(["int4", "bytea"])
        for chunk, words in in_order:
            rows.write_row((chunk, words.packed()))


def _write_counts(collection_id: int, chunks: Sequence[int], in_order: Sequence[WordsInOrder]) -> None:
    lengths = np.array([len(words.forms) for words in in_order])
    places = np.repeat(np.arange(len(chunks)), lengths) << _TERM
    lemmas, forms = (
        np.unique(places | np.concatenate(column), return_counts=True)
        for column in ([words.lemmas for words in in_order], [words.forms for words in in_order])
    )
    pairs = np.union1d(lemmas[0], forms[0])
    place = pairs >> _TERM
    copy_columns(
        "ingestion_posting",
        {
            "term_id": (pairs & (1 << _TERM) - 1).astype("i4"),
            "collection_id": np.full(len(pairs), collection_id, "i4"),
            "chunk_id": np.array(chunks, "i4")[place],
            "lemma_count": _counts(pairs, lemmas),
            "form_count": _counts(pairs, forms),
            "length": lengths[place].astype("i4"),
        },
    )


def _counts(pairs: NDArray[np.int64], found: tuple[NDArray[np.int64], NDArray[np.int64]]) -> NDArray[np.int16]:
    """How often each of the pairs was found, 0 where it was not."""
    counts = np.zeros(len(pairs), "i2")
    counts[np.searchsorted(pairs, found[0])] = np.minimum(found[1], _MAX_COUNT)
    return counts
