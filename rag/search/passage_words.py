"""The words of passages, for all stages of one search: by the forward index where it has them, else by their text."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise

from ingestion.selectors import indexed_lemmas, term_keys
from ingestion.text.analyser import Word, analyser
from ingestion.text.index_format.chunk_words import searched_text
from ingestion.text.index_format.word_sequences import WordsInOrder
from ingestion.text.meaning.vocabulary import vocabulary
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.terms import Alternative
from rag.search.retrieval.lexical import CorpusStatistics
from rag.search.signals import SIGNALS, OtherWords, PassageWords, QuestionSignals, QuestionWord
from rag.types import Passage

_FUNCTION_WORD_IDF = 0.5
WORTH = {"lexicon": 0.75, "synonym": 2.0, "thesaurus": 2.0, "glossary": 2.0}
"""What other words are worth in the order of passages, against their weight in the search by words: there they have to
bring a passage in, here to keep below one that has the typed word. Learnt for the lexicon (docs/benchmarks.md); what
editors say counts half in the search, and like the typed word here.
"""

Place = tuple[int, int, int]


class SearchedWords:
    """`indexed` are the words of chunks, by the chunk's key, as the forward index has them (`ChunkWords.terms`).

    Everything is computed once a search, and for all passages that somebody asks for together.
    """

    def __init__(self, query: AnalysedQuery, statistics: CorpusStatistics, indexed: Mapping[int, bytes]) -> None:
        self._question = weighted_question(query, statistics)
        self._indexed = indexed
        self._texts: dict[Place, list[Word]] = {}
        self._read: dict[Place, tuple[PassageWords, int]] = {}
        self._signals: dict[Place, dict[str, float]] = {}

    def signals(self, passages: Sequence[Passage]) -> list[dict[str, float]]:
        """The lexical signals of each passage, by name."""
        self._look_at(passages)
        return [self._signals[_place(passage)] for passage in passages]

    def asked(self, passages: Sequence[Passage]) -> list[tuple[list[Word], int]]:
        """The words of each passage that the question asks for, as often as they stand there, and how many words it has
        in all. A word that is asked for as it stands may lack its lemma.
        """
        self._look_at(passages)
        texts = self._question.word_texts
        read = [self._read[_place(passage)] for passage in passages]
        return [(words.asked(number, texts), int(words.lengths[number])) for words, number in read]

    def analysed(self, passages: Sequence[Passage]) -> list[list[Word]]:
        """All words of each passage, found in its text; their lemmas as the index has them, by one query."""
        new = {_place(passage): passage for passage in passages if _place(passage) not in self._texts}
        pieces = {place: analyser().pieces(_searched_text(passage)) for place, passage in new.items()}
        analyser().learn(chain.from_iterable(pieces.values()), indexed_lemmas)
        self._texts |= {place: analyser().words_of(read) for place, read in pieces.items()}
        return [self._texts[_place(passage)] for passage in passages]

    def _look_at(self, passages: Sequence[Passage]) -> None:
        new = {_place(passage): passage for passage in passages if _place(passage) not in self._signals}
        if not new:
            return
        words = self._passage_words(list(new.values()))
        columns = [signal(self._question, words).tolist() for signal in SIGNALS.values()]
        for number, (place, *row) in enumerate(zip(new, *columns, strict=True)):
            self._read[place] = words, number
            self._signals[place] = dict(zip(SIGNALS, row, strict=True))

    def _passage_words(self, passages: Sequence[Passage]) -> PassageWords:
        indexed = {
            _place(passage): WordsInOrder.unpacked(self._indexed[passage.chunk_id])
            for passage in passages
            if passage.chunk_id in self._indexed
        }
        keys: dict[str, int] = {}
        if indexed:
            joined = WordsInOrder.joined(list(indexed.values()))
            keys = term_keys(self._question.texts, self._question.candidates(joined))
        others = [passage for passage in passages if _place(passage) not in indexed]
        for passage, words in zip(others, self.analysed(others), strict=True):
            self._name(words, keys)
            indexed[_place(passage)] = WordsInOrder.of(words, keys)
        titles = [len(analyser().words(passage.title)) for passage in passages]
        return PassageWords([indexed[_place(passage)] for passage in passages], keys, titles)

    def _name(self, words: Iterable[Word], keys: dict[str, int]) -> None:
        """Give words that the question asks for, but the index does not know, keys below those of terms."""
        for form, lemma in set(words):
            for text in (form, lemma):
                if text not in keys and (self._question.asks(text) or lemma in self._question.texts):
                    keys[text] = -1 - len(keys)


def weighted_question(query: AnalysedQuery, statistics: CorpusStatistics) -> QuestionSignals:
    """The question as passages are asked: its words by their readings, its neighbouring words, and what each weighs."""
    idf = {reading.lemma: statistics.idf(term.lemma_chunks) for term in query.terms for reading in term.readings}
    words = analyser().words(query.text)
    return QuestionSignals(
        pairs=tuple(
            ((left, right), idf.get(left, _FUNCTION_WORD_IDF) + idf.get(right, _FUNCTION_WORD_IDF))
            for left, right in pairwise(lemma for _, lemma in words)
        ),
        words=tuple(
            QuestionWord(
                forms=frozenset(reading.form for reading in term.readings),
                lemmas=frozenset(reading.lemma for reading in term.readings),
                keys=frozenset(reading.lemma_term.id for reading in term.readings if reading.lemma_term),
                idf=statistics.idf(term.lemma_chunks),
                name=term.name,
                others=tuple(_other_words(one) for one in query.alternatives if number in one.stands_for),
                near=_near({reading.lemma for reading in term.readings}),
            )
            for number, term in enumerate(query.terms)
        ),
    )


def _near(lemmas: Iterable[str]) -> dict[str, float]:
    """Lemmas of like meaning, each with its cosine to the nearest of `lemmas`."""
    found: dict[str, float] = {}
    for lemma in lemmas:
        for near, cosine in vocabulary().near(lemma).items():
            found[near] = max(cosine, found.get(near, 0.0))
    return found


def worth(alternative: Alternative) -> float:
    """What a passage that has it gets of the typed word's value, in (0, 1]."""
    return min(1.0, alternative.weight * WORTH[alternative.source])


def _other_words(alternative: Alternative) -> OtherWords:
    keys = frozenset(term.id for term in alternative.terms)
    return OtherWords(lemmas=alternative.lemmas, keys=keys, worth=worth(alternative))


def _searched_text(passage: Passage) -> str:
    return searched_text(title=passage.title, headings=passage.heading_path, text=passage.text)


def _place(passage: Passage) -> Place:
    return passage.chunk_id, passage.start, passage.end
