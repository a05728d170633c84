"""The health check of a container asks this machine's web server by a name that it serves."""

from knowledgetree.probe import is_well
from tests.installation import free_port
from tests.web_site import Page, WebSite


def test_it_is_well_where_the_server_says_so() -> None:
    with WebSite({"/readyz": Page("{}"), "/healthz": Page("{}", status=503)}) as site:
        assert is_well("readyz", port=site.port, host="wiedza.example.pl")
        assert not is_well("healthz", port=site.port, host="wiedza.example.pl")
    assert not is_well("readyz", port=free_port(), host="localhost")
