"""What a synonym group does to search, counted in the index before anybody searches with it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from ingestion.models import Chunk, Synonym, SynonymGroup, Term
from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from ingestion.selectors.postings import postings_of
from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.inflection import inflections
from ingestion.text.phrases import phrase_of

_MOST_CANDIDATES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCount:
    """A word form of the index and the number of chunks it stands in."""

    form: str
    chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SynonymPreview:
    """`chunks` hold the synonym, all its words. `gained` are those that a question for this synonym finds only through
    the group; None where it expands to nothing, as the later words of a one-way group."""

    text: str
    forms: tuple[FormCount, ...]
    chunks: int
    gained: int | None


def preview_group(group: SynonymGroup, viewer: Viewer) -> tuple[SynonymPreview, ...]:
    """One for each synonym, in order. Counts only what the group applies to and `viewer` may read."""
    seen = visible_collections(viewer)
    permitted = seen.filter(pk=group.collection_id) if group.collection_id else seen
    collection_ids = list(permitted.values_list("pk", flat=True))
    synonyms = list(group.synonyms.all())
    lemmas = [tuple(dict.fromkeys(phrase_of(synonym.text).split())) for synonym in synonyms]
    combinations = _combinations(lemmas, collection_ids)
    return tuple(
        SynonymPreview(
            text=synonym.text,
            forms=tuple(form for lemma in lemmas[n] for form in forms_in_index(lemma, collection_ids)),
            chunks=sum(chunks for _, matched, chunks in combinations if n in matched),
            gained=sum(chunks for touched, matched, chunks in combinations if matched and n not in touched)
            if _expands(group, synonyms, n)
            else None,
        )
        for n, synonym in enumerate(synonyms)
    )


def _expands(group: SynonymGroup, synonyms: Sequence[Synonym], n: int) -> bool:
    return len(synonyms) > 1 and (n == 0 or group.direction == SynonymGroup.Direction.TWO_WAY)


def _combinations(
    lemmas: Sequence[tuple[str, ...]], collection_ids: Sequence[int]
) -> list[tuple[list[int], list[int], int]]:
    """(synonyms touched, synonyms matched, chunks), synonyms by their place in `lemmas`: one for each combination that
    occurs. A chunk with a word of the synonym is touched, one with all of its words matches.
    """
    terms = dict(Term.objects.filter(text__in={lemma for words in lemmas for lemma in words}).values_list("text", "pk"))
    postings = postings_of(list(terms.values()), collection_ids)
    having = {text: postings[term].chunks[postings[term].lemmas > 0].tolist() for text, term in terms.items()}
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for number, words in enumerate(lemmas):
        for word in words:
            for chunk in having.get(word, ()):
                found[chunk][number] += 1
    searched = set(Chunk.objects.filter(pk__in=found, enabled=True).values_list("pk", flat=True))
    combinations = Counter(
        (tuple(sorted(had)), tuple(sorted(number for number in had if had[number] == len(lemmas[number]))))
        for chunk, had in found.items()
        if chunk in searched
    )
    return [(list(touched), list(matched), chunks) for (touched, matched), chunks in combinations.items()]


def forms_in_index(lemma: str, collection_ids: Sequence[int]) -> list[FormCount]:
    """The forms of the vocabulary that the analyser takes for `lemma`, most frequent first.

    Candidates are what SGJP inflects, and for words it lacks whatever begins alike.
    """
    vocabulary = Term.objects.filter(
        termstatistics__collection__in=collection_ids, termstatistics__form_chunks__gt=0
    ).annotate(chunks=Sum("termstatistics__form_chunks"))
    inflected = vocabulary.filter(text__in=inflections(lemma))
    alike = vocabulary.filter(folded__startswith=_stem(lemma)).order_by("text")[:_MOST_CANDIDATES]
    counts = {term.text: term.chunks for candidates in (inflected, alike) for term in candidates}
    forms = [FormCount(form=form, chunks=chunks) for form, chunks in counts.items() if _is_form(form, lemma)]
    return sorted(forms, key=lambda found: (-found.chunks, found.form))


def _is_form(form: str, lemma: str) -> bool:
    """Compounds and provisions are several words at one place; only the one that is written so counts."""
    return any(token.form == form and token.lemma == lemma for token in analyser().tokens(form))


def _stem(lemma: str) -> str:
    """The part of a word that inflection leaves alone, as a rule."""
    plain = fold(lemma)
    return plain[: max(3, len(plain) * 2 // 3)]
