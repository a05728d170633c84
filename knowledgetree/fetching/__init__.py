"""The one way that this program reads the web: pages that people link to, sites that are crawled, results of searches.

Whoever chooses an address must not choose what this server can reach. See docs/adr/0015-fetching.md.
"""

from knowledgetree.fetching.configured import web_fetcher
from knowledgetree.fetching.fetcher import Fetcher
from knowledgetree.fetching.guarding import AddressGuard
from knowledgetree.fetching.types import Fetched, Limits, NotModified, ServerReply, Validators

__all__ = ["AddressGuard", "Fetched", "Fetcher", "Limits", "NotModified", "ServerReply", "Validators", "web_fetcher"]
