"""ASGI entry point of the web server. Streaming answers need ASGI: under WSGI they arrive in one piece."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
os.environ.setdefault("DATABASE_POOL", "1")

import threading
import warnings

from knowledgetree.memory import seek_garbage_seldom, share_arenas

seek_garbage_seldom()
share_arenas()

import django  # noqa: E402  (imports are what it is for)

from knowledgetree.http.handler import OneThreadHandler  # noqa: E402
from knowledgetree.http.mounting import MountedApplication  # noqa: E402
from knowledgetree.supervision.lifeline import end_with_supervisor  # noqa: E402
from rag.api.mcp import PATH  # noqa: E402

end_with_supervisor()
django.setup(set_prefix=False)
application = MountedApplication(OneThreadHandler(), path=PATH, dotted_path="rag.api.mcp.endpoint.endpoint")

import knowledgetree.urls  # noqa: E402, F401  (the first reader does not wait for the import of all pages)
from knowledgetree.warmup import warm_up  # noqa: E402  (models need the application)

# WhiteNoise hands over files block by block; Django says of each that it would rather have it asynchronous.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
threading.Thread(target=warm_up, name="warm-up", daemon=True).start()
