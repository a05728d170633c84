"""robots.txt by RFC 9309."""

import tracemalloc

import pytest

from ingestion.sources.web.robots import MAX_DELAY, fetch_robots, parse_robots
from knowledgetree.fetching import Fetcher
from knowledgetree.fetching.errors import FetchError
from tests.web_site import Page, WebSite

AGENT = "KnowledgeTree"


def allows(text: str, path: str) -> bool:
    return parse_robots(text, agent=AGENT).allows(f"https://przyklad.pl{path}")


class TestRules:
    @pytest.mark.parametrize(
        ("rules", "path", "allowed"),
        [
            ("Disallow: /", "/a", False),
            ("Disallow:", "/a", True),
            ("Disallow: /tajne", "/tajne/a", False),
            ("Disallow: /tajne", "/jawne", True),
            ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
            ("Allow: /a/b\nDisallow: /a", "/a/c", False),
            ("Disallow: /*?sort=", "/lista?sort=1", False),
            ("Disallow: /*?sort=", "/lista?strona=1", True),
            ("Disallow: /*.pdf$", "/a.pdf", False),
            ("Disallow: /*.pdf$", "/a.pdf?x", True),
            ("Disallow: /a$", "/a", False),
            ("Disallow: /a$", "/ab", True),
            ("Disallow: /*a*b*c", "/xaxbxc", False),
            ("Disallow: /żółw", "/%C5%BC%C3%B3%C5%82w/1", False),
            ("disallow: /a # komentarz", "/a", False),
            ("Disallow: /" + "*a" * 1000, "/" + "a" * 900, True),
        ],
    )
    def test_the_longest_one_that_matches_decides(self, rules: str, path: str, allowed: bool) -> None:
        assert allows(f"User-agent: *\n{rules}", path) == allowed

    @pytest.mark.parametrize("name", ["Knowledge", "Tree", "KnowledgeTreeBot", "!"])
    def test_a_name_that_is_only_like_ours_is_another(self, name: str) -> None:
        assert allows(f"User-agent: {name}\nDisallow: /", "/a")

    def test_our_own_group_goes_before_that_of_all(self) -> None:
        text = (
            "User-agent: *\nDisallow: /\n\nUser-agent: Inny\nUser-agent: knowledgetree\nDisallow: /a\nCrawl-delay: 2.5"
        )
        assert allows(text, "/b")
        assert not allows(text, "/a")
        assert parse_robots(text, agent=AGENT).delay == 2.5

    def test_a_delay_of_hours_is_cut(self) -> None:
        assert parse_robots("User-agent: *\nCrawl-delay: 99999", agent=AGENT).delay == MAX_DELAY

    def test_sitemaps_belong_to_nobody(self) -> None:
        text = "Sitemap: https://a.pl/1.xml\nUser-agent: *\nSitemap: /2.xml\nDisallow: /a"
        robots = parse_robots(text, agent=AGENT)
        assert robots.sitemaps == ("https://a.pl/1.xml", "/2.xml")
        assert not robots.allows("https://a.pl/a")

    @pytest.mark.parametrize("text", ["", "Disallow: /", "<html>Nie ma</html>", "\x00\xff:::", "User-agent: *\n: :"])
    def test_nonsense_allows_all(self, text: str) -> None:
        assert allows(text, "/a")


class TestHostileFiles:
    def test_rules_for_a_thousand_programs_are_not_kept_a_thousand_times(self) -> None:
        names = "\n".join(f"User-agent: bot{number}" for number in range(1000))
        rules = "\n".join(f"Disallow: /{number}" for number in range(2000))
        text = f"{names}\nUser-agent: *\n{rules}"
        tracemalloc.start()
        try:
            assert not allows(text, "/1999")
            assert tracemalloc.get_traced_memory()[1] < 20_000_000
        finally:
            tracemalloc.stop()


class TestFetching:
    @pytest.mark.parametrize("status", [401, 403, 404, 410])
    def test_a_site_without_one_allows_all(self, status: int) -> None:
        with WebSite({"/robots.txt": Page(status=status)}) as site:
            assert fetch_robots(site.url + "/a/b", fetcher=Fetcher(**site.access)).allows(site.url + "/c")
        assert site.paths == ["/robots.txt"]

    @pytest.mark.parametrize("page", [Page(status=500), Page(status=429), Page(raw=b"x\r\n\r\n")])
    def test_where_it_cannot_be_read_we_keep_out(self, page: Page) -> None:
        with WebSite({"/robots.txt": page}) as site, pytest.raises(FetchError):
            fetch_robots(site.url, fetcher=Fetcher(**site.access))
