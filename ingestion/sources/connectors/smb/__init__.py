"""SMB, by which Windows servers, Samba and storage appliances share network drives."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.smb.connector.SMBConnector",
    packages=("smbprotocol",),
    schemes={"smb": 445},
    example="smb://pliki.example.pl/dane/regulaminy/",
    settings=(
        Setting(name="user", label=_("account")),
        Setting(name="domain", label=_("domain"), help=_("Of network drives: empty for an account of the server.")),
    ),
    secret=_("password"),
    tells_rights=True,
)
