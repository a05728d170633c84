"""S3, and the object stores that speak as it does."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.s3.connector.S3Connector",
    packages=("botocore",),
    schemes={"s3": 443},
    example="s3://dokumenty/regulaminy/",
    settings=(
        Setting(name="user", label=_("account")),
        Setting(
            name="endpoint",
            label=_("address of the store"),
            help=_("Of S3: such as https://minio.example.pl. Empty: Amazon's."),
        ),
        Setting(name="region", label=_("region"), help=_("Of S3: such as eu-central-1. Empty: us-east-1.")),
    ),
    secret=_("password"),
    server_setting="endpoint",
    usual_server="https://s3.amazonaws.com",
    other_ports=frozenset({80}),
)
