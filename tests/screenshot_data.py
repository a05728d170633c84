"""What the sample knowledge base has none of: a feed with a key whose server is away, changes of chunking,
and a widget.
"""

from django.contrib.auth.models import User

from ingestion.jobs import run_job
from ingestion.models import Collection, Job, Source
from ingestion.services.rechunking import Wish, pause_rechunking, start_rechunking
from ingestion.services.sources import start_sync
from rag.models import Assistant, Widget

FEED_KEY = {
    "FEED_KEYS": "kadry",
    "FEED_KEY_KADRY": "Bearer 0123456789",
    "FEED_KEY_KADRY_ORIGIN": "https://kadry.example.invalid",
}
_TRIES = 3


def add() -> None:
    """In the database of this process, with FEED_KEY in its environment."""
    _add_feed()
    _add_rechunkings()
    _add_widget()


def _add_widget() -> None:
    Widget.objects.create(
        name="Zapytaj urząd",
        assistant=Assistant.objects.create(name="Asystent mieszkańca", slug="mieszkaniec"),
        origins=["https://gmina.example.pl"],
        greeting="Dzień dobry! Odpowiadam na pytania o sprawy urzędowe.",
        suggestions=["Jak zapłacić za odpady?", "Ile kosztuje wynajem sali?"],
    )


def _add_feed() -> None:
    source = Source.objects.create(
        collection=Collection.objects.get(slug="kadry"),
        kind=Source.Kind.FEED,
        name="Komunikaty kadrowe",
        location=f"{FEED_KEY['FEED_KEY_KADRY_ORIGIN']}/komunikaty.json",
        options={"key": "kadry", "complete": True},
        rhythm=Source.Rhythm.DAILY,
        owner=User.objects.first(),
    )
    job = start_sync(source=source, queue=False)
    for _ in range(_TRIES):
        Job.objects.filter(pk=job.pk).update(due=None)
        run_job(str(job.pk))


def _add_rechunkings() -> None:
    """One that is done, one that waits."""
    for slug in ("kadry", "finanse"):
        wish = Wish(chunker="markdown", chunk_size=256, overlap=32)
        rechunking = start_rechunking(collections=[Collection.objects.get(slug=slug)], wish=wish, queue=False)
        if slug == "finanse":
            pause_rechunking(rechunking=rechunking)
            return
        job = rechunking.jobs.get()
        while job.status in (Job.Status.QUEUED, Job.Status.RUNNING):
            run_job(str(job.pk))
            job.refresh_from_db()
