"""The two addresses of an OpenID Connect provider, which may be away, or not what it says."""

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


def _answering(view: _View) -> _View:
    """allauth lets through that the provider's description is missing or no JSON."""

    @wraps(view)
    def answering(request: HttpRequest, provider_id: str) -> HttpResponse:
        try:
            return view(request, provider_id)
        except (RequestException, KeyError, ValueError) as error:
            log.warning("the directory does not answer", extra={"fields": {"reason": str(error)}})
            return refused_page(request, ProviderFailed(_("The directory does not answer just now.")))

    return answering


login = never_cache(_answering(views.login))
callback = never_cache(_answering(views.callback))
