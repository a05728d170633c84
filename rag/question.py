"""A question as the parts that answer it receive it, and the evidence that they gather for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ingestion.models import Collection
from ingestion.selectors.clearance import Clearance
from rag.types import Definition, Filters, Notice, Passage, QuestionAnalysis, SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What was asked before in the conversation, and the answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteWords:
    """`lemmas` that, all in one place, stand for the words `typed` in the question; `weight` in (0, 1], 1 where nothing
    but a slip of the finger is between them.
    """

    typed: tuple[str, ...]
    lemmas: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What helps to understand a question and to word its answer, and is no source. To a model all of it is data.

    `history` is oldest first; `instructions` are the assistant's, written by an administrator, and bear on style alone;
    `page` is the text of the page that the reader is on, which anyone may have written; `definitions` are the
    glossary's, of words of the question; `others` what the search takes its words for, `spelt` the question as it reads
    them, with diacritics and without slips; `searched` is the question in the language of the documents, where it was
    asked in another.
    """

    history: tuple[Turn, ...] = ()
    instructions: str = ""
    page: str = ""
    definitions: tuple[Definition, ...] = ()
    others: tuple[SubstituteWords, ...] = ()
    spelt: str = ""
    searched: str = ""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` stands alone and is in the language of the documents; `typed` is what the reader wrote, `reworded` where
    that was not so. `asked` stands alone in the reader's language, "" where that is `text`.

    `language` is that of the answer; `notices` is what the reader should know of how the question was understood.
    `collections` are those of the asked ones that the viewer may read, and `clearance` opens of their documents those
    with readers of their own. Passages of less than `min_relevance` do not
    count; without a model those of less than `threshold` are not written from, but for the first ones. Without
    `synthesize` the passages are all there is. `web`: whether the assistant may search the web. `max_tokens` of the
    answer; None: those of the settings. `cancelled` says whether a newer question has taken this one's place.
    """

    text: str
    typed: str = ""
    asked: str = ""
    reworded: bool = False
    language: str
    collections: Sequence[Collection]
    filters: Filters
    top_k: int
    analysis: QuestionAnalysis = field(default_factory=QuestionAnalysis)
    threshold: float = 0.0
    min_relevance: float = 0.0
    synthesize: bool = True
    background: Background = field(default_factory=Background)
    web: bool = False
    max_tokens: int | None = None
    cancelled: Callable[[], bool] = _never
    clearance: Clearance = field(default_factory=Clearance)
    notices: tuple[Notice, ...] = ()

    @property
    def to_answer(self) -> str:
        """The words that a language model answers, in the reader's language."""
        return self.asked or self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was gathered: passages of documents and of the web, best first; `read` is what a language model is given of
    them, whole sections in the order of their documents, empty where none writes the answer.

    `corrected`: the first search did not do. `reworded`: a model's other words were searched too. `cut_short`: not all
    that was planned could be looked up.
    """

    result: SearchResult
    read: tuple[Passage, ...] = ()
    corrected: bool = False
    reworded: bool = False
    web_fallback: bool = False
    cut_short: bool = False


def reworded(question: Question, text: str) -> Question:
    """`question` in other words, which documents may have put into a model's mouth: only the reader's go to the web."""
    known = replace(question.background, spelt="")
    return replace(question, text=text, asked="", background=known, web=question.web and text == question.text)
