"""`benchmark`: what a search costs, in this process and through a web process of its own."""

import json
import threading
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import CommandError, call_command
from django.utils import translation

from ingestion.models import Chunk, ChunkEmbedding, Collection, Document, Posting
from rag.evaluation.load import Load, put_load, sentences_as_questions
from rag.management.commands._web_process import _open_superuser_session, web_process
from tests.conftest import AddDocument

TEXT = "Pracownikowi przysługuje urlop wypoczynkowy. Wniosek o urlop składa się w kadrach przed jego początkiem."


def benchmark(**options: Any) -> str:
    out = StringIO()
    call_command("benchmark", stdout=out, **options)
    return out.getvalue()


def test_it_names_what_it_measured(public: Collection, index: AddDocument) -> None:
    index(public, TEXT)
    lines = benchmark()
    assert "Kolekcja publiczna, profil domyślny, przestrzeń wektorowa word-vectors-1" in lines
    assert "błędy: 0" in lines
    assert "szukanie po słowach" in lines
    assert "Wyszukiwań na sekundę" in lines


def test_programs_get_the_same_as_json(public: Collection, index: AddDocument) -> None:
    index(public, TEXT)
    report = json.loads(benchmark(json=True, collection="publiczna"))
    assert report["searches"] == 1
    latency = report["latency"]
    assert latency["total"]["p50"] >= latency["stages"]["p50"] > latency["lexical"]["p50"] > 0
    assert list(latency)[-2:] == ["stages", "total"]


def test_it_tells_how_fast_passages_are_indexed_and_nothing_of_that_stays(
    public: Collection, index: AddDocument
) -> None:
    index(public, TEXT)
    before = {model: model.objects.count() for model in (Collection, Document, Chunk, ChunkEmbedding, Posting)}
    lines = benchmark()
    assert "Zaindeksowanych fragmentów na sekundę" in lines
    assert "indeks słów" in lines
    assert {model: model.objects.count() for model in before} == before
    assert json.loads(benchmark(json=True))["indexing"]["passages"] == 1
    assert json.loads(benchmark(json=True, no_indexing=True))["indexing"] is None


def test_the_page_has_the_figures_and_nothing_that_the_base_says(
    public: Collection, index: AddDocument, tmp_path: Path
) -> None:
    index(public, TEXT, title="Regulamin urlopów")
    report = json.loads(benchmark(json=True, html=tmp_path / "strona.html"))
    page = (tmp_path / "strona.html").read_text(encoding="utf-8")
    ElementTree.fromstring(page.partition("<body>")[2].partition("</body>")[0].join(["<body>", "</body>"]))
    assert page.count("<svg") == 3
    assert "PostgreSQL" in page
    assert report["size"]["passages"] == 1
    for said in ("urlop", "Regulamin", public.slug, public.name):
        assert said not in page
    assert "http" not in page, "it loads nothing from elsewhere"


@pytest.mark.django_db
def test_an_empty_base_and_an_unknown_collection_say_what_to_do(public: Collection) -> None:
    with pytest.raises(CommandError, match=r"Nie ma kolekcji „brak”\. Są: publiczna"):
        benchmark(collection="brak")
    with pytest.raises(CommandError, match="--questions"):
        benchmark(collection="publiczna")
    public.delete()
    with pytest.raises(CommandError, match="load_sample"):
        benchmark()


def test_a_failing_search_is_counted_and_named() -> None:
    def search(question: str) -> dict[str, float]:
        if question == "zła":
            raise ValueError("nie da się")
        return {"lexical": 1.0}

    report = put_load(search, ["dobra", "zła", "dobra"], Load(), lambda done, total: None)
    assert (report.searches, report.failures) == (2, ("ValueError: nie da się",))


def test_readers_search_side_by_side() -> None:
    together = threading.Barrier(3, timeout=60)

    def search(question: str) -> dict[str, float]:
        together.wait()
        return {}

    assert put_load(search, ["a", "b", "c"], Load(readers=3), lambda done, total: None).searches == 3


def test_questions_are_sentences_of_the_collection(public: Collection, index: AddDocument) -> None:
    index(public, TEXT)
    assert sentences_as_questions(public, 5) == ["Pracownikowi przysługuje urlop wypoczynkowy."]


BEIR = '{"_id": "1", "text": "Ile dni urlopu?"}\n{"_id": "2", "text": "Gdzie złożyć wniosek?"}\n'
LABELLED = '{"id": "1", "question": "Ile dni urlopu?", "expected_documents": ["a.txt"]}\n'


@pytest.mark.parametrize(("name", "content", "number"), [("queries.jsonl", BEIR, 2), ("moje.jsonl", LABELLED, 1)])
def test_questions_are_read_as_evaluate_reads_them(
    public: Collection, index: AddDocument, tmp_path: Path, name: str, content: str, number: int
) -> None:
    index(public, TEXT)
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert json.loads(benchmark(json=True, questions=tmp_path / name))["searches"] == number


def test_a_beir_folder_is_read_by_its_questions_alone(public: Collection, index: AddDocument, tmp_path: Path) -> None:
    index(public, TEXT)
    (tmp_path / "queries.jsonl").write_text(BEIR, encoding="utf-8")
    assert json.loads(benchmark(json=True, questions=tmp_path))["searches"] == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"id": "1"}\n', "Brakujące, błędne lub nieznane: question."),
        ('{"id": "1", "question": "Ile?", "odpowiedź": "5"}\n', "Brakujące, błędne lub nieznane: odpowiedź."),
        ("[1]\n", "pytanie to obiekt"),
        ('{"_id": "1", "text": ""}\n', "treść pytania jest pusta"),
        ("nie json\n", "wiersz 1"),
        ("", "nie ma tu żadnego pytania"),
    ],
)
def test_a_file_without_questions_is_said_in_one_line(
    public: Collection, index: AddDocument, tmp_path: Path, content: str, said: str
) -> None:
    index(public, TEXT)
    path = tmp_path / "pytania.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError) as caught, translation.override("pl"):
        benchmark(questions=path)
    message = str(caught.value)
    assert said in message
    assert str(path) in message
    assert "\n" not in message
    assert "pydantic" not in message


@pytest.mark.django_db
def test_a_measurement_of_the_web_has_an_account_of_its_own_and_leaves_none() -> None:
    with _open_superuser_session() as key:
        user = User.objects.get(pk=SessionStore(session_key=key)["_auth_user_id"])
        assert user.is_superuser
        assert not user.has_usable_password()
    assert not User.objects.exists()
    assert not SessionStore().exists(key)


@pytest.mark.slow
@pytest.mark.django_db
def test_the_web_process_answers_whatever_the_site_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "wiedza.example.pl")
    with web_process() as process, urlopen(f"{process.address}/healthz", timeout=60) as response:
        assert response.status == 200
