"""Who asks hears from the server at once, over a real connection to a real ASGI server."""

import http.cookiejar
import urllib.parse
import urllib.request
from typing import Any

import psycopg

from tests.browser.conftest import Site

QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"


def reader(site: Site) -> tuple[Any, str]:
    """A browser's cookies, and the token that its form would send."""
    cookies = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    opener.open(site.address).read()
    return opener, next(cookie.value or "" for cookie in cookies if cookie.name == "csrftoken")


def test_the_first_event_is_there_before_anything_is_looked_up(site: Site) -> None:
    """What would be searched is locked until the event has been read."""
    opener, token = reader(site)
    body = urllib.parse.urlencode({"question": QUESTION, "csrfmiddlewaretoken": token}).encode()
    with psycopg.connect(site.database) as holder:
        holder.execute("LOCK TABLE ingestion_chunk, ingestion_posting IN ACCESS EXCLUSIVE MODE")
        with opener.open(f"{site.address}/ask/stream/", body, timeout=60) as stream:
            while (line := stream.readline()) != b"event: started\n":
                assert line
            holder.rollback()
            assert b"event: completed\n" in stream.read()
