"""One page, one address: what can be written in many ways is written in one."""

import re

import httpx

_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_ga|_gl|_hs\w+|"
    r"pk_\w+|mtm_\w+|matomo_\w+|phpsessid|jsessionid|aspsessionid\w*|sid|sessionid",
    re.I,
)
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|sid)=[^/?]*", re.I)


def normal(url: str, *, base: str = "") -> str:
    """`url`, relative to `base`, without fragment, tracking and session parameters, the others in order. "" for what
    is no http or https address.
    """
    try:
        parsed = httpx.URL(base).join(url.strip()) if base else httpx.URL(url.strip())
        if parsed.scheme not in _DEFAULT_PORTS or not parsed.host:
            return ""
        port = None if parsed.port == _DEFAULT_PORTS[parsed.scheme] else parsed.port
        path = _SESSION_IN_PATH.sub("", parsed.raw_path.decode("ascii").partition("?")[0])
        query = _query(parsed.query.decode("ascii"))
        target = f"{path}?{query}" if query else path
        return str(parsed.copy_with(port=port, raw_path=target.encode("ascii"), fragment=None))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return ""


def _query(query: str) -> str:
    """In their own spelling: `?druk` and `?druk=` are not the same to every server, nor are all of them in UTF-8."""
    parameters = (parameter for parameter in query.split("&") if parameter)
    return "&".join(sorted(one for one in parameters if not _TRACKING.fullmatch(one.partition("=")[0])))


def identity(url: str) -> str:
    """The same for addresses that lead to one page: http or https, with a slash at the end or without."""
    parsed = httpx.URL(url)
    target = parsed.raw_path.decode("ascii")
    path, mark, query = target.partition("?")
    return f"{parsed.netloc.decode('ascii')}{path.rstrip('/')}{mark}{query}"


def path_of(url: str) -> str:
    return httpx.URL(url).path


def site_of(url: str) -> str:
    """Host and port."""
    return httpx.URL(url).netloc.decode("ascii")
