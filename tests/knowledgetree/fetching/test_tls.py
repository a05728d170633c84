"""The connection goes to the checked address, the certificate is that of the name."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from knowledgetree.fetching import Fetcher
from knowledgetree.fetching.errors import FetchFailed
from tests.web_site import Page, WebSite

NAME = "strona.invalid"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for NAME with its key, signed by itself."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    path = tmp_path_factory.mktemp("tls") / "site.pem"
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME} -addext subjectAltName=DNS:{NAME}"
    subprocess.run(["openssl", *words.split(), "-keyout", path, "-out", f"{path}.crt"], check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


@pytest.fixture
def site(certificate: Path) -> WebSite:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return WebSite({"/": Page("<p>bezpiecznie</p>")}, ssl_context=context)


def trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=f"{certificate}.crt")


def test_the_certificate_is_checked_for_the_name(site: WebSite, certificate: Path) -> None:
    asked: list[str | None] = []
    assert site.ssl_context
    site.ssl_context.sni_callback = lambda _socket, name, _context: asked.append(name)
    with site:
        fetcher = Fetcher(resolver=lambda *_: ["127.0.0.1"], ssl_context=trusting(certificate), **site.access)
        assert "bezpiecznie" in fetcher.get(f"https://{NAME}:{site.port}/").text  # type: ignore[union-attr]
    assert asked == [NAME]


def test_a_certificate_of_another_name_is_refused(site: WebSite, certificate: Path) -> None:
    with site:
        fetcher = Fetcher(resolver=lambda *_: ["127.0.0.1"], ssl_context=trusting(certificate), **site.access)
        with pytest.raises(FetchFailed):
            fetcher.get(f"https://inna.invalid:{site.port}/")
    assert site.requests == []


def test_a_certificate_that_nobody_vouches_for_is_refused(site: WebSite) -> None:
    with site, pytest.raises(FetchFailed):
        Fetcher(resolver=lambda *_: ["127.0.0.1"], **site.access).get(f"https://{NAME}:{site.port}/")
    assert site.requests == []
