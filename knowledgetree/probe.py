"""The health check of a container, `python -m knowledgetree.probe readyz`: small, for it runs twice a minute.

Ends with 0 where the web server of this machine answers that it is well. PORT: 8000 unless it says otherwise.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

_SECONDS = 4


def is_well(path: str, *, port: int, host: str) -> bool:
    """`host` is what the server is asked as: one of ALLOWED_HOSTS."""
    server = HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
    try:
        server.request("GET", f"/{path}", headers={"Host": host})
        return server.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        server.close()


if __name__ == "__main__":
    allowed = os.environ.get("ALLOWED_HOSTS", "localhost").partition(",")[0].strip()
    well = is_well(sys.argv[1], port=int(os.environ.get("PORT", "8000")), host=allowed.lstrip(".*") or "localhost")
    sys.exit(not well)
