import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ingestion.models import Collection
from rag.models import Feedback
from tests.conftest import AddDocument
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("analytics", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def questions(public: Collection, restricted: Collection, index: AddDocument) -> None:
    cited = index(restricted, "Urlop trwa 26 dni.", name="a.txt", title="Regulamin pracy")
    index(public, "Parking jest płatny.", name="b.txt", title="Parking")
    now = timezone.now()
    used = {"answer": {"input": 12000, "output": 300, "cache_read": 0, "cache_write": 0}}
    asked(at=now, cites=(cited,), total=800, usage=used, models={"answer": "claude"}, costs={"answer": 0.5}, cost=0.5)
    judged = asked(at=now, collections=(restricted,), total=1200, cache="answers")
    for number, verdict in enumerate(("good", "good", "bad")):
        Feedback.objects.create(exchange=judged, session_key=str(number), verdict=verdict, comment="Źle."[: number * 4])
    asked("Jak zamówić catering?", at=now, outcome="not_found", quality="LOW", lexical_hits=0, corrected=True)
    asked("Cześć", at=now, outcome="direct", quality="")


def test_an_empty_period_says_so_and_what_to_do() -> None:
    text = printed()
    assert "Brak danych" in text
    assert "--last 12w" in text


@pytest.mark.usefixtures("questions")
def test_the_report_says_every_number_and_that_it_sees_everything() -> None:
    text = " ".join(printed("--last", "7d").split())
    for said in (
        "wszystkich kolekcji",
        "(razem 4)",
        "W tym bez szukania (powitania, rachunki, pytania o rozmowę): 1",
        "wysoka 2 67 % ",
        "niska 1 33 % ",
        "Nie znaleziono w źródłach 1 33 %",
        "Wyszukiwanie poprawione 1 50 %",
        "Żadne słowo pytania nie trafiło 1 100 %",
        "Odpowiedź z pamięci podręcznej 1 33 %",
        "pomocna 2 67 % niepomocna 1 z komentarzem 2",
        "mediana 1,0 s, 95 % pytań w 1,2 s",
        "claude 1 12 000 300 0,5000 USD",
        "2 Ile dni urlopu?",
        "1 Regulamin pracy",
        "nie zacytowała: 1 (najstarsze) Parking",
        "1 catering, zamówić – Jak zamówić catering?",
    ):
        assert said in text


@pytest.mark.usefixtures("questions")
def test_as_json_it_has_the_same_numbers() -> None:
    data: dict[str, Any] = json.loads(printed("--last", "24h", "--json"))
    assert data["total"]["questions"] == 4
    assert data["total"]["shares"]["corrected"] == 0.5
    assert len(data["buckets"]) == 24
    assert data["buckets"][-1]["figures"]["questions"] + data["buckets"][-2]["figures"]["questions"] == 4
    assert data["models"][0]["cost"] == 0.5
    assert (data["judged"]["bad"], data["judged"]["commented"], round(data["judged"]["share"], 2)) == (1, 2, 0.67)
    assert data["gaps"][0]["questions"][0]["text"] == "Jak zamówić catering?"


def test_a_period_that_is_none_is_refused_with_what_to_write() -> None:
    with pytest.raises(CommandError, match="30d"):
        printed("--last", "miesiąc")
