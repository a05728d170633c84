"""Why a source was chosen, in sentences that need no knowledge of search; the numbers stand beside them."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.text.analyser import analyser
from rag.chat.rendering.question_words import content_tokens
from rag.types import Explanation, Passage, PassageRecord, WordMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWord:
    """A word of the question: `forms` of it stand in the passage, `related` are synonyms and corrected spellings.

    `lemma` is "" where it is the word itself, `points` (of the search by words) where they are not known.
    """

    typed: str
    lemma: str = ""
    forms: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What one stage of the search said, and its figure for those who want to know."""

    text: str
    figure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    words: tuple[FoundWord, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.reasons)


def why_found(found: Passage | PassageRecord) -> Why:
    """All stages that took part in finding it, in their order; a page of the web was not ranked by any."""
    if found.origin == "web":
        return Why()
    explanation = found.explanation
    return Why(
        words=tuple(_found(match) for match in explanation.words),
        reasons=(
            *_ranks(explanation),
            *_joined(explanation),
            *_chance(found.relevance),
            *_company(explanation),
        ),
    )


def why_quoted(question: str, quote: str) -> Why:
    """What can still be said of a stored citation: the words of the question in its quote."""
    forms: dict[str, dict[str, None]] = {}
    for token in analyser().tokens(quote):
        forms.setdefault(token.lemma, {})[token.form] = None
    return Why(
        words=tuple(
            FoundWord(typed=token.form, lemma=_other(token.lemma, token.form), forms=tuple(forms[token.lemma]))
            for token in content_tokens(question)
            if token.lemma in forms
        )
    )


def _found(match: WordMatch) -> FoundWord:
    """A form that has another lemma was searched for as a synonym, or instead of a slip."""
    own = [form for form in match.forms if form == match.typed or match.lemma in _lemmas(form)]
    return FoundWord(
        typed=match.typed,
        lemma=_other(match.lemma, match.typed),
        forms=tuple(own),
        related=tuple(form for form in match.forms if form not in own),
        points=_number(match.contribution, 1),
    )


def _other(lemma: str, typed: str) -> str:
    return lemma if lemma != typed else ""


def _lemmas(form: str) -> set[str]:
    return {lemma for _form, lemma in analyser().words(form)}


def _ranks(explanation: Explanation) -> Iterator[Reason]:
    if explanation.coverage:
        yield Reason(
            text=_("Its words are %(share)d%% of what was asked; rare words count for more.")
            % {"share": _percent(explanation.coverage)}
        )
    if explanation.lexical_rank:
        text = _("Among the passages found by words it is number %(rank)d.") % {"rank": explanation.lexical_rank}
        yield Reason(text=text, figure=_("BM25 %(score)s") % {"score": _number(explanation.lexical_score, 2)})
    if explanation.dense_rank:
        yield _by_meaning(explanation, explanation.dense_rank)
    if explanation.graph_rank:
        yield _by_names(explanation, explanation.graph_rank)
    for variant in explanation.variants:
        yield Reason(text=_("Another wording of the question finds it too: “%(variant)s”.") % {"variant": variant})


def _by_meaning(explanation: Explanation, rank: int) -> Reason:
    text = _("Among the passages found by meaning it is number %(rank)d.")
    if explanation.sentence:
        text = _("Among the passages found by meaning it is number %(rank)d, for its sentence %(sentence)d.")
    figure = _("similarity %(score)s") % {"score": _number(explanation.similarity, 2)}
    return Reason(text=text % {"rank": rank, "sentence": explanation.sentence}, figure=figure)


def _by_names(explanation: Explanation, rank: int) -> Reason:
    path = " → ".join(explanation.graph_path)
    text = (
        _("Names link it to the question: %(path)s.") % {"path": path} if path else _("Names link it to the question.")
    )
    return Reason(text=text, figure=_("number %(rank)d among those linked") % {"rank": rank})


def _joined(explanation: Explanation) -> Iterator[Reason]:
    if explanation.fusion_score:
        method = {
            "rrf": _("The rankings became one by adding up the ranks."),
            "weighted": _("The rankings became one by a weighted sum of their scores."),
            "max": _("The rankings became one by the best of their scores."),
        }[explanation.fusion_method]
        yield Reason(text=method, figure=_("result %(score)s") % {"score": _number(explanation.fusion_score, 3)})
    if explanation.reranker_score is not None:
        figure = _("score %(score)s") % {"score": _number(explanation.reranker_score, 2)}
        yield Reason(text=_reranked(explanation.reranker), figure=figure)
    for boost in explanation.boosts:
        yield Reason(text=f"{boost.reason}.", figure=("+" if boost.value >= 0 else "−") + _number(abs(boost.value), 2))


def _reranked(name: str) -> str:
    return {
        "features": _("The best passages were put in order anew by how well they match the question."),
        "cross_encoder": _("A model read the question together with the best passages and put them in order anew."),
        "llm": _("A language model put the best passages in order anew."),
        "diversity": _("The best passages were put in order anew so that they do not repeat each other."),
    }.get(name, _("The best passages were put in order anew (%(name)s).") % {"name": name})


def _chance(relevance: float) -> Iterator[Reason]:
    if relevance:
        share = _percent(relevance)
        yield Reason(text=_("The chance that it helps to answer was put at %(share)d%%.") % {"share": share})


def _company(explanation: Explanation) -> Iterator[Reason]:
    if alike := len(explanation.alike):
        said = ngettext(
            "It stands for %(n)d other passage that says the same.",
            "It stands for %(n)d other passages that say the same.",
            alike,
        )
        yield Reason(text=said % {"n": alike})
    if neighbours := len(explanation.neighbours):
        said = ngettext(
            "%(n)d neighbouring passage of the document is shown with it.",
            "%(n)d neighbouring passages of the document are shown with it.",
            neighbours,
        )
        yield Reason(text=said % {"n": neighbours})


def _percent(share: float) -> int:
    return round(share * 100)


def _number(value: float | None, places: int) -> str:
    """Rounded, which `number_format` does not do, with the decimal sign of the reader's language."""
    return number_format(round(value or 0.0, places), places)
