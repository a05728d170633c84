"""What `doctor` looks at: what readers need (`knowledgetree.readiness`), and what else works or is missing."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ingestion.models import Document, EmbeddingSpace, LexiconPack, Source
from ingestion.reading.ocr.parts import ocr_parts
from ingestion.selectors import active_space, configured_model
from ingestion.services.entities import outdated_documents
from ingestion.services.lexicon.packs import shipped_packs
from ingestion.services.lexicon.upgrade import outdated_packs
from ingestion.sources.connectors import NEEDED, missing_packages
from ingestion.sources.connectors.errors import PackageMissing
from knowledgetree.backups import find_backup
from knowledgetree.backups.errors import BackupFailed, NoSuchBackup
from knowledgetree.conf import rag_settings
from knowledgetree.database import is_pooled
from knowledgetree.encryption import UndecipherableSecret
from knowledgetree.env import env_secret
from knowledgetree.identity.reachability import directory_states
from knowledgetree.language_models import LLM_STEPS
from knowledgetree.letters.check import letters
from knowledgetree.postgres.pooling import shares_a_server
from knowledgetree.postgres.problems import POOLER_REMEDY
from knowledgetree.privacy.whole_texts import whole_texts
from knowledgetree.readiness import Check, database, embedding_space, migrations, storage, worker
from knowledgetree.redis_server.reachability import redis_answers
from knowledgetree.search_engine.check import search_engine
from knowledgetree.storage.reachability import bucket_serves
from knowledgetree.tracing.reachability import tracing
from rag.llm import served_by
from rag.llm.configuration import llm_settings, stored_servers
from rag.llm.spending.budgets import budget_states

_ENOUGH_DISK = 2_000_000_000  # bytes
_TWO_NIGHTS = timedelta(hours=50)


def diagnose() -> Iterator[Check]:
    """One check a subject; a subject that needs the database or its tables is left out where there are none."""
    yield (connected := database())
    if connected.well:
        yield from _pooler()
        yield (migrated := migrations())
        if migrated.well:
            for look in (_documents, _names, _lexicon, _vectors, search_engine, worker):
                yield look()
            yield from _budgets()
            yield from _connectors()
    if (settings.S3 or settings.REDIS_URL) and not env_secret("SECRET_KEY"):
        yield _secret_of_one_host()
    if settings.REDIS_URL:
        yield redis_answers()
    if settings.S3:
        yield bucket_serves()
    yield from _undecipherable()
    yield from _directories()
    yield _language_model()
    yield from whole_texts()
    yield tracing()
    yield _neural()
    yield from _ocr()
    yield _backups()
    yield letters()
    full = storage()
    yield _disk() if full.well else full


def _backups() -> Check:
    """The newest one, and whether a night has missed it where one is made every night."""
    subject = _("Backups")
    try:
        newest = find_backup()
    except NoSuchBackup:
        remedy = _("Make one: knowledgetree backup. Where BACKUP_LOCATION names a place, a night makes one by itself.")
        return Check(name="backups", subject=subject, well=None, detail=_("none yet"), remedy=remedy)
    except (BackupFailed, OSError) as error:
        return Check(name="backups", subject=subject, well=False, detail=str(error), remedy=_("Mend BACKUP_LOCATION."))
    missed = bool(settings.BACKUP_LOCATION) and timezone.now() - newest.moment > _TWO_NIGHTS
    when = date_format(timezone.localtime(newest.moment), "DATETIME_FORMAT")
    remedy = _("No night has made one since: see the log of the worker, then run knowledgetree backup.")
    detail = _("the newest of %(when)s") % {"when": when}
    return Check(name="backups", subject=subject, well=not missed, detail=detail, remedy=remedy if missed else "")


def _pooler() -> Iterator[Check]:
    if is_pooled(connection.settings_dict):
        yield Check(
            name="pooler",
            subject="PgBouncer",
            well=None,
            detail=_("this DATABASE_URL leads through PgBouncer in its transaction mode"),
            remedy=_("For web processes alone. Connect the worker and commands straight to PostgreSQL."),
        )
    elif shares_a_server():
        yield Check(
            name="pooler",
            subject="PgBouncer",
            well=False,
            detail=_("its transaction mode, of which DATABASE_URL says nothing"),
            remedy=str(POOLER_REMEDY),
        )


def _secret_of_one_host() -> Check:
    return Check(
        name="secret_key",
        subject="SECRET_KEY",
        well=False,
        detail=_("hosts share a store or Redis, but each would sign with a key of its own"),
        remedy=_("Set SECRET_KEY to the same value on every host."),
    )


def _documents() -> Check:
    ready = Document.objects.filter(status=Document.Status.READY).count()
    failed = Document.objects.filter(status=Document.Status.FAILED).count()
    if not ready:
        return Check(
            name="documents",
            subject=_("Documents"),
            well=False,
            detail=_("the knowledge base is empty"),
            remedy=_("Run: knowledgetree index FOLDER --collection NAME (or load_sample)."),
        )
    return Check(
        name="documents",
        subject=_("Documents"),
        well=True,
        detail=_("ready: %(ready)d, failed: %(failed)d") % {"ready": ready, "failed": failed},
        remedy=_("Reasons: admin → Documents, filter “failed”.") if failed else "",
    )


def _names() -> Check:
    subject = _("Names in documents")
    if waiting := outdated_documents().count():
        return Check(
            name="names",
            subject=subject,
            well=None,
            detail=_("an older version of the program recognised them in documents: %(n)d") % {"n": waiting},
            remedy=_("The worker does it, at night at the latest. At once: knowledgetree refresh_entities"),
        )
    return Check(name="names", subject=subject, well=True, detail=_("recognised by this version of the program"))


def _lexicon() -> Check:
    """Whether the packs that ship with the program are loaded as they ship."""
    subject = _("Lexicon of everyday words")
    loaded = LexiconPack.objects.count()
    if not outdated_packs(shipped_packs()):
        return Check(name="lexicon", subject=subject, well=True, detail=_("packs: %(n)d") % {"n": loaded})
    return Check(
        name="lexicon",
        subject=subject,
        well=None,
        detail=_("loaded by another version of the program") if loaded else _("not loaded"),
        remedy=_("Run: knowledgetree load_lexicon"),
    )


def _vectors() -> Check:
    """Whether there is a space, and whether it is what the settings want."""
    space, wanted = active_space(), rag_settings().embedder
    if space is None:
        return embedding_space()
    reembed = _("Run: knowledgetree reembed --activate (until then the old model searches).")
    if space.embedder != wanted:
        told = {"embedder": space.embedder, "wanted": wanted}
        return _wrong_vectors(_("“%(embedder)s” works, the settings have “%(wanted)s”") % told, reembed)
    if (configured := configured_model(space.embedder)) != space.model:
        told = {"model": space.model, "wanted": configured}
        detail = _("the vectors are of the model “%(model)s”, the settings have “%(wanted)s”") % told
        return _wrong_vectors(detail, reembed)
    if stuck := EmbeddingSpace.objects.exclude(error="").first():
        return _wrong_vectors(_("the space “%(space)s” cannot be filled") % {"space": stuck}, stuck.error)
    dimension = _("dimension %(n)d") % {"n": space.dimension}
    return Check(name="vectors", subject=_("Vectors"), well=True, detail=f"{space.model}, {dimension}")


def _wrong_vectors(detail: str, remedy: str) -> Check:
    return Check(name="vectors", subject=_("Vectors"), well=False, detail=detail, remedy=remedy)


def _budgets() -> Iterator[Check]:
    """Those that are used up, or nearly so."""
    for state in budget_states():
        if state.level == "free":
            continue
        told = {"name": state.name or _("the installation"), "percent": round(100 * state.share)}
        yield Check(
            name="budget",
            subject=_("Budget of language models"),
            well=False if state.level == "stopped" else None,
            detail=_("%(name)s: %(percent)d %% of this month's is used") % told,
            remedy=_("Where it is used up, no model is asked until the month is over: admin → Budgets."),
        )


def _connectors() -> Iterator[Check]:
    """What the sources that are set up are read with."""
    for kind in Source.objects.filter(kind__in=NEEDED).values_list("kind", flat=True).order_by("kind").distinct():
        missing = missing_packages(kind)
        yield Check(
            name=f"connector_{kind}",
            subject=_("Sources: %(kind)s") % {"kind": Source.Kind(kind).label},
            well=not missing,
            detail=_("missing: %(names)s") % {"names": ", ".join(missing)} if missing else _("what they need is there"),
            remedy=str(PackageMissing.remedy) if missing else "",
        )


def _undecipherable() -> Iterator[Check]:
    for name in stored_servers().undecipherable:
        yield Check(
            name="language_model_key",
            subject=_("Language model"),
            well=False,
            detail=_("the key of the server “%(name)s” cannot be decrypted, so it is not asked") % {"name": name},
            remedy=str(UndecipherableSecret.remedy),
        )


def _directories() -> Iterator[Check]:
    for state in directory_states():
        yield Check(name=state.name, subject=state.subject, well=state.well, detail=state.detail, remedy=state.remedy)


def _language_model() -> Check:
    llm = llm_settings()
    subject = _("Language model")
    if llm.configured:
        # Those that do the steps too, each once: the first is the one that answers.
        models = dict.fromkeys(served_by(llm, step) for step in LLM_STEPS if llm.for_step(step).configured)
        return Check(name="language_model", subject=subject, well=True, detail="; ".join(models))
    if llm.api_key or llm.base_url:
        return Check(
            name="language_model",
            subject=subject,
            well=False,
            detail=_("there is a server, but no model is named"),
            remedy=_("Set LLM_MODEL to a name that the server knows."),
        )
    return Check(
        name="language_model",
        subject=subject,
        well=None,
        detail=_("none; answers are put together from sentences of documents"),
        remedy=_("To have a model answer: admin → Servers, or LLM_API_KEY, or LLM_API and LLM_BASE_URL."),
    )


def _neural() -> Check:
    installed = find_spec("sentence_transformers") is not None
    needed = rag_settings().embedder == "sentence_transformers"
    return Check(
        name="neural",
        subject=_("Embedding models"),
        well=installed or (False if needed else None),
        detail=_("sentence-transformers is installed") if installed else _("not installed"),
        remedy="" if installed else _("Install: pip install 'knowledgetree[neural]'"),
    )


def _ocr() -> Iterator[Check]:
    """The package, the program and the Polish data, which come from three places."""
    parts = ocr_parts()
    yield Check(
        name="ocr_package",
        subject=_("Scans: package"),
        well=parts.package,
        detail=_("pytesseract is installed") if parts.package else _("the package pytesseract is missing"),
        remedy="" if parts.package else _("Install the program's dependencies again: pip install --editable ."),
    )
    yield Check(
        name="ocr_program",
        subject=_("Scans: program"),
        well=True if parts.program else None,
        detail=parts.program or _("the program tesseract is missing; scans and pictures are not read"),
        remedy="" if parts.program else _("Install the packages: tesseract-ocr tesseract-ocr-pol"),
    )
    if parts.program:
        polish = "pol" in parts.languages
        yield Check(
            name="ocr_polish",
            subject=_("Scans: Polish"),
            well=polish,
            detail=_("the data of Polish are there") if polish else _("tesseract has no data of Polish"),
            remedy="" if polish else _("Install the package tesseract-ocr-pol or mend TESSDATA_PREFIX."),
        )


def _disk() -> Check:
    place = next(path for path in (Path(settings.VAR_DIR), *Path(settings.VAR_DIR).parents) if path.exists())
    free = shutil.disk_usage(place).free
    return Check(
        name="disk",
        subject=_("Disk space"),
        well=free >= _ENOUGH_DISK,
        detail=_("free: %(gigabytes).0f GB in %(folder)s") % {"gigabytes": free / 1e9, "folder": place},
        remedy="" if free >= _ENOUGH_DISK else _("Make room, or move VAR_DIR to a larger disk."),
    )
