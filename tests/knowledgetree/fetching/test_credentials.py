"""A key goes to its own server and nowhere else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from knowledgetree.credentials import Credential, feed_keys, origin_of
from knowledgetree.fetching import Fetcher
from knowledgetree.fetching.addresses import AddressPolicy
from knowledgetree.fetching.errors import FetchRefused
from tests.web_site import Page, WebSite, redirect

SECRET = "Bearer bardzo-tajny"


@pytest.fixture
def other() -> Iterator[WebSite]:
    with WebSite({"/obcy": Page("<p>Obcy</p>")}) as site:
        yield site


def sent(site: WebSite, path: str, *others: WebSite) -> None:
    ports = [one.port for one in (site, *others)]
    fetcher = Fetcher(policy=AddressPolicy(["127.0.0.0/8"]), ports=ports)
    fetcher.get(site.url + path, credential=Credential(origin=site.url, secret=SECRET))


def keys(site: WebSite) -> list[str | None]:
    return [request.headers["Authorization"] for request in site.requests]


def test_it_is_sent_to_its_server_also_after_a_redirect_there() -> None:
    with WebSite({"/": redirect("/dalej"), "/dalej": Page("<p>a</p>")}) as site:
        sent(site, "/")
    assert keys(site) == [SECRET, SECRET]


def test_a_redirect_to_another_server_does_not_take_it_along(other: WebSite) -> None:
    with WebSite({"/": redirect(f"{other.url}/obcy")}) as site:
        sent(site, "/", other)
    assert (keys(site), keys(other)) == ([SECRET], [None])


def test_a_redirect_that_comes_back_from_another_server_has_it_no_more(other: WebSite) -> None:
    with WebSite({"/": redirect(f"{other.url}/obcy"), "/koniec": Page("<p>a</p>")}) as site:
        other.pages = {"/obcy": redirect(f"{site.url}/koniec")}
        sent(site, "/", other)
    assert (keys(site), keys(other)) == ([SECRET, None], [None])


def test_who_asks_another_server_does_not_send_it(other: WebSite) -> None:
    credential = Credential(origin="https://api.example.pl", secret=SECRET)
    Fetcher(**other.access).get(f"{other.url}/obcy", credential=credential)
    assert keys(other) == [None]


def test_a_key_opens_no_forbidden_network() -> None:
    with WebSite({"/": Page("<p>a</p>")}) as site, pytest.raises(FetchRefused):
        Fetcher(ports=[site.port]).get(site.url, credential=Credential(origin=site.url, secret=SECRET))
    assert not site.requests


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://API.Example.pl/a?b", "https://api.example.pl:443"),
        ("http://api.example.pl:80", "http://api.example.pl:80"),
        ("https://żółw.pl/", "https://xn--w-uga1v8h.pl:443"),
        ("https://a.pl@b.pl/", ""),
        ("ftp://a.pl/", ""),
        ("https://a.pl:x/", ""),
        ("", ""),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "api.example.pl"},
        {"origin": "https://api.example.pl/v1"},
        {"secret": ""},
        {"secret": "tajny\r\nX-Obcy: 1"},
        {"header": "Host"},
        {"header": "X Y"},
    ],
)
def test_a_key_that_cannot_be_sent_stops_the_program_without_being_named(wrong: dict[str, str]) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        Credential(**{"origin": "https://api.example.pl", "secret": "tajny", **wrong})
    assert "tajny" not in str(refused.value)


def test_a_key_does_not_show_its_secret() -> None:
    assert "tajny" not in repr(Credential(origin="https://api.example.pl", secret=SECRET))


def test_keys_stand_in_the_environment_or_in_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "klucz").write_text("abc\n")
    monkeypatch.setenv("FEED_KEYS", "kadry, bip-2")
    monkeypatch.setenv("FEED_KEY_KADRY", SECRET)
    monkeypatch.setenv("FEED_KEY_KADRY_ORIGIN", "https://kadry.example.pl")
    monkeypatch.setenv("FEED_KEY_BIP_2_FILE", str(tmp_path / "klucz"))
    monkeypatch.setenv("FEED_KEY_BIP_2_HEADER", "X-Api-Key")
    assert feed_keys() == {
        "kadry": {"secret": SECRET, "origin": "https://kadry.example.pl", "header": "Authorization"},
        "bip-2": {"secret": "abc", "origin": "", "header": "X-Api-Key"},
    }
