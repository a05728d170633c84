"""Headers of proxies count as far as PROXIES says: the server in front of Django must not read them first."""

from uvicorn.main import main as uvicorn

from knowledgetree.management.commands.quickstart import _web_server


def test_the_server_of_quickstart_leaves_headers_of_proxies_to_us() -> None:
    arguments = _web_server("127.0.0.1", 8000)
    given = uvicorn.make_context("uvicorn", arguments[arguments.index("uvicorn") + 1 :])
    assert given.params["proxy_headers"] is False
