"""A backup put to the test: restored beside the living installation, seen by `doctor`, asked the same."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.utils.translation import gettext as _

from ingestion.models import Document
from knowledgetree.backups.errors import BackupFailed
from knowledgetree.backups.manifest import Manifest
from knowledgetree.database import embedded_runs, stop_embedded

_ELSEWHERE = ("DATABASE_URL", "S3_BUCKET", "REDIS_URL", "SEARCH_ENGINE")
"""What the living installation is told of other servers; the drill has none."""

_NOT_RESTORED = {"worker", "backups"}  # nobody waits for them there
_SPACE = 4  # times the dump: it, the database made of it, and room to work


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """`wrong`: what `doctor` says of the restored installation. `different`: questions that it answers otherwise.
    `changed`: documents that changed since the backup was made, which may be why.
    """

    documents: int
    wrong: Sequence[str]
    questions: int
    different: Sequence[str]
    changed: int

    @property
    def passed(self) -> bool:
        return not self.wrong and not (self.different and not self.changed)


def run_drill(manifest: Manifest, *, questions: int) -> Drill:
    """Nothing of the living installation is touched; what was restored is deleted. Raises BackupFailed."""
    with tempfile.TemporaryDirectory(prefix="knowledgetree-drill-", ignore_cleanup_errors=True) as folder:
        if shutil.disk_usage(folder).free < _SPACE * manifest.dump_bytes:
            raise BackupFailed(
                _("There is no room for a drill in %(folder)s.") % {"folder": folder},
                remedy=_("Make room, or let TMPDIR name another folder."),
            )
        beside = _environment(Path(folder))
        try:
            _run("restore", manifest.name, environment=beside)
            checks: list[dict[str, Any]] = json.loads(_run("doctor", "--json", environment=beside, may_fail=True))
            asked = _questions(questions)
            different = [one for one in asked if _answer(one, os.environ) != _answer(one, beside)]
        finally:
            if embedded_runs(Path(folder) / "postgres"):
                stop_embedded(Path(folder) / "postgres")
    bad = [check for check in checks if check["well"] is False and check["name"] not in _NOT_RESTORED]
    return Drill(
        documents=manifest.rows[Document._meta.db_table],
        wrong=[f"{check['subject']}: {check['detail']}" for check in bad],
        questions=len(asked),
        different=different,
        changed=Document.objects.filter(modified__gt=manifest.moment).count(),
    )


def _environment(folder: Path) -> dict[str, str]:
    """Of a process that lives in `folder` alone, with the secrets and the backups of this one."""
    dropped = {*_ELSEWHERE, *(f"{name}_FILE" for name in _ELSEWHERE), "SECRET_KEY_FILE", "ENCRYPTION_KEY_FILE"}
    return {name: value for name, value in os.environ.items() if name not in dropped} | {
        "VAR_DIR": str(folder),
        "BACKUP_LOCATION": settings.BACKUP_LOCATION or str(settings.VAR_DIR.absolute() / "backups"),
        "SECRET_KEY": settings.SECRET_KEY,
        "ENCRYPTION_KEY": settings.ENCRYPTION_KEY,
    }


def _questions(most: int) -> list[str]:
    """Of the installation's own evaluation datasets, spread over them."""
    rows = apps.get_model("rag", "EvaluationQuestion").objects.order_by("pk").values_list("text", flat=True)
    texts = list(dict.fromkeys(rows))
    return texts[:: max(1, len(texts) // most)][:most] if most else []


def _answer(question: str, environment: Mapping[str, str]) -> tuple[Any, ...]:
    """What is the same where the knowledge is the same; without a model, whose words differ from time to time."""
    answer = json.loads(_run("query", question, "--preset", "offline", "--json", environment=environment))
    return answer["outcome"], answer["text"], [(one["uri"], one["quote"]) for one in answer["citations"]]


def _run(*arguments: str, environment: Mapping[str, str], may_fail: bool = False) -> str:
    command = [sys.executable, "-m", "django", *arguments]
    done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        raise BackupFailed(
            _("In the drill this failed: %(command)s") % {"command": " ".join(arguments)}, detail=done.stderr.strip()
        )
    return done.stdout
