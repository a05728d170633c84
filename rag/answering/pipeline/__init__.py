"""A question's way to its answer, as a stream of events: gather, judge, write, verify, conclude."""

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from django.utils import translation
from django.utils.translation import gettext as _

from knowledgetree.conf import RAGSettings
from knowledgetree.postgres.connections import release_connections
from rag.answering.context.section_reader import SectionReader
from rag.answering.correction.merging import merged
from rag.answering.judgement.judge import Judge
from rag.answering.pipeline.checking import Gaps, doubts
from rag.answering.pipeline.conclusion import Conclusion
from rag.answering.pipeline.holding import Held
from rag.answering.pipeline.parts import checking_of, corrected_search, gathering_of, plain_search
from rag.answering.pipeline.writing import Writing, Written, told_again
from rag.answering.steps import StepLog
from rag.answering.synthesis.choice import reading_characters, synthesizer_for
from rag.events import AnswerDelta, Completed, DraftRevised, Event, Noticed
from rag.llm import model_for
from rag.llm.spending.price_list import current_prices
from rag.llm.spending.prices import costs
from rag.presets import Preset
from rag.question import Evidence, Question, reworded
from rag.search.query.definitions import definitions_of
from rag.search.query.other_words import other_words
from rag.search.related.documents import related_documents
from rag.search.results_cache import expanded_query
from rag.types import Notice, Tokens, Verification
from rag.understanding.language import spoken_with

__all__ = ["Pipeline"]

# Steps that are counted by themselves, and as which of LLM_STEPS a model is asked; the rest go to the fast one.
_ASKED_AS = {"withdrawn": "answer", "translation": "rewriting", "critique": "verification", "web_search": "tools"}


class Pipeline:
    """Built from a preset, whose parts it calls one after another."""

    def __init__(self, preset: Preset, settings: RAGSettings) -> None:
        self._preset = preset
        self._settings = settings
        self._search = corrected_search(preset, settings)
        self._reading = SectionReader(settings, characters=reading_characters(preset, settings.llm))
        self._lookup = plain_search(preset, settings)
        self._gathering = gathering_of(
            preset, settings, search=self._search, lookup=self._lookup, reading=self._reading
        )
        self._checking = checking_of(preset, settings)
        self._judge = Judge(preset=preset, result_seconds=settings.caches.result_seconds)

    def run(
        self, question: Question, steps: StepLog | None = None, *, spent: Mapping[str, Tokens] = MappingProxyType({})
    ) -> Iterator[Event]:
        """Events from the first StepChanged to Completed. Closing the iterator ends the request to the model.

        `spent`: what understanding the question has cost, by step.
        """
        steps, started = steps or StepLog(), time.perf_counter()
        for notice in question.notices:
            yield Noticed(notice=notice)
        question = self._explained(question)
        evidence = _counting((yield from self._gathering.gather(question, steps)), question)
        end = Conclusion(
            question=question,
            evidence=evidence,
            steps=steps,
            started=started,
            spent=spent,
            preset=self._preset.name,
            model_of=self._model_of,
            costs=self._costs,
            result_seconds=self._settings.caches.result_seconds,
        )
        if not question.synthesize:
            yield Completed(answer=end.passages_only())
        elif self._is_hopeless(evidence):
            yield from _not_found(end, Written())
        else:
            yield from self._answered(end)

    def _explained(self, question: Question) -> Question:
        """With what the search takes its words for, and what the glossary says about them."""
        seconds = self._settings.caches.result_seconds
        query = expanded_query(question.text, question.collections, seconds=seconds, clearance=question.clearance)
        definitions = definitions_of(query.terms, question.collections) if self._preset.glossary else ()
        spelt = query.spelt(question.text)
        known = replace(question.background, definitions=definitions, others=other_words(query), spelt=spelt)
        return replace(question, background=known)

    def _answered(self, end: Conclusion) -> Iterator[Event]:
        end = replace(end, evidence=(yield from self._reading.read(end.question, end.evidence)))
        if not self._asks_model:
            held = Held()
            written = yield from held.back(self._write(end))
            yield from self._judged(end, written, held)
            return
        written = yield from self._write(end)
        if not written.synthesis.found and written.synthesizer != "extractive":
            end, written = yield from self._in_other_words(end, written)
        gaps = yield from self._checking.gaps(end.question, written.synthesis, end.steps)
        end = end.having_spent(critique=gaps.usage)
        if gaps.queries:
            end, written = yield from self._completed(end, written, gaps)
        end = end.having_spent(withdrawn=written.withdrawn)
        if written.synthesizer == "extractive":
            yield from self._judged(end, written, Held())
            return
        if not written.synthesis.found:
            yield from _not_found(end, written)
            return
        checked = yield from self._checking.verify(end.question, end.evidence, written.synthesis, end.steps)
        end = end.having_spent(verification=checked.usage)
        yield from self._concluded(end, written, checked.verification, doubts(checked.verification))

    def _judged(self, end: Conclusion, written: Written, held: Held) -> Iterator[Event]:
        """What rules wrote, as what it is worth; `held` has what the reader has not seen of it yet."""
        if not written.synthesis.found:
            yield from _not_found(end, written)
            return
        checked = yield from self._checking.verify(end.question, end.evidence, written.synthesis, end.steps)
        end = end.having_spent(verification=checked.usage)
        judged = self._judge.judged(end.question, end.evidence, written.synthesis, checked.verification)
        if judged.outcome == "not_found":
            yield from ([] if held.events else [DraftRevised()])
            yield from _not_found(end, written)
        elif judged.outcome == "not_certain":
            yield from _not_certain(end, written, judged.verification, held)
        else:
            yield from held.events
            yield from self._concluded(end, written, judged.verification, ())

    def _concluded(
        self, end: Conclusion, written: Written, verification: Verification, told: Sequence[Notice]
    ) -> Iterator[Event]:
        told = (*told, *_cut_short(end.evidence))
        for notice in told:
            yield Noticed(notice=notice)
        written = replace(written, notices=(*written.notices, *told))
        related = related_documents(end.question, written.synthesis.citations, most=self._preset.related)
        yield Completed(answer=end.answered(written, verification=verification, related=related))

    def _in_other_words(self, end: Conclusion, refused: Written) -> Generator[Event, None, tuple[Conclusion, Written]]:
        """What the model says once other words have been searched; `refused` where they find nothing new."""
        evidence = yield from self._search.reword(end.question, end.evidence, end.steps)
        if evidence is end.evidence:
            return end, refused
        evidence = yield from self._reading.read(end.question, _counting(evidence, end.question))
        end = replace(end, evidence=evidence)
        return end, (yield from self._write(end)).instead_of(refused)

    def _completed(
        self, end: Conclusion, draft: Written, gaps: Gaps
    ) -> Generator[Event, None, tuple[Conclusion, Written]]:
        """What the model writes once its gaps were searched for; the draft where it then refuses to answer at all."""
        fuller = yield from self._with_more_evidence(end, gaps)
        yield DraftRevised()
        written = yield from self._write(fuller)
        if written.synthesis.found:
            return fuller, written.instead_of(draft)
        yield DraftRevised()
        yield from told_again(draft.synthesis)
        return end, draft.instead_of(written)

    def _with_more_evidence(self, end: Conclusion, gaps: Gaps) -> Generator[Event, None, Conclusion]:
        parts = [end.evidence]
        for query in gaps.queries:
            parts.append((yield from self._lookup.gather(reworded(end.question, query), end.steps)))
        evidence = merged(parts, limit=end.question.top_k)
        return replace(end, evidence=(yield from self._reading.read(end.question, evidence)))

    def _write(self, end: Conclusion) -> Generator[Event, None, Written]:
        synthesizer = synthesizer_for(self._preset, self._settings.llm, max_tokens=end.question.max_tokens)
        begun = end.steps.begin("synthesis", _("Writing the answer from the passages found."))
        yield begun
        release_connections()
        written = yield from Writing(synthesizer, name=self._preset.synthesizer).write(end.question, end.evidence)
        yield end.steps.end(begun, sources=[citation.title for citation in written.synthesis.citations])
        if written.synthesis.truncated:
            cut = Notice(code="truncated", message=_("The answer reached its limit of length and was cut."))
            yield Noticed(notice=cut)
            written = replace(written, notices=(*written.notices, cut))
        return written

    def _costs(self, usage: Mapping[str, Tokens]) -> Mapping[str, float]:
        return costs(usage, model_of=self._model_of, prices=current_prices())

    def _model_of(self, step: str) -> str:
        own, asked = self._preset.model, _ASKED_AS.get(step, step)
        return own if own and asked == "answer" else model_for(self._settings.llm, asked)

    def _is_hopeless(self, evidence: Evidence) -> bool:
        """Nothing but an empty search keeps what was found from a model; without one it must promise something."""
        least = 0.0 if self._asks_model else self._preset.min_relevance
        return all(passage.relevance < least for passage in evidence.result.passages)

    @property
    def _asks_model(self) -> bool:
        return reading_characters(self._preset, self._settings.llm) > 0


def _counting(evidence: Evidence, question: Question) -> Evidence:
    """Without the passages that the asker does not want to count."""
    result = evidence.result
    passages = tuple(passage for passage in result.passages if passage.relevance >= question.min_relevance)
    return replace(evidence, result=replace(result, passages=passages))


def _not_certain(end: Conclusion, written: Written, verification: Verification, held: Held) -> Iterator[Event]:
    """What was written, under the sentence that says what it is worth."""
    with translation.override(spoken_with(end.question.language)):
        said = _("It is not certain that the sources answer this question. These sentences come nearest:") + "\n\n"
    text = said + written.synthesis.text
    if held.events:
        yield AnswerDelta(text=said)
        yield from held.events
    else:
        yield DraftRevised()
        yield AnswerDelta(text=text)
    written = replace(written, synthesis=replace(written.synthesis, text=text))
    yield Completed(answer=end.not_certain(written, verification=verification))


def _not_found(end: Conclusion, written: Written) -> Iterator[Event]:
    """Says so, in the question's language if we speak it, with no citation; the nearest passages stay in the answer."""
    with translation.override(spoken_with(end.question.language)):
        text = _("Not found in the sources.")
    yield AnswerDelta(text=text)
    synthesis = replace(written.synthesis, text=text, citations=())
    yield Completed(answer=end.not_found(replace(written, synthesis=synthesis)))


def _cut_short(evidence: Evidence) -> tuple[Notice, ...]:
    if not evidence.cut_short:
        return ()
    message = _("The time for this question was over before everything could be looked up.")
    return (Notice(code="cut_short", message=message),)
