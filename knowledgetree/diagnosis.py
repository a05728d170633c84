"""What `doctor` looks at. A finding that is not well says what to do."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ
from django_q.status import Stat

from ingestion.models import Document, EmbeddingSpace, Job
from ingestion.reading.ocr.parts import ocr_parts
from ingestion.selectors import active_space, configured_model
from ingestion.services.entities import outdated_documents
from knowledgetree.conf import rag_settings
from knowledgetree.database import is_pooled
from knowledgetree.health import waiting_migrations
from knowledgetree.postgres.problems import DatabaseProblem, problem_of

_ENOUGH_DISK = 2_000_000_000  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """`well` None: neither good nor bad, an option that is not used."""

    subject: str
    well: bool | None
    detail: str
    remedy: str = ""


def diagnose() -> Iterator[Diagnosis]:
    """One finding a subject; a subject that needs the database or its tables is left out where there are none."""
    yield (database := _database())
    if database.well:
        yield from _pooler()
        yield (migrations := _migrations())
        if migrations.well:
            for look in (_documents, _names, _space, _worker):
                yield look()
    yield _language_model()
    yield _neural()
    yield from _ocr()
    yield _disk()


def _database() -> Diagnosis:
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('server_version'), "
                "(SELECT default_version FROM pg_available_extensions WHERE name = 'vector')"
            )
            version, vector = cursor.fetchone()
    except (DatabaseError, ImproperlyConfigured) as error:
        problem = problem_of(error) or DatabaseProblem(detail=str(error), remedy="")
        return Diagnosis(subject="Baza danych", well=False, detail=problem.detail, remedy=problem.remedy)
    where = "wbudowana" if "EMBEDDED_DIRECTORY" in connection.settings_dict else connection.settings_dict["HOST"]
    return Diagnosis(subject="Baza danych", well=True, detail=f"PostgreSQL {version}, pgvector {vector} ({where})")


def _pooler() -> Iterator[Diagnosis]:
    if is_pooled(connection.settings_dict):
        yield Diagnosis(
            subject="PgBouncer",
            well=None,
            detail="ten DATABASE_URL prowadzi przez PgBouncer w trybie transakcji",
            remedy="Tylko dla procesów WWW. Proces roboczy i polecenia łącz wprost z PostgreSQL.",
        )


def _migrations() -> Diagnosis:
    if waiting := waiting_migrations():
        return Diagnosis(
            subject="Migracje",
            well=False,
            detail=f"niewykonane: {waiting}",
            remedy="Uruchom: python manage.py migrate",
        )
    return Diagnosis(subject="Migracje", well=True, detail="wykonane")


def _documents() -> Diagnosis:
    ready = Document.objects.filter(status=Document.Status.READY).count()
    failed = Document.objects.filter(status=Document.Status.FAILED).count()
    if not ready:
        return Diagnosis(
            subject="Dokumenty",
            well=False,
            detail="baza wiedzy jest pusta",
            remedy="Uruchom: python manage.py index FOLDER --collection NAZWA (albo load_sample).",
        )
    detail = f"gotowe: {ready}, nieudane: {failed}"
    remedy = "Przyczyny: panel administracyjny → Dokumenty, filtr „nieudane”." if failed else ""
    return Diagnosis(subject="Dokumenty", well=True, detail=detail, remedy=remedy)


def _names() -> Diagnosis:
    if waiting := outdated_documents().count():
        return Diagnosis(
            subject="Nazwy w dokumentach",
            well=None,
            detail=f"starsza wersja programu rozpoznała je w dokumentach: {waiting}",
            remedy="Proces roboczy zrobi to sam, najpóźniej w nocy. Od razu: python manage.py refresh_entities",
        )
    return Diagnosis(subject="Nazwy w dokumentach", well=True, detail="rozpoznane przez tę wersję programu")


def _space() -> Diagnosis:
    space = active_space()
    wanted = rag_settings().embedder
    if space is None:
        return Diagnosis(subject="Wektory", well=None, detail="przestrzeń powstanie z pierwszym dokumentem")
    if space.embedder != wanted:
        return Diagnosis(
            subject="Wektory",
            well=False,
            detail=f"działa „{space.embedder}”, w ustawieniach „{wanted}”",
            remedy="Uruchom: python manage.py reembed --activate (dotąd szuka stary model).",
        )
    if (configured := configured_model(space.embedder)) != space.model:
        return Diagnosis(
            subject="Wektory",
            well=False,
            detail=f"wektory są z modelu „{space.model}”, w ustawieniach „{configured}”",
            remedy="Uruchom: python manage.py reembed --activate (dotąd szuka stary model).",
        )
    if stuck := EmbeddingSpace.objects.exclude(error="").first():
        return Diagnosis(
            subject="Wektory",
            well=False,
            detail=f"przestrzeń „{stuck}” nie może się zapełnić",
            remedy=stuck.error,
        )
    return Diagnosis(subject="Wektory", well=True, detail=f"{space.model}, wymiar {space.dimension}")


def _worker() -> Diagnosis:
    running = [stat for stat in Stat.get_all() if stat.status != "Stopped"]
    free = OrmQ.objects.filter(lock__lte=timezone.now())  # a locked ticket is being worked on
    waiting = max(free.count(), Job.objects.filter(status=Job.Status.QUEUED).count())
    if running:
        return Diagnosis(subject="Proces roboczy", well=True, detail=f"działa; w kolejce: {waiting}")
    if not waiting:
        return Diagnosis(subject="Proces roboczy", well=None, detail="stąd niewidoczny; kolejka jest pusta")
    return Diagnosis(
        subject="Proces roboczy",
        well=False,
        detail=f"w kolejce czeka zadań: {waiting}",
        remedy="Jeśli liczba nie maleje, uruchom: python manage.py worker",
    )


def _language_model() -> Diagnosis:
    llm = rag_settings().llm
    if llm.api_key:
        return Diagnosis(
            subject="Model językowy", well=True, detail=f"{llm.model} ({llm.base_url or 'api.anthropic.com'})"
        )
    return Diagnosis(
        subject="Model językowy",
        well=None,
        detail="brak klucza; odpowiedzi są złożone ze zdań dokumentów",
        remedy="Aby odpowiadał model, ustaw ANTHROPIC_API_KEY (i ewentualnie ANTHROPIC_BASE_URL).",
    )


def _neural() -> Diagnosis:
    installed = find_spec("sentence_transformers") is not None
    needed = rag_settings().embedder == "sentence_transformers"
    return Diagnosis(
        subject="Modele wektorowe",
        well=installed or (False if needed else None),
        detail="sentence-transformers zainstalowane" if installed else "niezainstalowane",
        remedy="" if installed else "Zainstaluj: pip install '.[neural]'",
    )


def _ocr() -> Iterator[Diagnosis]:
    """The package, the program and the Polish data, which come from three places."""
    parts = ocr_parts()
    yield Diagnosis(
        subject="Skany: pakiet",
        well=parts.package,
        detail="pytesseract zainstalowany" if parts.package else "brak pakietu pytesseract",
        remedy="" if parts.package else "Zainstaluj zależności programu jeszcze raz: pip install --editable .",
    )
    yield Diagnosis(
        subject="Skany: program",
        well=True if parts.program else None,
        detail=parts.program or "brak programu tesseract; skany i obrazy nie są odczytywane",
        remedy="" if parts.program else "Zainstaluj pakiety: tesseract-ocr tesseract-ocr-pol",
    )
    if parts.program:
        polish = "pol" in parts.languages
        yield Diagnosis(
            subject="Skany: język polski",
            well=polish,
            detail="są dane języka polskiego" if polish else "tesseract nie ma danych języka polskiego",
            remedy="" if polish else "Zainstaluj pakiet tesseract-ocr-pol albo popraw TESSDATA_PREFIX.",
        )


def _disk() -> Diagnosis:
    place = next(path for path in (Path(settings.VAR_DIR), *Path(settings.VAR_DIR).parents) if path.exists())
    free = shutil.disk_usage(place).free
    return Diagnosis(
        subject="Miejsce na dysku",
        well=free >= _ENOUGH_DISK,
        detail=f"wolne: {free / 1e9:.0f} GB w {place}",
        remedy="" if free >= _ENOUGH_DISK else "Zwolnij miejsce albo przenieś VAR_DIR na większy dysk.",
    )
