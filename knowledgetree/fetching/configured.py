"""The fetcher as the settings want it."""

from knowledgetree.conf import rag_settings
from knowledgetree.fetching.addresses import AddressPolicy
from knowledgetree.fetching.fetcher import USER_AGENT, Fetcher
from knowledgetree.fetching.types import Limits


def web_fetcher() -> Fetcher:
    """Built anew at every call, which costs nothing: settings may change."""
    settings = rag_settings().fetching
    return Fetcher(
        policy=AddressPolicy(settings.allowed_networks),
        ports=settings.ports,
        limits=Limits(
            seconds=settings.seconds,
            connect_seconds=settings.connect_seconds,
            max_bytes=settings.max_bytes,
            max_redirects=settings.max_redirects,
        ),
        user_agent=settings.user_agent or USER_AGENT,
    )


def webhook_sender() -> Fetcher:
    """For messages: their receivers may stand where pages are not fetched from, and none leads elsewhere."""
    settings = rag_settings().webhooks
    return Fetcher(
        policy=AddressPolicy(settings.allowed_networks),
        ports=settings.ports,
        limits=Limits(seconds=settings.seconds, max_redirects=0),
    )
