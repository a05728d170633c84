"""The words of a letter: text and simple HTML, in its reader's language, with a way to stop further ones."""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import ngettext

from knowledgetree.letters.sections import LetterSection

_STOP = "knowledgetree.letters.stop"


def compose(
    *, user: User, sections: Sequence[LetterSection], language: str, number: UUID, written: datetime
) -> EmailMultiAlternatives:
    """`number` makes its Message-ID, which stays through all attempts, so that mailboxes know a copy."""
    with translation.override(language):
        n = sum(section.things for section in sections)
        subject = ngettext("KnowledgeTree: %(n)d new matter", "KnowledgeTree: %(n)d new matters", n) % {"n": n}
        stop = absolute(reverse("chat:stop_letters", args=[stopping_token(user)]))
        context = {
            "sections": sections,
            "user": user,
            "language": language,
            "site": settings.PUBLIC_ADDRESS,
            "account": absolute(reverse("chat:account")),
            "stop": stop,
        }
        letter = EmailMultiAlternatives(
            subject=subject,
            body=render_to_string("letters/news.txt", context),
            to=[user.email],
            headers={
                "Message-ID": f"<{number.hex}@{urlsplit(settings.PUBLIC_ADDRESS).hostname}>",
                "Date": written.strftime("%a, %d %b %Y %H:%M:%S %z"),
                "Auto-Submitted": "auto-generated",
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
        )
        letter.attach_alternative(render_to_string("letters/news.html", context), "text/html")
    return letter


def absolute(path: str) -> str:
    return f"{settings.PUBLIC_ADDRESS}{path}"


def stopping_token(user: User) -> str:
    """Good for nothing but the end of this account's letters."""
    return signing.dumps(user.pk, salt=_STOP)


def user_who_stops(token: str) -> User | None:
    """Whose letters the token ends; None for one that we did not make."""
    try:
        return User.objects.filter(pk=signing.loads(token, salt=_STOP)).first()
    except signing.BadSignature:
        return None
