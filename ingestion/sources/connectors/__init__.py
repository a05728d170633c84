"""Places that are listed first and read then: network drives, object stores, repositories. A folder a kind."""

from ingestion.sources.connectors.declaration import Setting
from ingestion.sources.connectors.kinds import (
    KINDS,
    NEEDED,
    check_address,
    guard_of,
    host_and_port,
    missing_packages,
    open_connector,
    server_of,
)
from ingestion.sources.connectors.protocol import Connector, RemotePlace
from ingestion.sources.connectors.reading import ReadingOptions, plan_connector, read_connector

__all__ = [
    "KINDS",
    "NEEDED",
    "Connector",
    "ReadingOptions",
    "RemotePlace",
    "Setting",
    "check_address",
    "guard_of",
    "host_and_port",
    "missing_packages",
    "open_connector",
    "plan_connector",
    "read_connector",
    "server_of",
]
