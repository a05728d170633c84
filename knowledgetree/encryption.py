"""Secrets that the database keeps, encrypted with a key that it does not have (Fernet: AES-128-CBC and HMAC)."""

from base64 import urlsafe_b64encode
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError


class UndecipherableSecret(KnowledgeTreeError):
    """A secret was encrypted with a key that is not here any more."""

    code = "undecipherable_secret"
    status = 500
    remedy = _(
        "Put the earlier ENCRYPTION_KEY (or SECRET_KEY) into ENCRYPTION_KEY_FALLBACKS, or enter the secret again."
    )


def encrypt_secret(text: str) -> str:
    """With ENCRYPTION_KEY, or SECRET_KEY where there is none."""
    return _fernet().encrypt(text.encode()).decode()


def decrypt_secret(token: str) -> str:
    """What `encrypt_secret` was given, also under an earlier key. Raises UndecipherableSecret."""
    try:
        return _fernet().decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UndecipherableSecret(_("A secret of the database cannot be decrypted.")) from error


def encrypted_anew(token: str) -> str:
    """The same secret under the key that holds now, so that an earlier one may go. Raises UndecipherableSecret."""
    return encrypt_secret(decrypt_secret(token))


def _fernet() -> MultiFernet:
    """The first key encrypts, all decrypt. SECRET_KEY stays among them: it was the key before there was one."""
    keys = (settings.ENCRYPTION_KEY, settings.SECRET_KEY, *settings.ENCRYPTION_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derived(key)) for key in keys if key])


@lru_cache(maxsize=16)
def _derived(secret: str) -> bytes:
    """Not the secret itself: what it signs elsewhere says nothing about this key."""
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"knowledgetree secrets at rest")
    return urlsafe_b64encode(derivation.derive(secret.encode()))
