"""Whether the bucket of originals answers, and lets us do what we need."""

from importlib.util import find_spec
from secrets import token_hex
from typing import TYPE_CHECKING, cast

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from knowledgetree.readiness import Check
from knowledgetree.storage.failures import StoreFailed

if TYPE_CHECKING:
    from knowledgetree.storage.s3 import BucketStorage

_NAME = "originals"
_AWAY = {"EndpointConnectionError", "ConnectTimeoutError", "ConnectionClosedError", "ReadTimeoutError", "SSLError"}
_UNKNOWN = {"InvalidAccessKeyId", "SignatureDoesNotMatch", "NoCredentialsError", "PartialCredentialsError"}


def bucket_answers() -> Check:
    """One question, for `/readyz`: whether there is such a bucket for us."""
    try:
        _bucket().ask_for_bucket()
    except StoreFailed as error:
        return _bad(error)
    return Check(name=_NAME, subject=_("Originals"), well=True, public=True)


def bucket_serves() -> Check:
    """For `doctor`: a small object is written, read, found in the list and deleted again."""
    if not (find_spec("storages") and find_spec("boto3")):
        detail = _("S3_BUCKET is set, but what speaks S3 is not installed")
        remedy = _("Install: pip install 'knowledgetree[s3]'")
        return Check(name=_NAME, subject=_("Originals"), well=False, detail=detail, remedy=remedy)
    try:
        _write_read_and_delete()
        keeps_versions = _bucket().keeps_versions()
    except (StoreFailed, FileNotFoundError) as error:
        return _bad(error if isinstance(error, StoreFailed) else StoreFailed("NotKept"))
    remedy = _(
        "The bucket keeps versions of its objects, so that what is erased here stays there: switch that off, or let "
        "a rule of its life cycle delete earlier versions."
    )
    return Check(
        name=_NAME,
        subject=_("Originals"),
        well=None if keeps_versions else True,
        detail=_("in the bucket %(bucket)s") % {"bucket": _bucket().bucket_name},
        remedy=remedy if keeps_versions else "",
    )


def _bucket() -> "BucketStorage":
    return cast("BucketStorage", default_storage)


def _write_read_and_delete() -> None:
    folder, word = f"doctor-{token_hex(8)}", "probe"
    name = default_storage.save(f"{folder}/{word}", ContentFile(word.encode()))
    try:
        with default_storage.open(name) as written:
            whole = written.read() == word.encode()
        if not whole or default_storage.listdir(folder)[1] != [word]:
            raise StoreFailed("NotKept")
    finally:
        default_storage.delete(name)


def _bad(error: StoreFailed) -> Check:
    return Check(name=_NAME, subject=_("Originals"), well=False, detail=str(error), remedy=_remedy(error.code))


def _remedy(code: str) -> str:
    if code in _AWAY:
        return _("The store does not answer: start it, or mend S3_ENDPOINT.")
    if code == "NoSuchBucket" or code == "404":
        return _("There is no bucket %(bucket)s: make it, or mend S3_BUCKET.") % {"bucket": _bucket().bucket_name}
    if code in _UNKNOWN:
        return _("The store does not know the key: mend S3_KEY_ID and S3_KEY.")
    if code in {"AccessDenied", "403"}:
        return _("Allow the key to read, write, list and delete objects of the bucket.")
    return _("Compare S3_ENDPOINT, S3_REGION and S3_BUCKET with what the store says of itself.")
