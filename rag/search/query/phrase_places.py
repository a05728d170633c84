"""Which words and phrases a question says, by the keys under which tables have them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.aspect import aspect_partner
from ingestion.text.morphology.stop_words import STOP_WORDS
from ingestion.text.names.name_words import name_words
from ingestion.text.phrases import REFLEXIVE, as_said, in_any_order, tells
from ingestion.types import Token
from rag.search.query.terms import QueryTerm

_LONGEST_PHRASE = 6  # words; longer synonyms are found by nobody's question, but still expand the others
_MOST_WORDS = 40  # of a question that are looked at for phrases in any order
# By how many words of a phrase in any order: among how many neighbouring words of the question they may stand.
_REACH = {2: 4, 3: 5, 4: 6}
_NOT = "nie"


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidWord:
    """A word of the question where it stands: `lemmas` of its readings, the likeliest first; `term` is its number among
    the words that are searched, None for a function word, and `written` as it was typed.
    """

    lemmas: tuple[str, ...]
    written: str
    term: int | None

    @property
    def tells(self) -> bool:
        form = self.written.lower()
        return self.term is not None or tells(Token(form=form, lemma=self.lemmas[0], start=0, end=len(form)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PhrasePlace:
    """Where a phrase stands: the numbers of its `words` in the question, ascending, and of those that are searched
    their numbers among these, as `terms`; `typed` as they are searched.
    """

    words: tuple[int, ...]
    terms: tuple[int, ...]
    typed: str

    @property
    def start(self) -> int:
        return self.words[0]

    @property
    def size(self) -> int:
        return len(self.words)

    def within(self, other: "PhrasePlace") -> bool:
        """Whether the other phrase has all these words and more."""
        return self.size < other.size and set(self.words) <= set(other.words)


def said_words(text: str, terms: Sequence[QueryTerm]) -> tuple[SaidWord, ...]:
    """All words of `text`, each in the readings of its term."""
    numbers = {form: number for number, term in enumerate(terms) for form in (term.typed, *_forms(term))}
    return tuple(_said(token, text, terms, numbers) for token in analyser().tokens(text))


def content_words(terms: Sequence[QueryTerm]) -> tuple[SaidWord, ...]:
    """The words that are searched, without function words."""
    words = (
        SaidWord(lemmas=_lemmas(term), written=term.typed, term=number)
        for number, term in enumerate(terms)
        if not _is_function_word(term)
    )
    return tuple(words)


Numbered = tuple[int, SaidWord]
"""A word with its number in the question."""


def phrase_places(words: Sequence[SaidWord], terms: Sequence[QueryTerm]) -> dict[str, PhrasePlace]:
    """The places of `phrase_runs`."""
    return {phrase: placed(run, terms) for phrase, run in phrase_runs(words).items()}


def phrase_runs(words: Sequence[SaidWord]) -> dict[str, Sequence[Numbered]]:
    """Each run of neighbouring searched words, by its lemmas joined as in `Synonym.phrase`; the first of equal ones."""
    runs: dict[str, Sequence[Numbered]] = {}
    numbered = [(number, word) for number, word in enumerate(words) if word.term is not None]
    for start in range(len(numbered)):
        for size in range(1, min(_LONGEST_PHRASE, len(numbered) - start) + 1):
            run = numbered[start : start + size]
            for lemmas in _read([word for _, word in run]):
                runs.setdefault(" ".join(lemmas), run)
    return runs


def everyday_runs(words: Sequence[SaidWord]) -> dict[str, Sequence[Numbered]]:
    """Words and phrases by `ingestion.text.phrases.everyday_key`; the first of equal ones."""
    runs: dict[str, Sequence[Numbered]] = {}
    numbered = list(enumerate(words[: 2 * _MOST_WORDS]))
    for run in _runs(numbered):
        runs.setdefault(as_said([word.lemmas[0] for _, word in run]), run)
    telling = [(number, word) for number, word in numbered if word.tells][:_MOST_WORDS]
    for chosen in _near(telling):
        for lemmas in _read([word for _, word in chosen]):
            runs.setdefault(in_any_order(lemmas), chosen)
    for verb in _reflexive(numbered):
        runs.setdefault(in_any_order([verb[1].lemmas[0], REFLEXIVE]), [verb])
    return runs


def placed(run: Sequence[Numbered], terms: Sequence[QueryTerm]) -> PhrasePlace:
    """Where the words of `run` stand."""
    numbers = tuple(dict.fromkeys(word.term for _, word in run if word.term is not None))
    return PhrasePlace(
        words=tuple(number for number, _ in run),
        terms=numbers,
        typed=" ".join(terms[number].typed for number in numbers),
    )


def _runs(words: Sequence[Numbered]) -> Iterator[Sequence[Numbered]]:
    """Neighbouring words with at least one function word among them, and one that is searched."""
    for start in range(len(words)):
        for size in range(2, min(_LONGEST_PHRASE, len(words) - start) + 1):
            run = words[start : start + size]
            if not all(word.tells for _, word in run):
                yield run


def _near(words: Sequence[Numbered]) -> Iterator[Sequence[Numbered]]:
    """Every choice of one to four words that stand near each other, in their order; "nie" with the next word alone."""
    for start, first in enumerate(words):
        yield (first,)
        for size, reach in _REACH.items():
            for others in combinations(range(start + 1, min(start + reach, len(words))), size - 1):
                if _deny_what_follows(words, (start, *others)):
                    yield (first, *(words[other] for other in others))


def _deny_what_follows(words: Sequence[Numbered], chosen: Sequence[int]) -> bool:
    """Whether each "nie" among the chosen ones has the word after it beside it: "to nie ten, skasowałem" denies no
    deleting.
    """
    return all(place + 1 in chosen for place in chosen if words[place][1].lemmas[0] == _NOT)


def _reflexive(words: Sequence[Numbered]) -> Iterator[Numbered]:
    """The words that a "się" near them may belong to, the nearest first."""
    for at, (_number, word) in enumerate(words):
        if word.lemmas[0] == REFLEXIVE:
            near = words[max(0, at - _REACH[2] + 1) : at + _REACH[2]]
            yield from sorted((one for one in near if one[1].tells), key=lambda one: abs(one[0] - at))


def _read(run: Sequence[SaidWord]) -> Iterable[tuple[str, ...]]:
    """The lemmas of `run`: of one or two words in every reading, of more in the likeliest; else there were hundreds."""
    if len(run) > 2:
        return [tuple(word.lemmas[0] for word in run)]
    return product(*(word.lemmas for word in run))


def _said(token: Token, text: str, terms: Sequence[QueryTerm], numbers: Mapping[str, int]) -> SaidWord:
    number = numbers.get(token.form)
    written = text[token.start : token.end]
    if number is not None and not _is_function_word(terms[number]):
        return SaidWord(lemmas=_in_either_aspect(terms[number]), written=written, term=number)
    return SaidWord(lemmas=(_function_lemma(token),), written=written, term=None)


def _lemmas(term: QueryTerm) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reading.lemma for reading in term.readings))


def _in_either_aspect(term: QueryTerm) -> tuple[str, ...]:
    """A table has a verb in one aspect, and people ask in either: "upoważniam" and "upoważnić"."""
    lemmas = _lemmas(term)
    partners = () if name_words().is_noun(term.typed) else filter(None, map(aspect_partner, lemmas))
    return tuple(dict.fromkeys((*lemmas, *partners)))


def _forms(term: QueryTerm) -> Iterator[str]:
    return (reading.form for reading in term.readings)


def _is_function_word(term: QueryTerm) -> bool:
    return analyser().is_stop_word(Token(form=term.typed, lemma=term.lemma, start=0, end=len(term.typed)))


def _function_lemma(token: Token) -> str:
    """Typed without diacritics it is the same word: "sie", "ktora"."""
    return token.lemma if token.form in STOP_WORDS else _by_folded().get(token.form, token.lemma)


@lru_cache(maxsize=1)
def _by_folded() -> dict[str, str]:
    return {fold(word): analyser().lemmatiser.lemma(word) for word in sorted(STOP_WORDS) if not word.isascii()}
