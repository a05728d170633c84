"""A process of its own that runs a job in the database of a test, and can be killed in the middle of it."""

import os
import subprocess
import sys

from django.conf import settings
from django.db import connection

from ingestion.models import Job
from knowledgetree.database import reach_embedded
from tests.installation import ROOT

_RUN = "import django; django.setup(); from ingestion.jobs import run_job; run_job({!r})"


def start_worker(job: Job, **environment: str) -> "subprocess.Popen[bytes]":
    directory, name = settings.DATABASES["default"].get("EMBEDDED_DIRECTORY"), connection.settings_dict["NAME"]
    url = reach_embedded(directory, name) if directory else os.environ["DATABASE_URL"].rsplit("/", 1)[0] + f"/{name}"
    given = {
        **os.environ,
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "knowledgetree.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "VAR_DIR": str(settings.MEDIA_ROOT),
        **environment,
    }
    return subprocess.Popen([sys.executable, "-c", _RUN.format(str(job.pk))], cwd=ROOT, env=given)
