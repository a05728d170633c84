"""`/metrics` in Prometheus' text format. It is not there unless METRICS_TOKEN or METRICS_NETWORKS is set."""

import os
from hmac import compare_digest
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from rest_framework.throttling import BaseThrottle

from knowledgetree.metrics.state import StateCollector


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """For whoever has the token or comes from an allowed network; 401 for others, 404 where neither is set."""
    if not (settings.METRICS_TOKEN or settings.METRICS_NETWORKS):
        raise Http404
    if not (_has_token(request) or _is_near(request)):
        return HttpResponse("Unauthorized\n", status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(_events() + _state(), content_type=CONTENT_TYPE_LATEST)


def _events() -> bytes:
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return generate_latest(REGISTRY)
    every_process = CollectorRegistry()
    MultiProcessCollector(every_process)  # type: ignore[no-untyped-call]
    return generate_latest(every_process)


def _state() -> bytes:
    now = CollectorRegistry()
    now.register(StateCollector())
    return generate_latest(now)


def _has_token(request: HttpRequest) -> bool:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    token: str = settings.METRICS_TOKEN
    return bool(token) and scheme.lower() == "bearer" and compare_digest(given.strip().encode(), token.encode())


def _is_near(request: HttpRequest) -> bool:
    """By the address that the rate limits go by: that of the peer, or what PROXIES trusted proxies say it is."""
    try:
        address = ip_address(BaseThrottle().get_ident(request))  # type: ignore[arg-type]
    except ValueError:
        return False
    return any(address in ip_network(network, strict=False) for network in settings.METRICS_NETWORKS)
