"""Why the web was not searched. The answer goes on without it."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError


class WebSearchFailed(KnowledgeTreeError):
    code = "web_search_failed"
    status = 502
    retryable = True
    remedy = _("Try again in a moment.")


class WebSearchRejected(WebSearchFailed):
    """Wrong key or address, no credit, a format that is switched off."""

    code = "web_search_rejected"
    retryable = False
    remedy = _("The administrator should check the settings of the web search.")
