"""Whether letters reach editors: `doctor` says what is missing."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from knowledgetree.letters.models import Letter
from knowledgetree.readiness import Check

_LATELY = timedelta(days=2)


def letters() -> Check:
    subject = _("Letters to editors")
    missing = [name for name in ("EMAIL_HOST", "EMAIL_FROM", "PUBLIC_ADDRESS") if not _is_set(name)]
    if missing:
        return Check(
            name="letters",
            subject=subject,
            well=None,
            detail=_("none are sent; not set: %(names)s") % {"names": ", ".join(missing)},
            remedy=_("Set them (docs/letters.md), then try: knowledgetree test_letter ADDRESS"),
        )
    failed = Letter.objects.filter(sent=None, written__gte=timezone.now() - _LATELY).exclude(error="")
    if (last := failed.first()) is not None:
        return Check(
            name="letters",
            subject=subject,
            well=False,
            detail=_("not sent: %(n)d; last error: %(error)s") % {"n": failed.count(), "error": last.error},
            remedy=_("Mend EMAIL_…, then try: knowledgetree test_letter ADDRESS. What waits is sent by itself."),
        )
    without = User.objects.filter(is_active=True, is_staff=True, email="").count()
    return Check(
        name="letters",
        subject=subject,
        well=True,
        detail=_("by %(host)s; editors without an address: %(n)d") % {"host": settings.EMAIL_HOST, "n": without},
    )


def _is_set(name: str) -> bool:
    return (
        settings.DEFAULT_FROM_EMAIL != "knowledgetree@localhost"
        if name == "EMAIL_FROM"
        else bool(getattr(settings, name))
    )
