"""`manage.py test_letter`: a letter sent now, and what the server said."""

from argparse import ArgumentParser
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from knowledgetree import console
from knowledgetree.letters.composing import absolute


class Command(console.Command):
    help = gettext_noop("Send a test letter to an address, and say what the mail server answered.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help=_("who gets it"))

    def handle(self, *, address: str, **options: Any) -> None:
        if not settings.EMAIL_HOST:
            raise CommandError(_("No mail server is set. Set EMAIL_HOST and EMAIL_FROM (docs/letters.md)."))
        told = {"host": settings.EMAIL_HOST, "port": settings.EMAIL_PORT, "sender": settings.DEFAULT_FROM_EMAIL}
        self.say(_("By %(host)s, port %(port)d, from %(sender)s:") % told)
        letter = EmailMessage(
            subject=_("KnowledgeTree: a test"),
            body=_("Letters from the knowledge base arrive here. Its address: %(address)s")
            % {"address": absolute("/")},
            to=[address],
        )
        try:
            letter.send()
        except (SMTPException, OSError) as error:
            raise CommandError(_("Not taken: %(error)s") % {"error": error}) from error
        self.say(self.style.SUCCESS(_("The server took the letter. Look whether it arrives, also among spam.")))
        if not settings.PUBLIC_ADDRESS:
            self.say(
                _("PUBLIC_ADDRESS is not set: letters to editors need it for their links, and are not sent without.")
            )
