"""An answer with everything it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rag.types.lookups import NearSection, SearchedWord
from rag.types.passages import Passage
from rag.types.searching import Correction, QuestionAnalysis, Tokens, TraceEntry
from rag.types.steps import Step
from rag.types.verification import Quality, Verification

Outcome = Literal["answered", "not_certain", "not_found", "passages_only", "direct"]
"""`not_certain`: the nearest passages, which nobody vouches for as an answer; only where no language model read them.
`direct`: said without looking anything up, such as the answer to a greeting.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """`[number]` in the answer: the exact `quote`, characters [start, end) of its document's text.

    It is a snapshot: it stays true to what was shown even when the document is chunked anew. `url` opens the document
    with the quote marked.
    """

    number: int
    chunk_id: int
    document_id: int
    title: str
    uri: str
    quote: str
    start: int
    end: int
    line_start: int
    line_end: int
    page_start: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    score: float = 0.0
    url: str = ""
    origin: Literal["document", "web"] = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What the glossary says about a word of the question. `collection` is the identifier of the one whose glossary it
    is, "" for that of all.
    """

    term: str
    definition: str
    collection: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedDocument:
    """A document that belongs to the sources of an answer and is none of them.

    `collection` is the identifier, `names` are those that it shares with what is cited, the most telling first; `near`:
    it says something near to it, in the embedding space. `url` opens the document.
    """

    document_id: int
    title: str
    collection: str
    collection_name: str
    names: tuple[str, ...] = ()
    near: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something the reader should know about the answer; `message` is in the reader's language. `url` asks what the
    `link` says, where there is something to ask instead.
    """

    code: str
    message: str
    link: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """`latency` in milliseconds per stage; `cost` in US dollars; chunks searched, retrieved and used in the answer.

    `usage` are the tokens of the language models by step, `tokens` all together; `models` and `costs` name the model
    of each step and its share of `cost`; `unpriced` are the models without a price, which `cost` leaves out.
    `corrected`: the search was repeated or widened because its first result was poor; `web_fallback`: to the web.
    `lexical_hits`: how many of the passages retrieved a word of the question found. `cache`: "" or the name of the
    cache that had the answer.
    """

    latency: Mapping[str, float] = field(default_factory=dict)
    tokens: Tokens = field(default_factory=Tokens)
    usage: Mapping[str, Tokens] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    costs: Mapping[str, float] = field(default_factory=dict)
    cost: float = 0.0
    unpriced: tuple[str, ...] = ()
    corrected: bool = False
    web_fallback: bool = False
    cache: str = ""
    chunks_total: int = 0
    chunks_retrieved: int = 0
    chunks_used: int = 0
    lexical_hits: int = 0
    preset: str = ""
    model: str = ""
    trace: tuple[TraceEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The whole result of a question. `text` carries `[n]` after each claim; citations are in order of n.

    `searched` is the question as it was understood, where a follow-up was worded anew, else "". `quality` is that of
    the passages found; "" where nothing was searched. `searched_words` and `nearest_sections` are for readers to look
    further: there where the outcome is `not_certain` or `not_found`.
    """

    question: str
    searched: str = ""
    text: str
    outcome: Outcome
    language: str = "pl"
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    uncited_claims: tuple[str, ...] = ()
    removed_citations: int = 0
    corrections: tuple[Correction, ...] = ()
    definitions: tuple[Definition, ...] = ()
    related: tuple[RelatedDocument, ...] = ()
    searched_words: tuple[SearchedWord, ...] = ()
    nearest_sections: tuple[NearSection, ...] = ()
    analysis: QuestionAnalysis = field(default_factory=QuestionAnalysis)
    notices: tuple[Notice, ...] = ()
    quality: Quality | Literal[""] = ""
    verification: Verification = field(default_factory=Verification)
    steps: tuple[Step, ...] = ()
    confidence: float = 0.0
    synthesizer: str = ""
    prompt_hash: str = ""
    metrics: Metrics = field(default_factory=Metrics)
