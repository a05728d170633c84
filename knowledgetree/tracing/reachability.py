"""Whether a collector takes our spans."""

import os
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from django.conf import settings
from django.utils.translation import gettext as _

from knowledgetree.readiness import Check
from knowledgetree.tracing.environment import is_installed

_SECONDS = 3


def tracing() -> Check:
    """A collector that is asked is sent no span: an empty message is a valid one."""
    if settings.TRACING is None:
        return _check(None, _("off"), _("To have it: OTEL_EXPORTER_OTLP_ENDPOINT (docs/production.md)."))
    if not is_installed():
        return _check(False, _("set, but not installed"), _("Install it: pip install 'knowledgetree[otel]'"))
    if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf") != "http/protobuf":
        return _check(False, _("OTEL_EXPORTER_OTLP_PROTOCOL is another one"), _("Spans go by http/protobuf alone."))
    address = urlsplit(settings.TRACING.endpoint)
    where = {"where": f"{address.scheme}://{address.hostname}:{address.port or ''}".rstrip(":")}
    if reason := _refusal(settings.TRACING.endpoint):
        remedy = _("Spans are lost meanwhile, nothing else. Look at the collector and at OTEL_EXPORTER_OTLP_….")
        return _check(False, _("%(where)s does not take spans: %(reason)s") % {**where, "reason": reason}, remedy)
    told = _("spans go to %(where)s, with questions") if settings.TRACING.texts else _("spans go to %(where)s")
    return _check(True, told % where)


def _refusal(endpoint: str) -> str:
    """ "" where it takes them."""
    from opentelemetry.util.re import parse_env_headers

    given = [os.environ.get(f"OTEL_EXPORTER_OTLP_{name}", "") for name in ("HEADERS", "TRACES_HEADERS")]
    headers = {"Content-Type": "application/x-protobuf"}
    for one in given:
        headers |= parse_env_headers(one, liberal=True)
    try:
        with urlopen(Request(endpoint, data=b"", headers=headers), timeout=_SECONDS):  # noqa: S310 (an operator's own)
            return ""
    except (URLError, OSError, ValueError) as error:
        return str(getattr(error, "reason", error))


def _check(well: bool | None, detail: str, remedy: str = "") -> Check:
    return Check(name="tracing", subject="OpenTelemetry", well=well, detail=detail, remedy=remedy)
