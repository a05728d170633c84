"""Confluence, of Atlassian's cloud or a server's own."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.confluence.connector.ConfluenceConnector",
    packages=("httpx",),
    schemes={"https": 443, "http": 80},
    example="https://firma.atlassian.net/wiki/",
    settings=(
        Setting(name="user", label=_("account")),
        Setting(
            name="spaces",
            about="content",
            label=_("spaces"),
            help=_("Of Confluence: their keys, separated by commas, such as KADRY. Empty: all that the account sees."),
        ),
    ),
    secret=_("password"),
    secret_help=_("Of Confluence a token: an API token of the account, or a personal one with the account left empty."),
    tells_rights=True,
)
