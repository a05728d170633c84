"""`benchmark`: what a search costs, in this process and through a web process of its own."""

import json
import threading
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Collection
from rag.evaluation.load import Load, put_load, sentences_as_questions
from tests.conftest import AddDocument

TEXT = "Pracownikowi przysługuje urlop wypoczynkowy. Wniosek o urlop składa się w kadrach przed jego początkiem."


def benchmark(**options: Any) -> str:
    out = StringIO()
    call_command("benchmark", stdout=out, **options)
    return out.getvalue()


def test_it_names_what_it_measured(public: Collection, index: AddDocument) -> None:
    index(public, TEXT)
    lines = benchmark()
    assert "Kolekcja publiczna, profil domyślny, przestrzeń wektorowa hashing-1" in lines
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
    together = threading.Barrier(3, timeout=10)

    def search(question: str) -> dict[str, float]:
        together.wait()
        return {}

    assert put_load(search, ["a", "b", "c"], Load(readers=3), lambda done, total: None).searches == 3


def test_questions_are_sentences_of_the_collection(public: Collection, index: AddDocument) -> None:
    index(public, TEXT)
    assert sentences_as_questions(public, 5) == ["Pracownikowi przysługuje urlop wypoczynkowy."]
