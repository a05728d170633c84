"""The bucket that `S3_...` names, and Django's storages."""

from dataclasses import dataclass
from typing import Any

from knowledgetree.env import env_secret, env_str

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
    if not bucket:
        return None
    return S3Settings(
        bucket=bucket,
        endpoint=env_str("S3_ENDPOINT"),
        region=env_str("S3_REGION"),
        prefix=env_str("S3_PREFIX").strip("/"),
        key_id=env_secret("S3_KEY_ID"),
        key=env_secret("S3_KEY"),
    )


def storages_of(s3: S3Settings | None) -> dict[str, Any]:
    """The value of `STORAGES`."""
    folder = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    return {
        "default": _bucket(s3) if s3 else folder,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


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
