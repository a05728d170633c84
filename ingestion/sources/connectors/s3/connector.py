"""S3 by botocore: objects are listed page by page, and read where their ETag is another one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote, urlsplit

import botocore.session
import httpx
from botocore import UNSIGNED
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import AccessDenied, UnknownRights, http_error, item_too_large
from ingestion.sources.connectors.protocol import Change, ItemContent, ListedItem, ListingEnd, RemotePlace
from ingestion.sources.connectors.reply_body import ReplyBody
from ingestion.sources.types import Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchFailed
from knowledgetree.fetching.transport import GuardedTransport

_MAX_BYTES = 5_000_000_000  # of one reply; whoever fetches stops long before
_DIGEST = re.compile(r"[0-9a-f]{32}(-[1-9]\d*)?")
_REFUSED = {"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "AllAccessDisabled"}


class S3Connector:
    """The objects of a bucket below a prefix. botocore words and signs the requests; the connections are ours."""

    page_items = 1000
    """Of one request."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        parts = urlsplit(place.location)
        self._bucket, prefix = parts.netloc, unquote(parts.path).lstrip("/")
        self._prefix = f"{prefix.rstrip('/')}/" if prefix else ""
        endpoint = place.settings.get("endpoint", "")
        self._client = botocore.session.Session().create_client(
            "s3",
            region_name=place.settings.get("region") or "us-east-1",
            endpoint_url=endpoint or None,
            aws_access_key_id=place.user or None,
            aws_secret_access_key=place.secret or None,
            config=Config(
                retries={"total_max_attempts": 1},
                ignore_configured_endpoint_urls=True,
                s3={"addressing_style": "path" if endpoint else "virtual"},
                signature_version="s3v4" if place.user else UNSIGNED,
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )
        self._http = httpx.Client(transport=GuardedTransport(guard, max_bytes=_MAX_BYTES), trust_env=False)
        self._client.meta.events.register("before-send.s3", self._send)

    def check(self) -> None:
        with _translated():
            self._client.list_objects_v2(Bucket=self._bucket, Prefix=self._prefix, MaxKeys=1)

    def changes(self, cursor: str) -> Iterator[Change]:
        after: dict[str, str] = {}
        while True:
            with _translated():
                page = self._client.list_objects_v2(
                    Bucket=self._bucket, Prefix=self._prefix, MaxKeys=self.page_items, **after
                )
            for one in page.get("Contents", ()):
                path = one["Key"].removeprefix(self._prefix)
                if path and not path.endswith("/"):  # which is what consoles make for an empty folder
                    etag = one["ETag"].strip('"')
                    yield ListedItem(path=path, version=etag, size=one["Size"], by_content=_is_digest(etag))
            if not page.get("IsTruncated"):
                break
            after = {"ContinuationToken": page["NextContinuationToken"]}
        yield ListingEnd(complete=True)

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        with _translated():
            reply = self._client.get_object(Bucket=self._bucket, Key=f"{self._prefix}{item.path}")
            content: bytes = reply["Body"].read(max_bytes + 1)
            reply["Body"].close()
        if len(content) > max_bytes:
            raise item_too_large(max_bytes)
        if len(content) < reply["ContentLength"]:
            raise FetchFailed(_("The server cannot be reached or broke off."))
        return ItemContent(content=content, version=reply["ETag"].strip('"'))

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        raise UnknownRights(_("An object store does not tell which people may read what."))

    def _send(self, request: AWSPreparedRequest, **_kwargs: Any) -> AWSResponse:
        """In botocore's place, which sends nothing itself where a handler of this event has a reply."""
        headers = {**dict(request.headers.items()), "Accept-Encoding": "identity"}
        sent = self._http.build_request(request.method, request.url, headers=headers, content=request.body or None)
        reply = self._http.send(sent, stream=True)
        return AWSResponse(request.url, reply.status_code, reply.headers, ReplyBody(reply))


def _is_digest(etag: str) -> bool:
    """Whether it is made of the content, as Amazon's are: of the whole or, behind a dash their number, of its parts."""
    return _DIGEST.fullmatch(etag) is not None and etag.strip("0-1") != ""


@contextmanager
def _translated() -> Iterator[None]:
    """What botocore raises as errors of ours; the transport raises those already."""
    try:
        yield
    except ClientError as error:
        told = error.response
        if told.get("Error", {}).get("Code") in _REFUSED:
            raise AccessDenied(_("The server refuses the account (%(status)d).") % {"status": 403}) from error
        told = told["ResponseMetadata"]
        retry_after = told.get("HTTPHeaders", {}).get("retry-after", "")
        raise http_error(int(told["HTTPStatusCode"]), retry_after=retry_after) from error
    except BotoCoreError as error:
        raise BadReply(_("The server does not answer as S3 does."), detail=str(error)[:200]) from error
    except (KeyError, ValueError) as error:
        raise BadReply(_("The server does not answer as S3 does.")) from error
