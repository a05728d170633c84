"""WebDAV, and Nextcloud with its shares."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.webdav.connector.WebDAVConnector",
    packages=("webdav4",),
    schemes={"https": 443, "http": 80},
    example="https://cloud.example.pl/remote.php/dav/files/baza/Regulaminy/",
    settings=(Setting(name="user", label=_("account")),),
    secret=_("password"),
    secret_help=_("Of Nextcloud an app password (Settings → Security), so that it can be revoked alone."),
    tells_rights=True,
)
