"""Writing what chunks are found by as words: the postings and the forward index."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

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
    counted = counted_words([chunk for chunk, _ in in_order], [words for _, words in in_order])
    copy_postings(collection_id, counted)
    _write_in_order(in_order)


def copy_postings(collection_id: int, counted: "CountedWords") -> None:
    """Writes the rows alone."""
    copy_columns(
        "ingestion_posting",
        {
            "term_id": counted.terms,
            "collection_id": np.full(len(counted.terms), collection_id, "i4"),
            "chunk_id": counted.chunks,
            "lemma_count": counted.lemmas,
            "form_count": counted.forms,
            "length": counted.lengths,
        },
    )


def write_words(terms: Mapping[str, int], chunks: Iterable[tuple[int, Sequence[Word]]]) -> None:
    """Writes the forward index alone, of which postings are made later (`ingestion.index.publishing`)."""
    _write_in_order([(chunk, WordsInOrder.of(words, terms)) for chunk, words in chunks])


def _write_in_order(chunks: Iterable[tuple[int, WordsInOrder]]) -> None:
    with copy("COPY ingestion_chunkwords (chunk_id, terms) FROM STDIN (FORMAT BINARY)") as rows:
        rows.set_types(["int4", "bytea"])
        for chunk, words in chunks:
            rows.write_row((chunk, words.packed()))


class CountedWords(NamedTuple):
    """A row for each term of each chunk: how often it stands there as a lemma and as a form, and the chunk's words."""

    terms: NDArray[np.int32]
    chunks: NDArray[np.int32]
    lemmas: NDArray[np.int16]
    forms: NDArray[np.int16]
    lengths: NDArray[np.int32]

    def taken(self, places: NDArray[Any]) -> "CountedWords":
        """The rows at these places, or those that are marked."""
        terms, chunks, lemmas, forms, lengths = self
        return CountedWords(terms[places], chunks[places], lemmas[places], forms[places], lengths[places])


def counted_words(chunks: Sequence[int], in_order: Sequence[WordsInOrder]) -> CountedWords:
    """The postings of chunks by the keys of their words, in the order of the chunks."""
    lengths = np.array([len(words.forms) for words in in_order])
    places = np.repeat(np.arange(len(chunks)), lengths) << _TERM
    lemmas, forms = (
        np.unique(places | np.concatenate(column), return_counts=True)
        for column in ([words.lemmas for words in in_order], [words.forms for words in in_order])
    )
    pairs = np.union1d(lemmas[0], forms[0])
    place = pairs >> _TERM
    return CountedWords(
        terms=(pairs & (1 << _TERM) - 1).astype("i4"),
        chunks=np.array(chunks, "i4")[place],
        lemmas=_counts(pairs, lemmas),
        forms=_counts(pairs, forms),
        lengths=lengths[place].astype("i4"),
    )


def _counts(pairs: NDArray[np.int64], found: tuple[NDArray[np.int64], NDArray[np.int64]]) -> NDArray[np.int16]:
    """How often each of the pairs was found, 0 where it was not."""
    counts = np.zeros(len(pairs), "i2")
    counts[np.searchsorted(pairs, found[0])] = np.minimum(found[1], _MAX_COUNT)
    return counts
