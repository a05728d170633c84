"""What may be asked after an answer, without a model: headings beside what was cited, and of what was found with it.

Rules cannot inflect a heading into a question, so it stays as its author wrote it; that searches well and reads well.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ingestion.text.analyser import analyser
from rag.selectors.headings import headings_around, is_for_everyone
from rag.types import Answer, Citation, Passage, found_at, place_of

MOST = 3
LONGEST = 70  # characters
_LONGEST_TITLE = 50
_DOCUMENTS = 2  # cited ones whose neighbouring sections are looked at
_LEAST_RELEVANCE = 0.5  # of a passage of another document
_LOOKED_AT = 24  # headings

_NUMBER = re.compile(
    r"^\s*(?:§|art\.?|ust\.?|rozdział|dział|tytuł|część|chapter|section)?\s*(?:\d+[a-z]?|[IVXLC]+\b)?(?:\.\d+)*[.):]*\s+"
    r"(?=\S)",
    re.I,
)
_NOT_A_TOPIC = re.compile(
    r"(?:postanowienia|przepisy|informacje|uwagi|zasady)\s+(?:ogólne|końcowe|wstępne|przejściowe|dodatkowe)|zakres|"
    r"zakres stosowania|wstęp|wprowadzenie|spis treści|podstawa prawna|definicje|słowniczek|przykłady?\b.*|"
    r"załączniki?\b.*|pytania i odpowiedzi|najczęstsze pytania|historia zmian|różnice między.*|kontakt|podpisy?|"
    r"introduction|overview|general|contents|table of contents|examples?\b.*|appendix\b.*|changelog|see also|faq",
    re.I,
)
# Words of headings that say nothing without the title of their document.
_PALE = frozenset(
    "wniosek złożyć składać termin koszt opłata stawka wymiar zasada tryb sposób miejsce kto jak co gdzie kiedy ile "
    "móc przygotować odbiór ważność zmiana wysokość oświadczenie deklaracja odpowiedzialność umowa kontrola "
    "rozliczenie limit dokument dane osoba uprawnić uprawniony krok potrzebny przebieg przygotowanie "
    "warunek wyłączenie częsty problem ważny informacja".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heading:
    text: str
    title: str


def topics_of(answer: Answer) -> tuple[str, ...]:
    """At most three, each to be asked as it stands; none where nothing was answered or cited.

    All are headings of what the reader of `answer` was shown, or of documents that are cited to them.
    """
    if answer.outcome != "answered" or not answer.citations:
        return ()
    said = _lemmas(" ".join((answer.question, answer.searched)))
    said_sets = [said, *map(_lemmas, _cited_names(answer.citations))]
    chosen: list[str] = []
    for heading in islice(_headings(answer), _LOOKED_AT):
        topic = _topic(heading)
        lemmas = _lemmas(topic) if topic else frozenset()
        if not topic or not lemmas or any(lemmas <= known for known in said_sets):
            continue
        chosen.append(topic)
        said_sets.append(lemmas)
        if len(chosen) == MOST:
            break
    return tuple(chosen)


def _headings(answer: Answer) -> Iterator[_Heading]:
    """The nearest first: found in a cited document, beside what is cited, found in others."""
    found = found_at(answer.passages)
    cited = {place_of(citation) for citation in answer.citations}
    documents = {citation.document_id for citation in answer.citations}
    used = {id(found[place]) for place in cited if place in found}
    left = [one for one in answer.passages if id(one) not in used and one.origin == "document"]
    yield from (_last(one) for one in left if one.document_id in documents and one.heading_path)
    yield from _beside(answer.citations)
    yield from (
        _last(one)
        for one in left
        if one.document_id not in documents and one.heading_path and one.relevance >= _LEAST_RELEVANCE
    )


def _cited_names(citations: Sequence[Citation]) -> set[str]:
    """Titles and sections that the answer comes from."""
    return {name for citation in citations for name in (citation.title, *citation.heading_path[-1:])}


def _last(passage: Passage) -> _Heading:
    return _Heading(text=passage.heading_path[-1], title=passage.title)


def _beside(citations: Sequence[Citation]) -> Iterator[_Heading]:
    """Of the sections around the cited ones, in the text of the document: those that follow first."""
    first: dict[int, Citation] = {}
    for citation in citations:
        if citation.origin == "document":
            first.setdefault(citation.document_id, citation)
    for citation in list(first.values())[:_DOCUMENTS]:
        headings = headings_around(citation)
        after = [text for place, text in headings if place >= citation.start]
        before = [text for place, text in headings if place < citation.start][-2::-1]  # the last one is its own
        yield from (_Heading(text=text, title=citation.title) for text in after + before)


def _topic(heading: _Heading) -> str:
    """The heading without its number, with the title where it says too little alone; "" for what is no topic."""
    text = _without_number(heading.text)
    if not 3 <= len(text) <= LONGEST or _NOT_A_TOPIC.fullmatch(text) or not any(sign.isalpha() for sign in text):
        return ""
    if not is_for_everyone(text) or not is_for_everyone(heading.title):
        return ""
    if text.endswith("?") or _tells(text):
        return text
    title = _without_number(heading.title.partition(" – ")[0])
    text = f"{text[0].lower()}{text[1:]}" if text[1:2].islower() else text  # not of an abbreviation
    together = f"{title} – {text}" if ":" in title else f"{title}: {text}"
    return together if title and len(title) <= _LONGEST_TITLE else ""


def _without_number(text: str) -> str:
    return _NUMBER.sub("", " ".join(text.split()), count=1).strip(" .:–-*#`")


def _tells(text: str) -> bool:
    """Two words that are no commonplaces."""
    return len(_lemmas(text) - _PALE) > 1


def _lemmas(text: str) -> frozenset[str]:
    return frozenset(token.lemma for token in analyser().content_tokens(text))
