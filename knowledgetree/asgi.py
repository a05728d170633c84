"""ASGI entry point of the web server. Streaming answers need ASGI: under WSGI they arrive in one piece."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
os.environ.setdefault("DATABASE_POOL", "1")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
