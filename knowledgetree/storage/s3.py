"""Originals in a bucket of an S3-compatible store: written in pieces, read as a stream, without a copy in memory."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage

from knowledgetree.storage.failures import StoreFailed
from knowledgetree.storage.object_reader import ObjectReader

_BUFFER = 256 * 1024
_CONNECT_SECONDS, _READ_SECONDS, _ATTEMPTS = 3, 20, 2
_MISSING = {"404", "NoSuchKey", "NotFound"}


class BucketStorage(S3Storage):  # type: ignore[misc]
    """django-storages', but what goes wrong is an OSError, as of a disk: StoreFailed, or FileNotFoundError of a missing
    file. A file that is read is no copy; it can be begun anywhere.
    """

    def __init__(self, *, piece_bytes: int, addressing_style: str, **options: Any) -> None:
        super().__init__(
            **options,
            addressing_style=addressing_style,
            client_config=Config(
                connect_timeout=_CONNECT_SECONDS,
                read_timeout=_READ_SECONDS,
                retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
                s3={"addressing_style": addressing_style},
                signature_version="s3v4",
                # Stores that are not Amazon's may refuse the newer kinds.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
            # One piece at a time, in the thread that asks: others would hold ten of them.
            transfer_config=TransferConfig(
                multipart_threshold=piece_bytes, multipart_chunksize=piece_bytes, use_threads=False
            ),
        )

    def _open(self, name: str, mode: str = "rb") -> "File[bytes]":
        with errors_of_a_disk():
            stored = self.bucket.Object(self._normalize_name(name))
            stored.load()
            return File(io.BufferedReader(ObjectReader(stored, errors_of_a_disk), _BUFFER), name=name)

    def _save(self, name: str, content: "File[bytes]") -> str:
        with errors_of_a_disk():
            return str(super()._save(name, content))

    def exists(self, name: str) -> bool:
        with errors_of_a_disk():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with errors_of_a_disk():
            super().delete(name)

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with errors_of_a_disk():
            folders, files = super().listdir(name)
            return folders, files

    def ask_for_bucket(self) -> None:
        """Raises StoreFailed where the store does not answer or has no such bucket for us."""
        with errors_of_a_disk():
            try:
                self.connection.meta.client.head_bucket(Bucket=self.bucket_name)
            except ClientError as error:
                raise StoreFailed(str(error.response["ResponseMetadata"]["HTTPStatusCode"])) from error

    def keeps_versions(self) -> bool:
        """Whether what is deleted stays as an earlier version. A store that does not say so is taken not to."""
        try:
            answer = self.connection.meta.client.get_bucket_versioning(Bucket=self.bucket_name)
        except (ClientError, BotoCoreError):
            return False
        return bool(answer.get("Status") == "Enabled")

    def get_modified_time(self, name: str) -> datetime:
        with errors_of_a_disk():
            changed: datetime = super().get_modified_time(name)
            return changed


@contextmanager
def errors_of_a_disk() -> Iterator[None]:
    """What boto3 raises inside is raised as StoreFailed, or as FileNotFoundError."""
    try:
        yield
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code in _MISSING:
            raise FileNotFoundError(f"S3: {code}") from error
        raise StoreFailed(code or error.operation_name) from error
    except (BotoCoreError, Boto3Error) as error:
        raise StoreFailed(type(error).__name__) from error
