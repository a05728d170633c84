"""Acts of Dziennik Ustaw and Monitor Polski, by the ELI service of the Sejm."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.eli.connector.ELIConnector",
    packages=("httpx",),
    schemes={"https": 443, "http": 80},
    example="https://api.sejm.gov.pl/eli/acts/DU/2024",
    settings=(
        Setting(
            name="acts",
            about="content",
            label=_("acts"),
            help=_("Of ELI: their addresses, separated by commas, such as DU/2018/1000. Empty: all of the location."),
        ),
        Setting(
            name="title",
            about="content",
            label=_("words of the title"),
            help=_("Of ELI: only acts that have them all."),
        ),
        Setting(
            name="wording",
            about="content",
            label=_("wording"),
            choices=(("", _("with its changes, where there is such a text")), ("announced", _("as announced"))),
        ),
    ),
)
