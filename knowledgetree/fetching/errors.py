"""Why a page was not fetched. Messages are for the person who gave the address."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError, Text


class FetchError(KnowledgeTreeError):
    code = "fetch_failed"
    status = 502


class FetchRefused(FetchError):
    """We do not go there: the address is malformed or leads into a network that is not the public Internet."""

    code = "fetch_refused"
    status = 400
    remedy = _("Give a public http or https address, or ask the administrator to allow this network.")


class FetchFailed(FetchError):
    """The server cannot be reached, breaks off or answers nonsense."""

    code = "fetch_failed"
    retryable = True
    remedy = _("Try again later; check that the address opens in a browser.")


class FetchTimeout(FetchFailed):
    code = "fetch_timeout"
    status = 504


class BadReply(FetchError):
    """What was answered breaks the protocol or is packed in a way we do not open."""

    code = "bad_reply"
    remedy = _("Check that the address opens in a browser.")


class TooManyRedirects(FetchError):
    code = "too_many_redirects"
    remedy = _("Give the address that the page ends up at.")


class TooLarge(FetchError):
    code = "page_too_large"
    remedy = _("Download the file and upload it in parts, or ask the administrator to raise the limit.")


class WrongMediaType(FetchError):
    code = "wrong_media_type"
    remedy = _("Give the address of a page or of a document of a supported type.")


class HTTPFailure(FetchError):
    """The server answered with the error `answered`; `retry_after` are the seconds it asks to wait, or None."""

    code = "http_error"

    def __init__(self, message: Text, *, answered: int, retry_after: float | None = None) -> None:
        super().__init__(message, remedy=_("Check that the address opens in a browser without signing in."))
        self.answered = answered
        self.retry_after = retry_after
        self.retryable = answered in {408, 425, 429} or answered >= 500

    @property
    def gone(self) -> bool:
        """Whether the page does not exist, as far as the server knows."""
        return self.answered in {404, 410}
