"""The bucket that `S3_...` names, and Django's storages."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowledgetree.env import env_secret, env_str

_S3 = "s3://"
_FOLDER = "django.core.files.storage.FileSystemStorage"
_PIECE = 8 * 2**20
"""Bytes of an upload that are in memory at a time; S3 takes no smaller pieces than five million."""


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Settings:
    """`endpoint` "": Amazon's own. Without `key_id` boto3 looks where it always does: roles of machines, its files."""

    bucket: str
    endpoint: str = ""
    region: str = ""
    prefix: str = ""
    key_id: str = ""
    key: str = ""


def s3_environment() -> S3Settings | None:
    """None: originals lie in a folder."""
    bucket = env_str("S3_BUCKET")
    return _in_bucket(bucket, env_str("S3_PREFIX")) if bucket else None


def storages_of(s3: S3Settings | None, *, backups: str) -> dict[str, Any]:
    """The value of `STORAGES`. `backups` is a folder, or `s3://bucket/prefix` of the same store and account."""
    return {
        "default": _bucket(s3) if s3 else {"BACKEND": _FOLDER},
        "backups": _of_backups(backups),
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


def _of_backups(location: str) -> dict[str, Any]:
    if location.startswith(_S3):
        bucket, _slash, prefix = location.removeprefix(_S3).partition("/")
        return _bucket(_in_bucket(bucket, prefix))
    own = {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700}
    return {"BACKEND": _FOLDER, "OPTIONS": {"location": Path(location).absolute(), **own}}


def _in_bucket(bucket: str, prefix: str) -> S3Settings:
    return S3Settings(
        bucket=bucket,
        endpoint=env_str("S3_ENDPOINT"),
        region=env_str("S3_REGION"),
        prefix=prefix.strip("/"),
        key_id=env_secret("S3_KEY_ID"),
        key=env_secret("S3_KEY"),
    )


def _bucket(s3: S3Settings) -> dict[str, Any]:
    options = {
        "bucket_name": s3.bucket,
        "endpoint_url": s3.endpoint or None,
        "region_name": s3.region or ("us-east-1" if s3.endpoint else None),  # others ask for a name and heed none
        "location": s3.prefix,
        "access_key": s3.key_id or None,
        "secret_key": s3.key or None,
        "file_overwrite": True,  # an original's name is the checksum of its content
        "addressing_style": "path" if s3.endpoint else "auto",
    }
    return {"BACKEND": "knowledgetree.storage.s3.BucketStorage", "OPTIONS": options | {"piece_bytes": _PIECE}}
