"""Mailboxes by IMAP."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.imap.connector.IMAPConnector",
    packages=("imapclient",),
    schemes={"imaps": 993, "imap": 143},
    example="imaps://poczta.example.pl/INBOX",
    settings=(
        Setting(name="user", label=_("account")),
        Setting(
            name="grouping",
            about="content",
            label=_("one document"),
            choices=(("", _("a message")), ("thread", _("a conversation"))),
            help=_("A conversation is a message with its answers in the same folder."),
        ),
        Setting(
            name="attachments",
            about="content",
            label=_("attachments"),
            choices=(("", _("in the text of their message")), ("own", _("documents of their own"))),
        ),
        Setting(
            name="readers",
            about="documents",
            label=_("who may read"),
            help=_("Users by name or e-mail, groups as group:name, separated by commas. Empty: the account alone."),
        ),
    ),
    secret=_("password"),
    tells_rights=True,
)
