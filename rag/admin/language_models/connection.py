"""A connection tried as readers' questions use it: one cited answer, other wordings, a call of a tool."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from knowledgetree.language_models import LLMSettings
from rag.answering.research.tools import SEARCH
from rag.answering.synthesis.compact import CompactSynthesizer
from rag.errors import LLMError
from rag.llm import step_model
from rag.llm.capabilities import capability_words
from rag.llm.prompts import render
from rag.llm.protocol import LanguageModel
from rag.llm.spending.meter import spending_for
from rag.types import Passage, Tokens
from rag.understanding.meaning.together import MultiQuery

_SECONDS = 30.0  # that each part may take: whoever has pressed the button waits
_TITLE = "Regulamin urlopów"
_TEXT = "Pracownikowi przysługuje 20 dni urlopu wypoczynkowego, a po dziesięciu latach zatrudnienia 26 dni."
_QUESTION = "Ile dni urlopu przysługuje po dziesięciu latach pracy?"
_ANSWER = "26"
_WHOLE_ANSWER = 400  # tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedPart:
    """What was tried and how it went: `well` None, where only a convenience is missing. `seconds` it took."""

    name: str
    well: bool | None
    said: str
    remedy: str = ""
    model: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    well: bool | None
    said: str
    remedy: str = ""


def try_connection(settings: LLMSettings) -> Iterator[TriedPart]:
    """Each part as soon as it is known; where not even an answer comes, nothing else is asked.

    What goes wrong is a part that is not well, in words that do not have the key.
    """
    # A server of its own for the count of failures: one that was given up a moment ago is asked all the same.
    patient = replace(settings, timeout=min(settings.timeout, _SECONDS), max_retries=0, breaker_failures=1000)
    parts: tuple[tuple[str, str, Callable[[LanguageModel], _Outcome]], ...] = (
        (_("An answer with its source"), "answer", _answer),
        (_("Other wordings of a question"), "expansion", _wordings),
        (_("Calling tools"), "tools", _tools),
    )
    for name, step, act in parts:
        with spending_for():
            part = _tried(name, step_model(patient, step), act)
        yield part
        if part.well is False:
            return
    yield from _known(step_model(patient, "answer"))


def _known(llm: LanguageModel | None) -> Iterator[TriedPart]:
    """What these parts have shown of the server."""
    if llm and (known := capability_words(llm.capabilities)):
        yield TriedPart(name=_("What the server can do"), well=True, said="; ".join(known), model=llm.name)


def _tried(name: str, llm: LanguageModel | None, act: Callable[[LanguageModel], _Outcome]) -> TriedPart:
    if llm is None:
        return TriedPart(
            name=name,
            well=False,
            said=_("There is neither a key nor the address of a server."),
            remedy=_("Enter the key of the provider, or the address of a server of your own."),
        )
    started = time.monotonic()
    try:
        outcome = act(llm)
    except LLMError as error:
        outcome = _Outcome(well=False, said=str(error.message), remedy=remedy_for(error))
    return TriedPart(
        name=name,
        well=outcome.well,
        said=outcome.said,
        remedy=outcome.remedy,
        model=llm.name,
        seconds=time.monotonic() - started,
    )


def _answer(llm: LanguageModel) -> _Outcome:
    draft = CompactSynthesizer(llm=llm, max_tokens=_WHOLE_ANSWER).synthesize(_QUESTION, [_passage()], language="pl")
    for _piece in draft:
        pass
    written = draft.result
    if not written.found or not written.citations:
        return _Outcome(
            well=False,
            said=_("It answered, but without a source: “%(text)s”") % {"text": written.text[:200] or "–"},
            remedy=_("Choose a larger model: this one does not keep to the rules of an answer."),
        )
    words = {"question": _QUESTION, "answer": written.text[:200], "used": _used(written.usage)}
    if _ANSWER not in written.text:
        return _Outcome(
            well=None,
            said=_("To “%(question)s” it answered: “%(answer)s” %(used)s") % words,
            remedy=_("The source says 26 days. Choose a larger model, or check its answers."),
        )
    return _Outcome(well=True, said=_("To “%(question)s” it answered: “%(answer)s” %(used)s") % words)


def _used(usage: Tokens) -> str:
    if not usage.total:
        return _("The server does not say how many tokens it used: costs and budgets will not count them.")
    return _("Tokens: %(input)d read, %(output)d written.") % {"input": usage.input, "output": usage.output}


def _wordings(llm: LanguageModel) -> _Outcome:
    try:
        made = MultiQuery(llm).transform(_QUESTION, timeout=_SECONDS)
    except LLMError as error:
        return _Outcome(
            well=None,
            said=_("No reply in the form that was asked for: %(message)s") % {"message": error.message},
            remedy=_("Rules will word questions and check answers instead. A larger fast model may do better."),
        )
    return _Outcome(well=True, said="; ".join(variant.text for variant in made.variants) or _("It had none."))


def _tools(llm: LanguageModel) -> _Outcome:
    task = render("research_task", "pl", question="Ile wynosi ekwiwalent za urlop?", passages=_TEXT)
    missing = _("Research in several steps (“agentic”) goes by a plan instead. Nothing else needs tools.")
    try:
        turn = llm.converse(
            system=render("research", "pl"), messages=[task], tools=[SEARCH], max_tokens=_WHOLE_ANSWER, timeout=_SECONDS
        )
    except LLMError as error:
        return _Outcome(well=None, said=str(error.message), remedy=missing)
    if not turn.calls:
        return _Outcome(well=None, said=_("The model called none."), remedy=missing)
    return _Outcome(well=True, said=", ".join(str(call.arguments.get("query", call.name)) for call in turn.calls))


def remedy_for(error: LLMError) -> str:
    """What whoever sets the server up should look at, by what the server said."""
    status = getattr(error.__cause__, "status_code", 0)
    remedies = {
        401: _("The key was refused. Copy it again from the provider's page, and mind which server it is for."),
        402: _("The account has no credit: top it up on the provider's page."),
        403: _("The key may not use this model. Check its permissions on the provider's page."),
        404: _("Neither address nor model is known there: check both. Chat Completions addresses often end in /v1."),
        429: _("The provider's limit is reached. Wait, or raise it on the provider's page."),
    }
    if status in remedies:
        return remedies[status]
    if not status:
        return _("Check the address and whether the server is running and can be reached from here.")
    return str(error.remedy)


def _passage() -> Passage:
    return Passage(
        chunk_id=1,
        document_id=1,
        collection="",
        title=_TITLE,
        uri="",
        media_type="text/plain",
        text=_TEXT,
        start=0,
        end=len(_TEXT),
        line_start=1,
        line_end=1,
        relevance=1.0,
    )
