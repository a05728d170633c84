"""Git repositories over HTTP, as GitLab, Gitea, GitHub and others serve them."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.git.connector.GitConnector",
    packages=("dulwich",),
    schemes={"https": 443, "http": 80},
    example="https://git.example.pl/kadry/regulaminy.git",
    settings=(
        Setting(name="user", label=_("account")),
        Setting(
            name="branch",
            about="content",
            label=_("branch"),
            help=_("Of Git: such as main. Empty: the one the server shows."),
        ),
        Setting(
            name="folder",
            about="content",
            label=_("folder"),
            help=_("Of Git: such as docs/regulaminy. Empty: everything."),
        ),
        Setting(
            name="history",
            about="content",
            label=_("earlier versions"),
            pattern=r"\d{1,3}|\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
            example="20, 2024-01-31",
            help=_(
                "Of Git: what a file was in earlier commits becomes earlier versions of its document. A number, or a "
                "day such as 2024-01-31: what has held since. Empty: 10. 0: none. Documents that are here get none "
                "added."
            ),
        ),
    ),
    secret=_("password"),
    secret_help=_("Of Git an access token that may read this repository and nothing else."),
)
