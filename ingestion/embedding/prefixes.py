"""What a family of models was trained to see before a query and before a passage; without it they score badly."""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    query: str = ""
    passage: str = ""


_NONE = Prefixes()
_E5 = Prefixes(query="query: ", passage="passage: ")
_SEARCHING = Prefixes(query="Represent this sentence for searching relevant passages: ")
_INSTRUCT = Prefixes(
    query="Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
)

# From the model cards. The first pattern that is found in the model's name counts, so the special stand first.
_FAMILIES: tuple[tuple[str, Prefixes], ...] = (
    (r"mmlw-retrieval-roberta.*-v2", Prefixes(query="[query]: ")),
    (r"mmlw-(retrieval-)?e5", _E5),
    (r"mmlw", Prefixes(query="zapytanie: ")),
    (r"silver-retriever", Prefixes(query="Pytanie: ")),
    (r"stella[-_]", _INSTRUCT),
    (r"e5-.*instruct", _INSTRUCT),
    (r"gte-qwen|qwen3-embedding", _INSTRUCT),
    (r"(^|[/_-])e5(-|$)", _E5),
    (r"bge-multilingual-gemma2", Prefixes(query=f"<instruct>{_INSTRUCT.query[10:-8]}\n<query>")),
    (r"bge-m3", _NONE),
    (r"bge-.*-en", _SEARCHING),
    (r"gte-|jina-embeddings-v2", _NONE),
    (
        r"jina-embeddings-v3",
        Prefixes(
            query="Represent the query for retrieving evidence documents: ",
            passage="Represent the document for retrieval: ",
        ),
    ),
    (r"nomic-embed", Prefixes(query="search_query: ", passage="search_document: ")),
    (r"snowflake-arctic-embed-.*v2", Prefixes(query="query: ")),
    (r"snowflake-arctic-embed|mxbai-embed", _SEARCHING),
    (r"embeddinggemma", Prefixes(query="task: search result | query: ", passage="title: none | text: ")),
)
_QUERY_PROMPTS = ("query", "retrieval.query", "s2p_query")
_PASSAGE_PROMPTS = ("document", "passage", "corpus", "retrieval.passage")


def prefixes_of(model: str, *, prompts: Mapping[str, str | None] | None = None) -> Prefixes:
    """Those that the model ships (`prompts` of its configuration), else its family's, else none.

    `model` is a name on the hub or the path of a folder, whose last part then tells the family.
    """
    shipped = Prefixes(query=_first(prompts or {}, _QUERY_PROMPTS), passage=_first(prompts or {}, _PASSAGE_PROMPTS))
    if shipped != _NONE:
        return shipped
    name = model.lower().rstrip("/").rpartition("/")[2]
    return next((prefixes for pattern, prefixes in _FAMILIES if re.search(pattern, name)), _NONE)


def _first(prompts: Mapping[str, str | None], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := prompts.get(name))), "")
