"""Somebody else's web site, on a port and so an origin of its own, with a policy as strict as they come."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_PAGE = """<!doctype html>
<html lang="pl">
<head><meta charset="utf-8"><title>Gmina Lipowo</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Gmina Lipowo</h1><p>Aktualności i <a href="#ogloszenia">ogłoszenia</a>.</p></main>
<script src="{site}/static/widget/widget.js" data-widget="{widget}" defer {attributes}></script></body>
</html>"""
_POLICY = (
    "default-src 'none'; script-src {site}; connect-src {site}; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'"
)


@contextmanager
def host_page(site: str, widget: str, attributes: str = "") -> Iterator[str]:
    """The address of a running server all of whose pages have the tag."""
    body = _PAGE.format(site=site, widget=widget, attributes=attributes).encode()
    policy = _POLICY.format(site=site)

    class HostHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", policy)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), HostHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
