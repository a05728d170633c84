"""What most tests need: a collection, documents in it, people who may or may not read them."""

import gc
import importlib
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from shutil import copytree
from typing import Any

import hypothesis
import pytest
import pytest_randomly
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.cache import caches
from django.db import connections
from django.test import override_settings
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job
from ingestion.pipeline import ingest
from ingestion.renewal.earlier_versions import index_earlier_versions
from ingestion.services.documents import add_document
from knowledgetree.conf import rag_settings
from knowledgetree.memory import seek_garbage_seldom
from rag.llm import language_model
from rag.llm.capabilities import known_capabilities
from rag.llm.provider import provider
from rag.llm.spending.meter import unbooked_uses
from tests.databases import ensure_template
from tests.durations import LongMarked, Measured, function_of, listed
from tests.embedded import ensure_furnished
from tests.forks import Forks
from tests.kept import Kept, in_order_of_keeping

AddDocument = Callable[..., Document]

os.environ["LANGUAGE"] = "pl"  # what commands say in processes of their own, whatever terminal the tests run in

# Nobody's certificate is trusted, for nobody outside is spoken to: each client of a model would read 140 of them anew.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)

# A busy machine is no failure: examples are bounded in number, not in time. CI draws the same ones every time.
hypothesis.settings.register_profile("patient", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("patient")

# spaCy would have its own seed set before, in and after each test: for that every process of the tests imported torch.
pytest_randomly.entrypoint_reseeds = []

# authlib shows its own deprecations whatever the filters say, from where it is imported first.
importlib.import_module("authlib.deprecate")

# Some 400 files are imported now, and nothing of them is garbage: looking for it is a sixth of that time.
gc.disable()

IN_EVERY_PROCESS = (
    "anthropic",
    "networkx",
    "openai",
    "scipy.cluster.hierarchy",
    "scipy.optimize",
    "scipy.stats",
    "spacy",
)
LONG = ("tests/browser/", "tests/journeys/")
NEURAL = (
    "tests/ingestion/embedding/test_backends.py",
    "tests/ingestion/embedding/test_embedders.py",
    "tests/rag/search/reranking/test_cross_encoder.py",
    "tests/rag/search/reranking/test_stage.py",
    "tests/rag/search/test_neural.py",
    "tests/rag/search/test_variants.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forks", type=int, default=1, metavar="PROCESSES", help="processes that run the tests")
    parser.addoption("--write-slow", action="store_true", help="write tests/slow_tests.txt anew")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LongMarked())
    if config.option.write_slow:
        config.pluginmanager.register(Measured())
    if config.option.forks > 1:
        config.pluginmanager.register(Forks(config.option.forks, run_together), "forks")


def run_together(nodeid: str) -> str:
    """A file is run by one process. So are together the browser tests, which share a site, and those that load a neural
    model: its libraries take a process six seconds.
    """
    if nodeid.startswith("tests/browser/"):
        return "tests/browser"
    file = nodeid.partition("::")[0]
    return "neural" if file in NEURAL else file


def have_at_hand() -> None:
    """What nearly every process of the tests would otherwise come to import for itself, ten seconds of a processor
    each, and the numbers and texts that stand in our own files, which Hypothesis reads before its first example.
    """
    for name in IN_EVERY_PROCESS:
        importlib.import_module(name)
    hypothesis.given(hypothesis.strategies.integers())(hypothesis.settings(database=None, derandomize=True)(holds))()


def holds(number: int) -> None:
    """A property that holds."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """What stands after the collection stays; to look through it again and again is a tenth of the tests' time."""
    if session.config.option.forks > 1 and not session.config.option.collectonly:
        have_at_hand()
    gc.collect()
    gc.freeze()
    seek_garbage_seldom()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, so that no process is left alone with them in the end: the browser's, which make the
    furnished installation, the journeys that need none, and when it is made those that do; then the files that take
    longest.
    """
    furnished = {item.path for item in items if "furnished" in getattr(item, "fixturenames", ())}
    seconds, known = defaultdict[Path, float](float), listed()
    for item in items:
        seconds[item.path] += known.get(function_of(item.nodeid), 0.01)

    def turn(item: pytest.Item) -> tuple[bool, bool, bool, float]:
        browser, journey = (item.nodeid.startswith(folder) for folder in LONG)
        return not browser, not journey, item.path in furnished, -seconds[item.path]

    items[:] = sorted(in_order_of_keeping(items), key=turn)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """The database of the tests is a copy, and nobody waits until the disk has what is thrown away in the end."""
    database = connections["default"].settings_dict
    database["OPTIONS"]["options"] = f"{database['OPTIONS'].get('options', '')} -c synchronous_commit=off"
    database["TEST"]["TEMPLATE"] = ensure_template()


@pytest.fixture(autouse=True, scope="session")
def made_cheap() -> Iterator[None]:
    """To hash a password well takes half a second by intention. A test's client is a server of its own, that would read
    all static files when it starts: a sixth of the time of the tests of pages.
    """
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(PASSWORD_HASHERS=hashers, WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture(scope="module")
def kept_rows(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Kept]:
    with Kept(tmp_path_factory.mktemp("kept"), django_db_blocker).around() as kept:
        yield kept


@pytest.fixture(scope="session")
def media_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for the originals of each test; it is made when something is stored."""
    root = tmp_path_factory.mktemp("originals")
    return (root / str(number) for number in count())


@pytest.fixture(autouse=True)
def as_if_it_were_the_first(request: pytest.FixtureRequest, media_folders: Iterator[Path]) -> Iterator[None]:
    """What tests leave to the next one outside the database. One fixture, for each costs six thousand times.

    Rate limits count in the cache, and a page that could not be painted is left alone for a while. A port that was a
    dead language model's in one test may be a living one's in the next. A request leaves its language to whatever its
    thread does next.
    """
    for cache in caches.all(initialized_only=True):
        cache.clear()
    provider.cache_clear()
    language_model.cache_clear()
    known_capabilities.cache_clear()
    unbooked_uses.clear()
    folder = next(media_folders)
    if "kept_rows" in request.fixturenames:
        copytree(request.getfixturevalue("kept_rows").folder, folder)
    with translation.override(translation.get_language()), override_settings(MEDIA_ROOT=folder):
        yield


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a stopped installation with the sample knowledge base, to be copied; all processes share it."""
    return ensure_furnished(tmp_path_factory.getbasetemp())


@pytest.fixture
def shared_data() -> Path:
    """Real documents and labelled questions, where the machine has them."""
    path = Path(__file__).parents[2] / "shared" / "data"
    if not path.is_dir():
        pytest.skip("the development data are not beside the project")
    return path


@pytest.fixture
def public(db: None) -> Collection:
    return make_public()


@pytest.fixture
def internal(db: None) -> Collection:
    return make_internal()


@pytest.fixture
def restricted(db: None) -> Collection:
    return make_restricted()


def make_public() -> Collection:
    """The same one again where a module keeps it; so are the others."""
    return _make_collection("publiczna", "Publiczna", "public")


def make_internal() -> Collection:
    return _make_collection("wewnetrzna", "Wewnętrzna", "internal")


def make_restricted() -> Collection:
    collection = _make_collection("poufna", "Poufna", "restricted")
    collection.groups.add(Group.objects.get_or_create(name="Kadry")[0])
    return collection


def _make_collection(slug: str, name: str, visibility: str) -> Collection:
    return Collection.objects.get_or_create(slug=slug, defaults={"name": name, "visibility": visibility})[0]


@pytest.fixture
def anonymous() -> AnonymousUser:
    return AnonymousUser()


@pytest.fixture
def employee(db: None) -> User:
    return User.objects.create_user("pracownik", password="haslo")


@pytest.fixture
def member(restricted: Collection) -> User:
    user = User.objects.create_user("kadrowa", password="haslo")
    user.groups.set(restricted.groups.all())
    return user


@pytest.fixture
def superuser(db: None) -> User:
    return User.objects.create_superuser("szefowa", password="haslo")


@pytest.fixture
def index(db: None) -> AddDocument:
    """Add a document that is searched at once: `index(collection, "text", name="a.txt", title=...)`."""
    return index_text


def index_text(collection: Collection, text: str | bytes, *, name: str = "dokument.txt", **fields: Any) -> Document:
    """Without the job, whose claim, attempts and progress cost as much as the index itself. What cannot be read raises
    here; where the job is what matters, see `index_in_job`.
    """
    document = add_document(collection=collection, name=name, content=_bytes(text), enqueue=False, **fields)
    waiting = document.jobs.filter(status=Job.Status.QUEUED)
    if waiting.update(status=Job.Status.SUCCEEDED, finished=timezone.now()):
        ingest(document, rag_settings().ingestion, lambda stage, done, total: None)
        index_earlier_versions(document)
        document.refresh_from_db()
    return document


def index_in_job(collection: Collection, text: str | bytes, *, name: str = "dokument.txt", **fields: Any) -> Document:
    """As a worker does it; what cannot be read is a failed document."""
    document = add_document(collection=collection, name=name, content=_bytes(text), enqueue=False, **fields)
    for job in document.jobs.filter(status=Job.Status.QUEUED):
        run_job(str(job.pk))
    document.refresh_from_db()
    return document


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()
