"""An answer, fresh or stored, as the page shows it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from rag.answering.claims import MARKER
from rag.answering.verification.assurance import Assurance, assurance
from rag.chat.answering.costs import cost_in_words
from rag.chat.answering.nearest import NOTHING_NEAR, SHOWN, NearestFound
from rag.chat.answering.sources import ShownSource, SourceGroup, by_document, cited_source, near_source
from rag.chat.rendering.markdown import answer_html
from rag.chat.rendering.sentinels import PAGE_END, PAGE_START
from rag.models import Feedback
from rag.selectors import ShownExchange
from rag.types import (
    Answer,
    Citation,
    NearSection,
    RelatedDocument,
    SearchedWord,
    as_json,
    found_at,
    place_of,
)
from rag.understanding.language import question_in, question_language

_CHIP = re.compile(f"( ?){PAGE_START}(\\d+){PAGE_END}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownChecks:
    """What the reader should know of the verification; members as in `rag.types.Verification`, fresh or stored."""

    contradictions: tuple[Any, ...] = ()
    doubtful: tuple[Any, ...] = ()
    unchecked: int = 0
    """How many sentences are in another language than their source, and compared by numbers, dates and names alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAnswer:
    """A question with its answer as safe HTML; `hidden` says that its sources may no longer be read."""

    question: str
    html: SafeString
    outcome: str
    id: str = ""
    hidden: bool = False
    sources: tuple[ShownSource, ...] = ()
    nearest: tuple[ShownSource, ...] = ()
    corrections: tuple[Mapping[str, str], ...] = ()
    definitions: tuple[Any, ...] = ()
    related: tuple[RelatedDocument, ...] = ()
    notices: tuple[Any, ...] = ()
    """Members as in `rag.types.Notice`, fresh or stored."""
    uncited_claims: tuple[str, ...] = ()
    searched: str = ""
    language: str = "pl"
    confidence: float = 0.0
    checked: ShownChecks = field(default_factory=ShownChecks)
    steps: tuple[Any, ...] = ()
    topics: tuple[str, ...] = ()
    """What may be asked next."""
    words: tuple[SearchedWord, ...] = ()
    """What was looked for; with `sections`, the nearest ones, where the answer is none."""
    sections: tuple[NearSection, ...] = ()
    feedback: Feedback | None = None
    """The reader's own judgement."""
    cost: str = ""
    """What it cost, in words; for those alone who see costs."""
    reported: bool = False
    """The reader has reported that the documents lack an answer."""

    @property
    def source_groups(self) -> tuple[SourceGroup, ...]:
        return by_document(self.sources)

    @property
    def nearest_groups(self) -> tuple[SourceGroup, ...]:
        return by_document(self.nearest)

    @property
    def assurance(self) -> Assurance | None:
        """How sure the answer is, in words; None where there is none, or none from sources."""
        return assurance(self.confidence) if self.outcome == "answered" else None

    @property
    def asked_in(self) -> str:
        """What to call a question that was searched in another language than it was asked in; else ""."""
        foreign = bool(self.searched) and self.searched_in != self.language
        return question_in(self.language) if foreign else ""

    @property
    def searched_in(self) -> str:
        """The language that was searched in, where that is not as it was asked."""
        return question_language(self.searched)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Words of the question that no searched document has."""
        return tuple(word.typed for word in self.words if not word.in_documents)

    @property
    def library_words(self) -> str:
        """What to search the library for: the words of the question as they were read."""
        return " ".join(word.read_as[0] if word.read_as else word.typed for word in self.words if " " not in word.typed)

    @property
    def as_typed(self) -> str:
        """The question with the corrected words in quotation marks, which are never corrected."""
        question = self.question
        for item in self.corrections:
            question = re.sub(rf"\b{re.escape(item['typed'])}\b", r'"\g<0>"', question, flags=re.IGNORECASE)
        return question


def fresh(answer: Answer, *, topics: tuple[str, ...] = ()) -> ShownAnswer:
    """An answer as the pipeline has just finished it, with the reasons why its passages were chosen."""
    found = found_at(answer.passages)
    asked = (answer.question, answer.searched, *(item.searched for item in answer.corrections))
    cited = {place_of(citation) for citation in answer.citations}
    uncited = [near_source(passage, *asked) for passage in answer.passages if place_of(passage) not in cited]
    return ShownAnswer(
        question=answer.question,
        html=with_chips(answer_html(answer.text), answer.citations),
        outcome=answer.outcome,
        sources=tuple(cited_source(citation, found.get(place_of(citation)), *asked) for citation in answer.citations),
        nearest=() if answer.outcome in ("answered", "direct") else tuple(uncited[:SHOWN]),
        corrections=tuple({"typed": item.typed, "searched": item.searched} for item in answer.corrections),
        definitions=answer.definitions,
        related=answer.related,
        notices=answer.notices,
        uncited_claims=answer.uncited_claims,
        searched=answer.searched,
        language=answer.language,
        confidence=answer.confidence,
        checked=_checks(as_json(answer.verification)),
        steps=answer.steps,
        topics=topics,
        words=answer.searched_words,
        sections=answer.nearest_sections,
        cost=cost_in_words(as_json(answer.metrics)),
    )


def stored(shown: ShownExchange, *, nearest: NearestFound = NOTHING_NEAR) -> ShownAnswer:
    """An exchange of a conversation as it was saved; a hidden one shows its question alone."""
    exchange = shown.exchange
    if shown.hidden:
        return ShownAnswer(
            id=str(exchange.pk),
            question=exchange.question,
            html=SafeString(),
            outcome=exchange.outcome,
            hidden=True,
        )
    asked = (exchange.question, exchange.searched, *(item["searched"] for item in exchange.corrections))
    return ShownAnswer(
        id=str(exchange.pk),
        question=exchange.question,
        html=with_chips(answer_html(exchange.answer), shown.citations),
        outcome=exchange.outcome,
        sources=tuple(cited_source(citation, shown.found.get(citation.number), *asked) for citation in shown.citations),
        nearest=tuple(near_source(passage, *asked) for passage in nearest.passages),
        corrections=tuple(exchange.corrections),
        definitions=tuple(exchange.definitions),
        related=shown.related,
        notices=tuple(exchange.notices),
        uncited_claims=tuple(exchange.uncited_claims),
        searched=exchange.searched,
        language=exchange.language,
        confidence=exchange.confidence,
        checked=_checks(exchange.verification),
        steps=tuple(exchange.steps),
        topics=tuple(exchange.topics),
        words=nearest.words,
        sections=nearest.sections,
        cost=cost_in_words(exchange.metrics),
    )


def _checks(verification: Mapping[str, Any]) -> ShownChecks:
    claims = verification.get("claims", ())
    return ShownChecks(
        unchecked=sum(claim["verdict"] == "unchecked" for claim in claims),
        contradictions=tuple(verification.get("contradictions", ())),
        doubtful=tuple(
            {**claim, "text": MARKER.sub("", claim["text"]).strip()}
            for claim in claims
            if claim["verdict"] in ("contradicted", "not_covered")
        ),
    )


def with_chips(html: str, citations: Iterable[Citation]) -> SafeString:
    """`html` of an answer with links in place of its `[n]`; a number without a citation disappears."""
    chips = {str(citation.number): _chip(citation) for citation in citations}

    def chip(match: re.Match[str]) -> str:
        space = "\u00a0" if match[1] else ""  # a chip must not begin a line alone
        return space + chips[match[2]] if match[2] in chips else ""

    return mark_safe(_CHIP.sub(chip, html))


def _chip(citation: Citation) -> SafeString:
    """A link, or plain text where the document is gone and only the snapshot is left."""
    if not citation.url:
        return format_html('<span class="chip" title="{}">{}</span>', citation.title, citation.number)
    if citation.origin == "web":
        opens = mark_safe('target="_blank" rel="noopener noreferrer nofollow"')
    else:
        opens = mark_safe("data-source")
    label = gettext("Source %(number)s: %(title)s") % {"number": citation.number, "title": citation.title}
    return format_html(
        '<a class="chip" href="{}" {} aria-label="{}" title="{}">{}</a>',
        citation.url,
        opens,
        label,
        citation.title,
        citation.number,
    )
