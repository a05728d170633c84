"""A case's way through the product: from the `input` of a recording to what the step makes of the model's reply."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rag.answering.research.sufficiency import Sufficiency, judge_sufficiency
from rag.answering.synthesis.citations import CitationParser
from rag.answering.synthesis.compact import CompactSynthesizer
from rag.answering.synthesis.protocol import Synthesis, Synthesizer
from rag.answering.synthesis.refine import RefineSynthesizer
from rag.answering.synthesis.tree import TreeSynthesizer
from rag.answering.verification import Verified, Verifier
from rag.answering.verification.critique import Critique, critique
from rag.evaluation.answers.judge import AnswerJudge, JudgeOpinion
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.insight.communities.extracts import Cited
from rag.insight.communities.model_summary import write_summary
from rag.llm.protocol import LanguageModel
from rag.question import Turn
from rag.types import Answer, Citation, Passage
from rag.understanding.follow_up import Rewritten, stand_alone
from rag.understanding.meaning.together import transformations
from rag.understanding.meaning.translation import Translation
from rag.understanding.meaning.variants import Variant

Input = Mapping[str, Any]
PATIENCE = 1500.0
"""Seconds for a reply: one that is being recorded may be written by hand."""
SAMPLE = Path(__file__).parents[4] / "fixtures" / "urzad"


def passages_of(input_: Input) -> list[Passage]:
    """The input's documents, each whole, as a small document is read."""
    return [_passage(number, name) for number, name in enumerate(input_["documents"], start=1)]


def _passage(number: int, name: str) -> Passage:
    text = (SAMPLE / name).read_text(encoding="utf-8").strip()
    return Passage(
        chunk_id=number,
        document_id=number,
        collection="urzad",
        title=text.partition("\n")[0].lstrip("# "),
        uri=name,
        media_type="text/markdown",
        text=text,
        start=0,
        end=len(text),
        line_start=1,
        line_end=text.count("\n") + 1,
    )


def transform(name: str, input_: Input, llm: LanguageModel) -> tuple[Variant, ...]:
    return transformations([name], llm)[0].transform(input_["question"], timeout=PATIENCE).variants


def translate(input_: Input, llm: LanguageModel) -> tuple[Variant, ...]:
    return Translation(llm, into="pl").transform(input_["question"], timeout=PATIENCE).variants


def rewrite(input_: Input, llm: LanguageModel) -> Rewritten:
    turns = [Turn(question=question, answer=answer) for question, answer in input_["history"]]
    return stand_alone(input_["question"], turns, language="pl", llm=llm, timeout=PATIENCE)


def answer(make: Callable[..., Synthesizer], input_: Input, llm: LanguageModel) -> Synthesis:
    draft = make(llm=llm).synthesize(input_["question"], passages_of(input_), language=input_.get("language", "pl"))
    for _piece in draft:
        pass
    return draft.result


def criticise(input_: Input, llm: LanguageModel) -> Critique:
    return critique(input_["question"], input_["draft"], language="pl", llm=llm, timeout=PATIENCE)


def judge_enough(input_: Input, llm: LanguageModel) -> Sufficiency:
    question, searched = input_["question"], input_.get("searched", ())
    passages = passages_of(input_)
    return judge_sufficiency(question, passages, [question, *searched], language="pl", llm=llm, timeout=PATIENCE)


def verify(input_: Input, llm: LanguageModel) -> Verified:
    passages = passages_of(input_)
    parser = CitationParser(passages)
    pieces = [*parser.feed(input_["draft"]), *parser.finish()]
    citations: Sequence[Citation] = [piece for piece in pieces if isinstance(piece, Citation)]
    verifier = Verifier(llm=llm, timeout=PATIENCE)
    language = input_.get("language", "pl")
    return verifier.verify(input_["question"], input_["draft"], citations, passages, language=language)


def judge(input_: Input, llm: LanguageModel) -> JudgeOpinion:
    question = LabelledQuestion(id="1", question=input_["question"], expected_answer=input_["expected"])
    passages = tuple(passages_of(input_))
    given = Answer(question=input_["question"], text=input_["draft"], outcome="answered", passages=passages)
    return AnswerJudge(llm, timeout=PATIENCE).judge(question, given)


def summarise(input_: Input, llm: LanguageModel) -> list[Cited]:
    return write_summary(input_["label"], passages_of(input_), language="pl", llm=llm, timeout=PATIENCE)


_ANSWER = ("answer", "sources")
STEPS: Mapping[str, tuple[Sequence[str], Callable[[Input, LanguageModel], Any]]] = {
    **{name: ((name, "question"), partial(transform, name)) for name in ("multi_query", "hyde", "decomposition")},
    "translate": (("translate", "question"), translate),
    "rewrite": (("rewrite", "follow_up"), rewrite),
    "answer": (_ANSWER, partial(answer, CompactSynthesizer)),
    "refine": ((*_ANSWER, "refine"), partial(answer, partial(RefineSynthesizer, source_tokens=1000))),
    "summary": ((*_ANSWER, "summary"), partial(answer, partial(TreeSynthesizer, seconds=PATIENCE))),
    "critique": (("critique", "draft"), criticise),
    "sufficiency": (("sufficiency", "gathered"), judge_enough),
    "verify": (("verify",), verify),
    "judge": (("judge", "judged"), judge),
    "community": (("community",), summarise),
}
"""By prompt: all templates that its step fills in, and the step."""
