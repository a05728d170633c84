"""`settings.RAG` as frozen dataclasses. A key that is not declared here raises ImproperlyConfigured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

from knowledgetree.credentials import Credential, SourceSecret
from knowledgetree.language_models import LLMSettings
from knowledgetree.search_engine.configuration import SearchEngineSettings

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentSettings:
    backend: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkingSettings:
    """Sizes are in estimated model tokens (see `ingestion.text.token_size`).

    `chunker` names the component of the family "chunkers"; `collections` has others for single collections, by slug.
    """

    chunker: str = "adaptive"
    collections: Mapping[str, str] = field(default_factory=dict, hash=False)
    chunk_size: int = 512
    overlap: int = 50
    context_sentences: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestionSettings:
    """`entity_model`: an installed spaCy pipeline whose names join those found by rules, such as `pl_core_news_md`.
    `folders`: below these, absolute paths, folders of the server may be sources; `feed_keys` and
    `source_secrets` by the names that sources give. `sync_slice_seconds`: after so long a synchronisation gives other
    jobs their turn.

    A file is read in a process of its own, `parse_seconds` at most without a sign of progress, such as a page, and
    `parse_total_seconds` in all, with `parse_memory_mb` of data. A job that indexes may last `index_seconds`.
    A job whose workers died is taken up `max_attempts` times. One that failed for a reason that may pass waits
    `retry_seconds`, twice as long every further time, up to an hour, and fails for good the time after `max_retries`.
    Of each document `kept_versions` are kept beside the current one.
    PDF files are read by `second_pdf_extractor` too, where it is named, in the collections `second_extraction_in`
    (slugs; none: in all).
    At most `collection_concurrency` documents of a collection are indexed at once; 0: as many as there are workers.
    """

    entity_model: str = ""
    folders: Sequence[str] = ()
    feed_keys: Mapping[str, Credential] = field(default_factory=dict, hash=False)
    source_secrets: Mapping[str, SourceSecret] = field(default_factory=dict, hash=False)
    second_pdf_extractor: str = ""
    second_extraction_in: Sequence[str] = ()
    sync_slice_seconds: float = 600.0
    max_bytes: int = 50_000_000
    max_characters: int = 20_000_000
    max_attempts: int = 3
    stale_seconds: int = 60
    parse_seconds: float = 120.0
    parse_total_seconds: float = 1200.0
    parse_memory_mb: int = 1024
    index_seconds: int = 1500
    retry_seconds: float = 15.0
    max_retries: int = 12
    collection_concurrency: int = 0
    kept_versions: int = 10
    chunking: ChunkingSettings = field(default_factory=ChunkingSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembeddingSettings:
    """`batch`: chunks embedded at once; a pause or a kill costs no more. `rest`: the share of its time, 0 to below 1,
    that the filling of a space leaves to searches. `slice_seconds`: after so long other jobs get their turn.
    `retry_seconds`: the first wait after a failure; it doubles up to ten minutes. `index_memory_mb`: what building the
    index may take at most; 0: a quarter of this machine's memory. `gate`: the component that measures.
    """

    batch: int = 32
    rest: float = 0.4
    slice_seconds: float = 60.0
    retry_seconds: float = 30.0
    index_memory_mb: int = 0
    gate: str = "golden_set"


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalSettings:
    """BM25 parameters (Robertson and Zaragoza 2009).

    At most some `max_postings` are scanned for a question; more frequent words are looked up for the best `pool`
    chunks.
    """

    k1: float = 1.2
    b: float = 0.75
    max_postings: int = 20_000
    pool: int = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionSettings:
    """A search is HIGH where the best passage is more relevant than `high`, MEDIUM where the best five are on average
    more than `medium`, else LOW. `web_search` names the component for LOW ones; "none": there is none.
    """

    high: float = 0.75
    medium: float = 0.50
    web_search: str = "none"
    web_seconds: float = 5.0
    web_results: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchSettings:
    """What an answer in several steps may take: seconds until its last search begins, and queries."""

    seconds: float = 10.0
    queries: int = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheSettings:
    """`result_seconds`: how long analyses and expansions are kept; 0: not at all. Answers are kept `answer_hours` and
    given again to questions with a cosine of at least `answer_similarity` to theirs; 0 hours: never.
    """

    result_seconds: float = 300.0
    answer_hours: float = 24.0
    answer_similarity: float = 0.97


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchingSettings:
    """How pages of the web are fetched. `allowed_networks` (CIDR) beside the public Internet, such as an intranet's
    "10.0.0.0/8"; `ports` of servers. `seconds` bound a whole fetch, `max_bytes` what it may come to.
    """

    allowed_networks: Sequence[str] = ()
    ports: Sequence[int] = (80, 443)
    seconds: float = 20.0
    connect_seconds: float = 5.0
    max_bytes: int = 20_000_000
    max_redirects: int = 5
    user_agent: str = ""


ADDRESSES = ("full", "shortened", "none")
QUESTIONS = ("masked", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """Entries of the audit log are kept `days`; 0: for good. `addresses`: one of ADDRESSES. `questions`: one of
    QUESTIONS, "masked" with personal data covered.
    """

    days: int = 365
    addresses: str = "shortened"
    questions: str = "masked"

    def __post_init__(self) -> None:
        for name, value, known in (("addresses", self.addresses, ADDRESSES), ("questions", self.questions, QUESTIONS)):
            if value not in known:
                raise ImproperlyConfigured(f"RAG.audit.{name}: {value!r} is not known; known: {', '.join(known)}.")


EXEMPT = ("offices", "functions", "authors")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDataSettings:
    """`exempt`, of EXEMPT: addresses, telephones and mailboxes of offices, names of who holds a public function, names
    of authors are neither counted nor covered.
    """

    exempt: Sequence[str] = ()

    def __post_init__(self) -> None:
        if unknown := set(self.exempt) - set(EXEMPT):
            raise ImproperlyConfigured(
                f"RAG.personal_data.exempt: {', '.join(sorted(unknown))} is not known; known: {', '.join(EXEMPT)}."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings:
    """Where webhooks may lead beside the public Internet (`allowed_networks`, CIDR), on which `ports`. A receiver has
    `seconds` to answer. Deliveries that are over are kept `days`.
    """

    allowed_networks: Sequence[str] = ()
    ports: Sequence[int] = (80, 443)
    seconds: float = 10.0
    days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class RAGSettings:
    embedder: str = "word_vectors"
    preset: str = ""
    ingestion: IngestionSettings = field(default_factory=IngestionSettings)
    reembedding: ReembeddingSettings = field(default_factory=ReembeddingSettings)
    lexical: LexicalSettings = field(default_factory=LexicalSettings)
    search_engine: SearchEngineSettings = field(default_factory=SearchEngineSettings)
    llm: LLMSettings = field(default_factory=LLMSettings)
    correction: CorrectionSettings = field(default_factory=CorrectionSettings)
    research: ResearchSettings = field(default_factory=ResearchSettings)
    caches: CacheSettings = field(default_factory=CacheSettings)
    fetching: FetchingSettings = field(default_factory=FetchingSettings)
    audit: AuditSettings = field(default_factory=AuditSettings)
    personal_data: PersonalDataSettings = field(default_factory=PersonalDataSettings)
    webhooks: WebhookSettings = field(default_factory=WebhookSettings)
    components: Mapping[str, Mapping[str, ComponentSettings]] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@lru_cache(maxsize=1)
def rag_settings() -> RAGSettings:
    return build(RAGSettings, dict(getattr(settings, "RAG", {})), "RAG")


def build(cls: type[T], values: Mapping[str, Any], where: str) -> T:
    """An instance of the dataclass `cls`, nested dataclasses included, from plain dictionaries."""
    known = {f.name for f in fields(cls)}  # type: ignore[arg-type]
    if unknown := sorted(set(values) - known):
        raise ImproperlyConfigured(f"{where}: unknown setting {', '.join(unknown)}; known: {', '.join(sorted(known))}.")
    hints = get_type_hints(cls)
    arguments = {name: _built(hints[name], value, f"{where}.{name}") for name, value in values.items()}
    try:
        return cls(**arguments)
    except TypeError as error:
        raise ImproperlyConfigured(f"{where}: {error}") from error


def _built(hint: Any, value: Any, where: str) -> Any:
    """`value` as the dataclass `hint`, or a mapping to such; anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    if get_origin(hint) is UnionType:
        hint = next(filter(is_dataclass, get_args(hint)), hint)
    if is_dataclass(hint):
        return build(hint, value, where)  # type: ignore[arg-type]
    if get_origin(hint) is Mapping:
        return {key: _built(get_args(hint)[1], one, f"{where}.{key}") for key, one in value.items()}
    return value


def _forget(*, setting: str, **_: Any) -> None:
    if setting == "RAG":
        rag_settings.cache_clear()


setting_changed.connect(_forget)
