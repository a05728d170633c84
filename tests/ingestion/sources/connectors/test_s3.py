"""S3, met at moto's server."""

import logging
from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.errors import UnknownRights
from ingestion.sources.connectors.protocol import ListedItem
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchError, HTTPFailure
from tests.ingestion.sources.connectors.contract import ConnectorContract, MovedFolderContract, items
from tests.web_site import Page, WebSite

moto = pytest.importorskip("moto.server", reason="moto is not installed")
KEY, SECRET, BUCKET = "baza", "tajny klucz", "dokumenty"


def open_s3(port: int, *, secret: str = SECRET, networks: tuple[str, ...] = ("127.0.0.0/8",)) -> Connector:
    settings = {"user": KEY, "endpoint": f"http://127.0.0.1:{port}", "region": "eu-central-1"}
    place = RemotePlace(location=f"s3://{BUCKET}/regulaminy/", settings=settings, secret=secret)
    return open_connector("s3", place, AddressGuard(ports=[80, 443], networks=networks, silence=0.5))


class S3Shelf:
    def __init__(self, port: int) -> None:
        self.port = port
        self.client: Any = botocore.session.Session().create_client(
            "s3", region_name="eu-central-1", endpoint_url=f"http://127.0.0.1:{port}", aws_access_key_id="x",
            aws_secret_access_key="x",
        )  # fmt: skip

    def put(self, path: str, content: bytes) -> None:
        self.client.put_object(Bucket=BUCKET, Key=f"regulaminy/{path}", Body=content)

    def take_away(self, path: str) -> None:
        self.client.delete_object(Bucket=BUCKET, Key=f"regulaminy/{path}")

    def move(self, path: str, to: str) -> None:
        """As there is no other way to: each object is copied and deleted."""
        listed = self.client.list_objects_v2(Bucket=BUCKET, Prefix=f"regulaminy/{path}/")["Contents"]
        for key in [one["Key"] for one in listed]:
            copy = f"regulaminy/{to}{key.removeprefix(f'regulaminy/{path}')}"
            self.client.copy_object(Bucket=BUCKET, Key=copy, CopySource={"Bucket": BUCKET, "Key": key})
            self.client.delete_object(Bucket=BUCKET, Key=key)

    def connect(
        self, *, secret: str | None = None, port: int | None = None, networks: tuple[str, ...] = ("127.0.0.0/8",)
    ) -> Connector:
        return open_s3(port or self.port, secret=SECRET if secret is None else secret, networks=networks)


@pytest.fixture(scope="module")
def store() -> Iterator[int]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    port = server.get_host_and_port()[1]
    where = {"LocationConstraint": "eu-central-1"}
    S3Shelf(port).client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration=where)
    yield port
    server.stop()


@pytest.fixture
def shelf(store: int) -> S3Shelf:
    """A bucket with nothing below the prefix, and something beside it that is not the source's."""
    shelf = S3Shelf(store)
    for page in shelf.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET):
        for one in page.get("Contents", ()):
            shelf.client.delete_object(Bucket=BUCKET, Key=one["Key"])
    shelf.client.put_object(Bucket=BUCKET, Key="regulaminy2/obcy.txt", Body=b"nie nasz")
    return shelf


@pytest.mark.slow
class TestS3(ConnectorContract, MovedFolderContract):
    @pytest.fixture
    def moving(self, shelf: S3Shelf) -> S3Shelf:
        return shelf

    @pytest.fixture
    def shelf(self, shelf: S3Shelf) -> S3Shelf:
        return shelf

    step = 6000
    # moto lets in everybody: what S3 says to a wrong key is said by a server of ours, below.
    test_an_account_that_is_refused_is_told_so_and_not_tried_again = None  # type: ignore[assignment]


@pytest.mark.slow
def test_pages_follow_each_other_and_folders_of_consoles_are_no_items(shelf: S3Shelf) -> None:
    shelf.put("pusty folder/", b"")
    for number in range(25):
        shelf.put(f"{number}.txt", b"x")
    connector = shelf.connect()
    connector.page_items = 10  # type: ignore[attr-defined]
    assert len(items(connector)) == 25


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [(403, "SignatureDoesNotMatch", False), (400, "ExpiredToken", False), (404, "NoSuchBucket", False)],
)
def test_what_s3_says_of_an_account_or_a_bucket_is_not_tried_again(status: int, code: str, retryable: bool) -> None:
    body = f"<Error><Code>{code}</Code><Message>…</Message></Error>"
    with WebSite({f"/{BUCKET}": Page(body, status=status, media_type="application/xml")}) as site:
        with pytest.raises(FetchError) as caught:
            list(open_s3(site.port).changes(""))
        assert caught.value.retryable is retryable


def test_a_busy_store_says_when_to_come_again() -> None:
    page = Page("<Error><Code>SlowDown</Code></Error>", status=503, headers={"Retry-After": "7"})
    with WebSite({f"/{BUCKET}": page}) as site, pytest.raises(HTTPFailure) as caught:
        open_s3(site.port).check()
    assert (caught.value.retryable, caught.value.retry_after) == (True, 7.0)


def test_what_is_no_s3_is_told_so() -> None:
    with WebSite({f"/{BUCKET}": Page("<html>Dzień dobry")}) as site, pytest.raises(FetchError):
        list(open_s3(site.port).changes(""))


def test_a_store_tells_no_readers() -> None:
    with pytest.raises(UnknownRights):
        open_s3(1).rights([ListedItem(path="a.txt")])
