"""Whoever gives an address does not choose what this server reaches."""

import ipaddress
import threading
from contextlib import suppress

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from knowledgetree.fetching import Fetcher
from knowledgetree.fetching.addresses import AddressPolicy
from knowledgetree.fetching.errors import FetchFailed, FetchRefused, FetchTimeout
from knowledgetree.fetching.resolution import permitted_addresses
from knowledgetree.fetching.urls import checked
from tests.web_site import Page, WebSite

FORBIDDEN = """
    0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1
    192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1
    255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1
    2001:db8::1 2002:7f00:1:: 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 nie-adres
""".split()


class TestAddressPolicy:
    @pytest.mark.parametrize("address", FORBIDDEN)
    def test_what_is_not_the_public_internet_is_closed(self, address: str) -> None:
        assert not AddressPolicy().permits(address)

    @pytest.mark.parametrize("address", ["8.8.8.8", "213.180.141.140", "2606:4700:4700::1111", "2a01:4f8::1"])
    def test_the_public_internet_is_open(self, address: str) -> None:
        assert AddressPolicy().permits(address)

    def test_an_administrator_opens_a_network_and_no_other(self) -> None:
        policy = AddressPolicy(["10.1.0.0/16", "fd12::/16"])
        assert policy.permits("10.1.2.3")
        assert policy.permits("fd12::5")
        assert not policy.permits("10.2.0.1")
        assert not policy.permits("::ffff:10.1.2.3")


class TestWrittenAddresses:
    @pytest.mark.parametrize(
        "url",
        [
            "ftp://example.com/a",
            "file:///etc/passwd",
            "gopher://example.com/",
            "javascript:alert(1)",
            "//example.com/",
            "example.com",
            "http://",
            "http:///a",
            "http://user@example.com/",
            "http://user:haslo@example.com/",
            "http://127.0.0.1\\@example.com/",
            "http://example.com:22/",
            "http://example.com:8080/",
            "http://example.com:99999/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://127.0.0.1./",
            "http://[fe80::1%25eth0]/",
            "http://[::1",
            "http://①②⑦.⓪.⓪.①/",
            "http://１２７.０.０.１/",
            "http://exa%00mple.com/",
            "http://exa mple.com/",
            "http://example.com\n.evil.pl/",
            "http://-/..",
            "http://example.com/" + "a" * 5000,
        ],
    )
    def test_odd_ones_are_refused_before_anything_is_looked_up(self, url: str) -> None:
        asked: list[str] = []

        def resolver(host: str, port: int) -> list[str]:
            asked.append(host)
            return ["127.0.0.1"]

        with pytest.raises(FetchRefused) as refused:
            Fetcher(resolver=resolver, policy=AddressPolicy(["0.0.0.0/0", "::/0"])).get(url)
        assert refused.value.remedy
        assert not refused.value.retryable
        assert asked == []

    @pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "[fd00:ec2::254]"])
    def test_addresses_in_closed_networks_are_refused(self, host: str) -> None:
        with pytest.raises(FetchRefused):
            Fetcher().get(f"http://{host}/latest/meta-data/")

    def test_localhost_is_refused(self) -> None:
        with WebSite({"/": Page("tajne")}) as site, pytest.raises(FetchRefused):
            Fetcher(ports=[site.port]).get(f"http://localhost:{site.port}/")
        assert site.requests == []


class TestNames:
    def test_a_name_that_leads_inside_is_refused(self) -> None:
        with WebSite({"/": Page("tajne")}) as site, pytest.raises(FetchRefused):
            Fetcher(ports=[site.port], resolver=lambda *_: ["127.0.0.1"]).get(f"http://wiki.example.com:{site.port}/")
        assert site.requests == []

    def test_a_name_is_looked_up_once_and_never_by_the_connection(self) -> None:
        """Rebinding: the second answer would lead inside. The name does not exist outside the resolver of the test, so
        a connection that looks it up again fails."""
        answers = [["127.0.0.1"], ["169.254.169.254"]]
        with WebSite({"/": Page("<p>raz</p>")}) as site:
            fetcher = Fetcher(resolver=lambda *_: answers.pop(0), **site.access)
            assert "raz" in fetcher.get(f"http://zmienna.invalid:{site.port}/").text  # type: ignore[union-attr]
            assert len(answers) == 1
            assert site.requests[0].headers["Host"] == f"zmienna.invalid:{site.port}"
            with pytest.raises(FetchRefused):
                fetcher.get(f"http://zmienna.invalid:{site.port}/")

    def test_of_mixed_answers_only_the_permitted_are_tried(self) -> None:
        """The closed address is alive and comes first: whoever tried it would get its page."""
        with WebSite({"/": Page("tajne")}) as site:
            policy = AddressPolicy(["127.9.9.9/32"])
            fetcher = Fetcher(resolver=lambda *_: ["127.0.0.1", "127.9.9.9"], policy=policy, ports=[site.port])
            with pytest.raises(FetchFailed):
                fetcher.get(f"http://dwa.invalid:{site.port}/")
        assert site.requests == []

    def test_only_the_permitted_of_several_addresses_are_given_in_their_order(self) -> None:
        found = permitted_addresses(
            "dwa.invalid",
            80,
            resolver=lambda *_: ["8.8.8.8", "10.0.0.1", "::1", "2606:4700:4700::1111"],
            policy=AddressPolicy(),
            seconds=60,
        )
        assert found == ["8.8.8.8", "2606:4700:4700::1111"]

    def test_a_dead_address_gives_way_to_the_next(self) -> None:
        with WebSite({"/": Page("<p>tu</p>")}) as site:
            fetcher = Fetcher(resolver=lambda *_: ["127.9.9.9", "127.0.0.1"], **site.access)
            assert fetcher.get(f"http://dwa.invalid:{site.port}/").status == 200  # type: ignore[union-attr]

    def test_a_name_that_nobody_knows_is_worth_another_try(self) -> None:
        def resolver(host: str, port: int) -> list[str]:
            raise OSError("no such name")

        with pytest.raises(FetchFailed, match=r"nie\.ma\.pl") as failed:
            Fetcher(resolver=resolver).get("http://nie.ma.pl/")
        assert failed.value.retryable

    def test_a_slow_look_up_ends_in_time(self) -> None:
        released = threading.Event()

        def resolver(host: str, port: int) -> list[str]:
            released.wait(20)
            return []

        with pytest.raises(FetchTimeout):
            Fetcher(resolver=resolver).get("http://wolna.pl/", seconds=0.2)
        released.set()


class TestAnything:
    @given(st.text(max_size=60) | st.from_regex(r"https?://[!-~]{1,40}", fullmatch=True))
    def test_every_address_is_checked_or_refused(self, url: str) -> None:
        with suppress(FetchRefused):
            assert checked(url, ports=(80, 443)).scheme in {"http", "https"}

    @given(st.integers(min_value=0, max_value=2**32 - 1))
    def test_an_ipv4_address_carried_by_ipv6_is_never_permitted(self, number: int) -> None:
        carried = (0xFFFF << 32 | number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80, number)
        assert not any(AddressPolicy().permits(str(ipaddress.IPv6Address(address))) for address in carried)

    def test_a_network_that_is_none_is_named(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="FETCH_ALLOWED_NETWORKS"):
            AddressPolicy(["10.0.0.1/8"])
