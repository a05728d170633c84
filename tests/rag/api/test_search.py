import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from ingestion.models import Document
from rag.api.passages import SearchResultSerializer
from rag.types import Explanation, Passage, SearchResult, WordMatch, as_json
from tests.ingestion.api.library import VISIBLE, Library, every_viewer, ready_document

QUERY = "urlop wypoczynkowy"


def post(client: Client, address: str = "/api/search", **body: object):  # type: ignore[no-untyped-def]
    return client.post(address, body, content_type="application/json")


@every_viewer
def test_passages_come_only_from_collections_the_viewer_may_read(library: Library, viewer: str) -> None:
    result = library.client(viewer).get("/api/search", {"query": QUERY, "top_k": 100}).json()
    assert {passage["collection"] for passage in result["passages"]} == VISIBLE[viewer]
    assert result["chunks_total"] == len(VISIBLE[viewer])


def test_editors_search_like_readers(library: Library) -> None:
    result = library.client("editor").get("/api/search", {"query": QUERY}).json()
    assert {passage["collection"] for passage in result["passages"]} == {"public", "internal"}


def test_get_and_post_find_the_same(library: Library) -> None:
    client = library.client("superuser")
    got = client.get("/api/search", {"query": QUERY, "collections": ["public", "internal"], "top_k": 5}).json()
    posted = post(client, query=QUERY, top_k=5, filters={"collections": ["public", "internal"]}).json()
    assert [p["chunk_id"] for p in got["passages"]] == [p["chunk_id"] for p in posted["passages"]]
    assert {p["collection"] for p in got["passages"]} == {"public", "internal"}


def test_a_passage_says_why_it_is_there(library: Library) -> None:
    passage = post(library.client("anonymous"), query="urlopu").json()["passages"][0]
    assert passage["explanation"]["lexical_rank"] == 1
    assert passage["explanation"]["words"][0]["typed"] == "urlopu"


def test_expired_documents_are_found_only_on_request(library: Library) -> None:
    document = ready_document(library.collections["public"], "Dawny cennik parkowania.\n", "cennik.md")
    Document.objects.filter(pk=document.pk).update(valid_to="2020-01-01")

    def found(**filters: object) -> bool:
        result = post(library.client("anonymous"), query="cennik parkowania", filters=filters).json()
        return document.pk in {passage["document_id"] for passage in result["passages"]}

    assert not found()
    assert found(include_expired=True)
    assert found(valid_on="2019-05-01")


def test_a_flag_in_the_address_is_read_as_one(library: Library) -> None:
    Document.objects.update(valid_to="2020-01-01")
    client = library.client("anonymous")
    assert not client.get("/api/search?query=urlop").json()["passages"]
    assert client.get("/api/search?query=urlop&include_expired=true").json()["passages"]


@pytest.mark.parametrize("top_k", [0, 101])
def test_top_k_is_1_to_100(library: Library, top_k: int) -> None:
    response = post(library.client("anonymous"), query=QUERY, top_k=top_k)
    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "top_k"


def test_an_unknown_filter_is_refused_and_the_known_ones_are_named(library: Library) -> None:
    response = post(library.client("anonymous"), query=QUERY, filters={"colour": "red"})
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_filter"
    assert "media_types" in response.json()["remedy"]


def test_a_blank_query_is_refused(library: Library) -> None:
    assert post(library.client("anonymous"), query="   ").status_code == 400


def test_searching_too_often_is_throttled(
    library: Library, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rest_framework.throttling import ScopedRateThrottle

    cache.clear()
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"search": "1/min", "ask": "1/min"})
    client = library.client("anonymous")
    assert post(client, query=QUERY).status_code == 200
    refused = post(client, query=QUERY)
    assert refused.status_code == 429
    assert refused.json()["retryable"] is True
    assert int(refused.headers["Retry-After"]) > 0
    cache.clear()


def test_the_json_shape_is_the_shape_of_the_stream() -> None:
    """Integrators who switch from JSON to events find the same members."""
    words = (WordMatch(typed="a", lemma="a", forms=("a",), contribution=1.0),)
    passage = Passage(
        chunk_id=1, document_id=1, collection="c", title="t", uri="u", media_type="m", text="x", start=0,
        end=1, line_start=1, line_end=1, explanation=Explanation(words=words),
    )  # fmt: skip
    result = SearchResult(passages=(passage,), latency={"lexical": 0.5})
    assert SearchResultSerializer(result).data == as_json(result)
