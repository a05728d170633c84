"""SFTP, which every SSH server speaks."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.sftp.connector.SFTPConnector",
    packages=("paramiko",),
    schemes={"sftp": 22},
    example="sftp://pliki.example.pl/srv/regulaminy/",
    settings=(
        Setting(name="user", label=_("account")),
        Setting(
            name="host_key",
            label=_("key of the server"),
            help=_("Of SFTP: its fingerprint, as its administrator gives it: SHA256:… Without it nothing is read."),
        ),
    ),
    secret=_("password"),
    secret_help=_("Of SFTP also a private key without a passphrase, whole."),
)
