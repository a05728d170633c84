"""Why a passage was found, in words: for readers who know nothing of search, and with the figures of each stage."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rag.types import Explanation, Substitute


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What one stage of the search said, and its figure for those who want to know."""

    text: str
    figure: str = ""


def reasons(explanation: Explanation, relevance: float) -> Iterator[Reason]:
    """All stages that took part in finding it, in their order."""
    yield from _ranks(explanation)
    yield from _joined(explanation)
    yield from _chance(relevance)
    yield from _company(explanation)


def exact_reasons(explanation: Explanation) -> list[str]:
    """The same with the figures of each stage, for whoever looks into a search."""
    sentences = []
    for match in explanation.words:
        forms = ", ".join(f"„{form}”" for form in match.forms)
        sentences.append(
            _("Your word „%(typed)s” (base form „%(lemma)s”) stands here as %(forms)s: %(points).2f points.")
            % {"typed": match.typed, "lemma": match.lemma, "forms": forms, "points": match.contribution}
        )
    sentences.extend(_other_words(explanation))
    if explanation.lexical_rank:
        sentences.append(
            _("By words it is number %(rank)d (BM25 %(score).2f).")
            % {"rank": explanation.lexical_rank, "score": explanation.lexical_score or 0.0}
        )
    if explanation.dense_rank:
        sentences.append(_by_similarity(explanation))
    for variant in explanation.variants:
        sentences.append(_("Another wording of the question finds it: „%(variant)s”.") % {"variant": variant})
    if explanation.graph_path:
        sentences.append(_("Linked by names: %(path)s.") % {"path": " → ".join(explanation.graph_path)})
    share = round(100 * explanation.coverage)
    sentences.append(_("It covers %(share)d %% of what the question asks for.") % {"share": share})
    return [*sentences, *_after_fusion(explanation)]


def _by_similarity(explanation: Explanation) -> str:
    said = _("By similarity of vectors it is number %(rank)d (cosine %(similarity).2f).")
    if explanation.sentence:
        said = _(
            "By similarity of the vector of its sentence %(sentence)d it is number %(rank)d (cosine %(similarity).2f)."
        )
    return said % {
        "rank": explanation.dense_rank,
        "similarity": explanation.similarity or 0.0,
        "sentence": explanation.sentence,
    }


def _after_fusion(explanation: Explanation) -> Iterator[str]:
    if explanation.reranker_score is not None:
        yield _("The reranker %(name)s scores it %(score).2f.") % {
            "name": explanation.reranker,
            "score": explanation.reranker_score,
        }
    for boost in explanation.boosts:
        yield _("%(reason)s: +%(value).2f.") % {"reason": boost.reason, "value": boost.value}
    yield from _with_others(explanation)


def _with_others(explanation: Explanation) -> Iterator[str]:
    """Of the passages that it stands for, and of those shown with it."""
    if alike := len(explanation.alike):
        yield ngettext(
            "It stands for %(n)d other passage that says the same.",
            "It stands for %(n)d other passages that say the same.",
            alike,
        ) % {"n": alike}
    if neighbours := len(explanation.neighbours):
        yield ngettext(
            "%(n)d neighbouring passage of the document is shown with it.",
            "%(n)d neighbouring passages of the document are shown with it.",
            neighbours,
        ) % {"n": neighbours}


def _other_words(explanation: Explanation) -> Iterator[str]:
    """Words for what was typed that nobody typed, with who says that they mean the same: each once."""
    by: dict[Substitute, dict[str, None]] = {}
    for match in explanation.words:
        for substitute in match.substitutes:
            by.setdefault(substitute, {})[match.typed] = None
    for substitute, typed in by.items():
        origin = {
            "lexicon": _("from the lexicon of everyday words"),
            "synonym": _("from the synonyms of the editors"),
            "thesaurus": _("from the thesaurus"),
            "glossary": _("from the glossary"),
        }[substitute.origin]
        yield f"{' '.join(typed)} → {substitute.text}, {origin}."


def _ranks(explanation: Explanation) -> Iterator[Reason]:
    yield from (Reason(text=said) for said in _other_words(explanation))
    if explanation.coverage:
        yield Reason(
            text=_("Its words are %(share)d%% of what was asked; rare words count for more.")
            % {"share": _percent(explanation.coverage)}
        )
    if explanation.lexical_rank:
        text = _("Among the passages found by words it is number %(rank)d.") % {"rank": explanation.lexical_rank}
        yield Reason(text=text, figure=_("BM25 %(score)s") % {"score": decimal(explanation.lexical_score, 2)})
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
    figure = _("similarity %(score)s") % {"score": decimal(explanation.similarity, 2)}
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
        yield Reason(text=method, figure=_("result %(score)s") % {"score": decimal(explanation.fusion_score, 3)})
    if explanation.reranker_score is not None:
        figure = _("score %(score)s") % {"score": decimal(explanation.reranker_score, 2)}
        yield Reason(text=_reranked(explanation.reranker), figure=figure)
    for boost in explanation.boosts:
        yield Reason(text=f"{boost.reason}.", figure=("+" if boost.value >= 0 else "−") + decimal(abs(boost.value), 2))


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
    yield from (Reason(text=said) for said in _with_others(explanation))


def _percent(share: float) -> int:
    return round(share * 100)


def decimal(value: float | None, places: int) -> str:
    """Rounded, which `number_format` does not do, with the decimal sign of the reader's language."""
    return number_format(round(value or 0.0, places), places)
