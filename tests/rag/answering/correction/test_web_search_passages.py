"""From results to passages that an answer can cite."""

import itertools
import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgetree.fetching import Fetcher
from rag.answering.correction.web_search import (
    WebResult,
    WebSearchFailed,
    WebSearchRejected,
    search_and_read,
    web_passages,
)
from rag.answering.correction.web_search.pages import WebPage, read_pages
from rag.answering.correction.web_search.passages import WORDS, passages_from_web, pieces
from rag.types import Passage, Tokens
from tests.web_site import Page, WebSite

ARTICLE = """<!DOCTYPE html><html><head><title>Ulgi</title></head><body>
<nav><a href="/">Start</a> <a href="/k">Kontakt</a></nav>
<article><h1>Ulga na złe długi</h1>
<p>Wierzyciel może skorygować podstawę opodatkowania, gdy wierzytelność nie została uregulowana w ciągu 90 dni od
dnia upływu terminu jej płatności. Korekta następuje w deklaracji za okres, w którym ten termin minął.</p>
<p>Dłużnik ma obowiązek skorygować odliczony podatek naliczony. Obowiązek ten nie powstaje, jeżeli uregulował on
należność najpóźniej w ostatnim dniu okresu rozliczeniowego, w którym upłynął dziewięćdziesiąty dzień.</p>
<p>Przepisy stosuje się do transakcji między podatnikami, także w postępowaniu restrukturyzacyjnym.</p></article>
<footer>Polityka prywatności</footer></body></html>"""
QUESTION = "Po ilu dniach wierzyciel może skorygować podstawę opodatkowania?"


class Engine:
    """A search engine that knows these pages."""

    def __init__(self, *results: WebResult) -> None:
        self.results = results

    def search(self, query: str, *, language: str, limit: int, seconds: float) -> tuple[list[WebResult], Tokens]:
        return list(self.results[:limit]), Tokens(input=7)


def result(url: str, text: str = "") -> WebResult:
    return WebResult(url=url, title="Ulga", text=text, published=date(2026, 3, 1))


def ask(site: WebSite, *results: WebResult, seconds: float = 5.0) -> list[Passage]:
    passages, usage = search_and_read(
        QUESTION,
        language="pl",
        search=Engine(*results),
        fetcher=Fetcher(**site.access),
        results=5,
        passages=8,
        seconds=seconds,
    )
    assert usage.input == 7
    return passages


class TestPages:
    def test_the_page_is_read_without_its_furniture(self) -> None:
        with WebSite({"/ulga": Page(ARTICLE)}) as site:
            (passage,) = ask(site, result(site.url + "/ulga", "krótki opis wierzyciela"))
        assert "w ciągu 90 dni" in passage.text.replace("\n", " ")
        assert "prywatności" not in passage.text
        assert (passage.origin, passage.chunk_id, passage.document_id, passage.collection) == ("web", 0, 0, "")
        assert (passage.title, passage.dated, passage.media_type) == ("Ulga", date(2026, 3, 1), "text/html")
        assert 0.8 < passage.relevance <= 1

    def test_after_a_redirect_the_final_address_is_cited(self) -> None:
        pages = {"/stare": Page(status=301, headers={"Location": "/nowe"}), "/nowe": Page(ARTICLE)}
        with WebSite(pages) as site:
            (passage,) = ask(site, result(site.url + "/stare"))
        assert passage.uri == site.url + "/nowe"

    @pytest.mark.parametrize(
        "page",
        [
            Page(status=404),
            Page(status=500),
            Page(b"%PDF-1.7", media_type="application/pdf"),
            Page(status=302, headers={"Location": "http://169.254.169.254/"}),
            Page("<html></html>"),
            Page("<" * 5000),
            Page(wait=3),
            Page("x" * 3_000_000),
        ],
    )
    def test_of_a_page_that_fails_the_snippet_stays(self, page: Page) -> None:
        snippet = "Wierzyciel może skorygować podstawę opodatkowania po 90 dniach."
        with WebSite({"/": page}) as site:
            (passage,) = ask(site, result(site.url + "/", snippet), seconds=1.0)
        assert (passage.text, passage.uri) == (snippet, site.url + "/")

    def test_a_page_that_fails_without_a_snippet_is_left_out(self) -> None:
        with WebSite() as site:
            assert ask(site, result(site.url + "/")) == []

    def test_the_intranet_is_not_read_whatever_the_engine_says(self) -> None:
        with WebSite({"/": Page(ARTICLE)}) as site:
            pages = read_pages([result(site.url + "/", "opis")], fetcher=Fetcher(ports=[site.port]), seconds=2)
        assert [page.text for page in pages] == ["opis"]
        assert site.requests == []

    def test_pages_are_read_at_the_same_time_and_the_late_ones_left(self) -> None:
        good = {f"/{n}": Page(ARTICLE, together=5) for n in range(4)}
        with WebSite({**good, "/wisi": Page(wait=60)}) as site:
            passages = ask(site, *(result(f"{site.url}/{n}") for n in (*range(4), "wisi")), seconds=3.0)
            assert (site.most_at_once, site.finished) == (5, 4)
        assert len(passages) == 4

    def test_without_time_left_the_snippets_are_all(self) -> None:
        pages = read_pages(
            [result("http://a.invalid/", "opis"), result("http://b.invalid/")], fetcher=Fetcher(), seconds=0
        )
        assert [page.text for page in pages] == ["opis"]


class TestScores:
    def test_the_passage_that_covers_the_question_comes_first(self) -> None:
        pages = [
            WebPage(uri="https://a.pl", title="Kalendarz", text="Wierzyciel i dłużnik spotkali się w sądzie."),
            WebPage(
                uri="https://b.pl", title="VAT", text="Wierzyciele skorygowali podstawy opodatkowania po 90 dniach."
            ),
            WebPage(uri="https://c.pl", title="Pogoda", text="Jutro będzie padać śnieg."),
        ]
        passages = passages_from_web(QUESTION, pages, limit=8)
        assert [passage.uri for passage in passages] == ["https://b.pl", "https://a.pl"]
        assert passages[0].relevance > 0.9 > 0.5 > passages[1].relevance > 0
        assert passages[0].explanation.lexical_score == passages[0].score

    def test_a_topic_that_all_pages_share_still_counts(self) -> None:
        pages = [WebPage(uri=f"https://{n}.pl", title="VAT", text="Stawka podatku VAT na książki.") for n in range(10)]
        relevance = passages_from_web("Stawka VAT na książki w Liechtensteinie?", pages, limit=1)[0].relevance
        assert 0.5 <= relevance < 0.8

    def test_no_more_than_the_limit(self) -> None:
        pages = [WebPage(uri="https://a.pl", title="x", text="Wierzyciel może. " * 5000)]
        assert len(passages_from_web(QUESTION, pages, limit=3)) == 3

    @pytest.mark.parametrize("question", ["", "?!", "i w na"])
    def test_a_question_without_words_finds_nothing_or_what_has_them(self, question: str) -> None:
        pages = [WebPage(uri="https://a.pl", title="x", text="Wierzyciel może skorygować.")]
        assert passages_from_web(question, pages, limit=3) == []

    def test_places_are_those_in_the_page(self) -> None:
        text = "\n".join(f"Wierzyciel numer {n} może skorygować podstawę opodatkowania." for n in range(200))
        for passage in passages_from_web(QUESTION, [WebPage(uri="https://a.pl", title="", text=text)], limit=99):
            assert text[passage.start : passage.end] == passage.text
            lines = text.split("\n")[passage.line_start - 1 : passage.line_end]
            assert passage.text in "\n".join(lines)
            assert passage.text.startswith(lines[0])
            assert passage.text.endswith(lines[-1])


class TestPieces:
    @given(st.text(alphabet="ab.?!\n ąŁ1#-", max_size=400), st.integers(min_value=1, max_value=20))
    def test_they_cover_the_text_in_order_within_the_size(self, text: str, words: int) -> None:
        cut = pieces(text, words=words)
        covered = "".join(text[start:end] for start, end in cut)
        assert "".join(covered.split()) == "".join(text.split())
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(cut))
        assert all(0 < len(text[start:end].split()) <= words for start, end in cut)

    def test_sentences_stay_whole(self) -> None:
        text = "Zgodnie z art. 5 ust. 2 ustawy podatnik składa wniosek do urzędu. " * 60
        for start, end in pieces(text):
            assert text[start:end].endswith("urzędu.")
            assert len(text[start:end].split()) <= WORDS


class TestConfigured:
    def test_the_settings_choose_the_engine_and_the_bounds(self, settings: Any) -> None:
        found = [{"url": "{site}/ulga", "title": "Ulga", "content": ""}]
        with WebSite({"/ulga": Page(ARTICLE)}) as site:
            listing = json.dumps({"results": found}).replace("{site}", site.url)
            with WebSite({"/search": Page(listing, media_type="application/json")}) as engine:
                searxng = {
                    "backend": "rag.answering.correction.web_search.searxng.SearXNGSearch",
                    "options": {"url": engine.url},
                }
                settings.RAG = {
                    **settings.RAG,
                    "correction": {"web_search": "searxng"},
                    "fetching": {"allowed_networks": ["127.0.0.0/8"], "ports": [site.port]},
                    "components": {**settings.RAG["components"], "web_search": {"searxng": searxng}},
                }
                web = web_passages()
                assert web
                passages, _ = web(QUESTION, "pl")
        assert [passage.uri for passage in passages] == [site.url + "/ulga"]

    def test_a_search_without_its_key_spoils_no_question_that_does_not_need_it(self, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "correction": {"web_search": "tavily"}}
        web = web_passages()
        assert web
        with pytest.raises(WebSearchRejected, match="TAVILY_API_KEY"):
            web(QUESTION, "pl")

    def test_a_search_that_fails_says_so(self) -> None:
        class Broken(Engine):
            def search(self, *_: Any, **__: Any) -> Any:
                raise WebSearchFailed("ups")

        with pytest.raises(WebSearchFailed):
            search_and_read(
                QUESTION, language="pl", search=Broken(), fetcher=Fetcher(), results=5, passages=5, seconds=1
            )
