"""The addresses that a provider's answers come to: it may be away, or not what it says."""

from collections.abc import Callable
from functools import wraps

from allauth.socialaccount.providers.openid_connect import views
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from requests import RequestException

from knowledgetree.identity.errors import ProviderFailed
from knowledgetree.identity.provider_adapter import log, refused_page

_View = Callable[..., HttpResponse]


def answering_always(view: _View) -> _View:
    """A page also for what allauth lets through: that a description is missing or no JSON, an answer no XML."""

    @wraps(view)
    def answering(request: HttpRequest, **named: str) -> HttpResponse:
        try:
            return view(request, **named)
        except (RequestException, KeyError, ValueError, SyntaxError) as error:  # the last one is lxml's
            log.warning("the directory does not answer", extra={"fields": {"reason": str(error)}})
            return refused_page(request, ProviderFailed(_("The directory does not answer just now.")))

    return answering


login = never_cache(answering_always(views.login))
callback = never_cache(answering_always(views.callback))
