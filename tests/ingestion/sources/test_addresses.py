"""One page has one address, and rows of addresses end."""

import pytest

from ingestion.sources.addresses import identity, normal
from ingestion.sources.patterns import wanted
from ingestion.sources.web.frontier import EndlessSpaces


class TestNormal:
    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("HTTP://Przyklad.PL:80", "http://przyklad.pl/"),
            ("https://przyklad.pl:443/a", "https://przyklad.pl/a"),
            ("https://przyklad.pl:8443/a", "https://przyklad.pl:8443/a"),
            ("https://przyklad.pl/a/../b/./c#rozdzial", "https://przyklad.pl/b/c"),
            ("https://przyklad.pl/a?utm_source=x&b=2&a=1&fbclid=y", "https://przyklad.pl/a?a=1&b=2"),
            ("https://przyklad.pl/a?utm_source=x", "https://przyklad.pl/a"),
            ("https://przyklad.pl/a;jsessionid=7F?PHPSESSID=1", "https://przyklad.pl/a"),
            ("https://przyklad.pl/a?druk", "https://przyklad.pl/a?druk"),
            ("https://przyklad.pl/a?q=%B1", "https://przyklad.pl/a?q=%B1"),
            ("https://przyklad.pl/ą", "https://przyklad.pl/%C4%85"),
            ("mailto:a@przyklad.pl", ""),
            ("javascript:void(0)", ""),
            ("ftp://przyklad.pl/", ""),
            ("", ""),
        ],
    )
    def test_what_can_be_written_in_many_ways_is_written_in_one(self, written: str, expected: str) -> None:
        assert normal(written) == expected
        assert normal(expected) == expected

    def test_relative_to_a_page(self) -> None:
        assert normal("../c?b#d", base="https://przyklad.pl/a/b/") == "https://przyklad.pl/a/c?b"
        assert normal("//inna.pl/x", base="https://przyklad.pl/") == "https://inna.pl/x"

    def test_a_slash_at_the_end_and_https_do_not_make_another_page(self) -> None:
        same = {identity(f"{scheme}://przyklad.pl/a{end}?b=1") for scheme in ("http", "https") for end in ("", "/")}
        assert len(same) == 1
        assert identity("https://przyklad.pl/a") != identity("https://przyklad.pl/b")


class TestEndless:
    @pytest.mark.parametrize(
        "path",
        [
            "/a/b" * 3,
            "/" + "/".join("abcdefghijklm"),
            "/a?" + "&".join(f"{n}=1" for n in range(9)),
            "/a?q=" + "x" * 2000,
        ],
    )
    def test_odd_addresses_are_not_followed(self, path: str) -> None:
        assert EndlessSpaces().has("https://przyklad.pl" + path)

    @pytest.mark.parametrize(
        "pattern", ["/kalendarz?data=2026-{0:04}", "/kalendarz/{0:04}/05/", "/lista?filtr={0}&widok=1"]
    )
    def test_a_row_ends(self, pattern: str) -> None:
        spaces = EndlessSpaces()
        followed = sum(not spaces.has("https://przyklad.pl" + pattern.format(1900 + n)) for n in range(250))
        assert followed <= 250
        assert followed in (100, 200)

    def test_articles_do_not_count_as_a_row(self) -> None:
        spaces = EndlessSpaces()
        assert not any(spaces.has(f"https://przyklad.pl/artykul/{n}") for n in range(5000))


class TestPatterns:
    @pytest.mark.parametrize(
        ("path", "include", "exclude", "expected"),
        [
            ("/a", (), (), True),
            ("/prawo/a/b", ("/prawo/*",), (), True),
            ("/b", ("/prawo/*",), (), False),
            ("/prawo/stare/a", ("/prawo/*",), ("*/stare/*",), False),
            ("a/b.pdf", ("*.pdf",), (), True),
        ],
    )
    def test_included_and_not_excluded(
        self, path: str, include: tuple[str, ...], exclude: tuple[str, ...], expected: bool
    ) -> None:
        assert wanted(path, include=include, exclude=exclude) == expected
