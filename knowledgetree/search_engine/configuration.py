"""The settings of the search engine."""

from dataclasses import dataclass, field

from django.core.exceptions import ImproperlyConfigured

POSTGRES, QDRANT = BACKENDS = ("postgres", "qdrant")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEngineSettings:
    """Where searches look for the chunks that PostgreSQL then scores: `backend`, one of BACKENDS. Qdrant is at `url`.

    A search waits `seconds` for it, whoever writes to it `write_seconds`. The names of its collections begin with
    `prefix`, so that several installations can share it. A new generation has so many `shards`, each so many times
    (`replicas`); `on_disk`: vectors and words are read from the disk instead of memory.
    """

    backend: str = POSTGRES
    url: str = ""
    api_key: str = field(default="", repr=False)
    prefix: str = "knowledgetree"
    seconds: float = 2.0
    write_seconds: float = 60.0
    shards: int = 1
    replicas: int = 1
    on_disk: bool = False

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            known = ", ".join(BACKENDS)
            raise ImproperlyConfigured(f"SEARCH_ENGINE={self.backend!r} is not known; known: {known}.")
        if self.backend == QDRANT and not self.url:
            raise ImproperlyConfigured("SEARCH_ENGINE=qdrant needs QDRANT_URL, such as http://qdrant.example:6333.")
