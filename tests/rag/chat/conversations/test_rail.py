"""The list of conversations: whose they are, how they are found, what must not be found."""

from datetime import date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from ingestion.models import Collection
from rag.chat.conversations.rail import PER_PAGE, by_day
from rag.models import Conversation
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client: Client, employee: User) -> Client:
    client.force_login(employee)
    return client


def titles(client: Client, address: str = "/conversations/", **parameters: object) -> list[str]:
    rail = client.get(address, parameters).context["rail"]
    return [conversation.title for day in rail.days for conversation in day.conversations]


@pytest.mark.parametrize("find", ["zolw", "ŻÓŁW", "źólw", "żółwi", "lace zolw", "  żółw "])
def test_words_are_found_whatever_their_case_and_diacritics(reader: Client, employee: User, find: str) -> None:
    said(talk(employee, "Zwierzęta"), "Czy ŻÓŁWIE wolno trzymać?", "Na łące tak.")
    said(talk(employee, "Inne"), "Ile trwa urlop?")
    assert titles(reader, find=find) == ["Zwierzęta"]


@pytest.mark.parametrize("find", ["lesn", "polan", "dywan"])
def test_titles_questions_and_answers_are_searched(reader: Client, employee: User, find: str) -> None:
    said(talk(employee, "Droga leśna"), "Gdzie jest polana?", "Za dywanem mchu.")
    assert titles(reader, find=find) == ["Droga leśna"]


@pytest.mark.parametrize("find", ["%", "_", "100%", "\\", "'", "<b>", "\x00"])
def test_signs_of_patterns_are_signs(reader: Client, employee: User, find: str) -> None:
    said(talk(employee, "Zwykła"), "Ile?")
    assert titles(reader, find=find) == ([] if find != "\x00" else ["Zwykła"])


def test_only_the_readers_own_conversations_are_found(reader: Client, member: User) -> None:
    said(talk(member, "Cudza"), "Ile zarabia dyrektor?")
    said(talk(None, "Niczyja", session_key="obca"), "Ile zarabia dyrektor?")
    assert titles(reader, find="dyrektor") == []
    assert titles(reader) == []


def test_a_hidden_answer_is_not_found_by_its_text(
    reader: Client, employee: User, restricted: Collection, public: Collection
) -> None:
    said(talk(employee, "Dawna"), "Ile zarabia dyrektor?", "Aż 31337 zł.", collections=(public, restricted))
    assert titles(reader, find="31337") == []
    assert titles(reader, find="zarabia") == ["Dawna"]


def test_covered_personal_data_are_not_found(reader: Client, employee: User, public: Collection) -> None:
    said(talk(employee, "Kontakt"), "Kto odpowiada?", "Telefon 601 234 567.", collections=(public,))
    assert titles(reader, find="601") == ["Kontakt"]
    public.mask_personal_data = True
    public.save()
    assert titles(reader, find="601") == []


def test_the_page_searches_without_javascript(reader: Client, employee: User) -> None:
    said(talk(employee, "Żółw"), "Czy?")
    talk(employee, "Słoń")
    assert titles(reader, "/", find="zolw") == ["Żółw"]
    page = reader.get("/", {"find": "<i>nic</i>"}).content.decode()
    assert "&lt;i&gt;nic&lt;/i&gt;" in page
    assert "<i>nic" not in page


def test_older_conversations_are_on_further_pages(reader: Client, employee: User) -> None:
    now = timezone.now()
    for number in range(PER_PAGE + 3):
        talk(employee, f"Rozmowa {number}", at=now - timedelta(minutes=number))
    first, second = (reader.get("/conversations/", {"page": page}).context["rail"] for page in ("", "2"))
    assert sum(len(day.conversations) for day in first.days) == PER_PAGE
    assert (first.newer, first.older) == ("", "?page=2")
    assert (second.newer, second.older) == ("?page=1", "")
    assert sum(len(day.conversations) for day in second.days) == 3
    assert "?page=2#historia" in reader.get("/").content.decode()


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999999999", "²"])
def test_a_page_that_is_none_is_no_failure(reader: Client, page: str) -> None:
    assert reader.get("/", {"page": page}).status_code == 200


def test_days_are_told_as_people_remember_them() -> None:
    today = date(2026, 3, 10)
    days = [(2026, 3, 10), (2026, 3, 9), (2026, 3, 6), (2026, 3, 4), (2026, 3, 3), (2026, 1, 31), (2025, 12, 1)]
    asked = [Conversation(modified=timezone.make_aware(datetime(*day, 23, 30))) for day in days]
    groups = by_day(asked, today)
    assert [len(group.conversations) for group in groups] == [1, 1, 2, 1, 1, 1]
    assert [group.name for group in groups[3:]] == ["Marzec 2026", "Styczeń 2026", "Grudzień 2025"]


def test_the_list_for_the_script_brings_the_head_of_the_open_one(reader: Client, employee: User, member: User) -> None:
    own, other = talk(employee, "Moja"), talk(member, "Cudza")
    assert "<h1>Moja</h1>" in reader.get("/conversations/", {"current": str(own.pk)}).content.decode()
    for wrong in (str(other.pk), "x"):
        assert reader.get("/conversations/", {"current": wrong}).status_code == 404
