"""What a text says of validities is proposed when it was indexed, and decided by an editor."""

from datetime import date

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.library.validity.proposals import open_proposals
from ingestion.models import Collection, Document, ValidityProposal
from ingestion.services.validity import accept_proposals, reject_proposals
from knowledgetree.audit.models import AuditEntry
from tests.conftest import index_in_job

OLD = "ZARZĄDZENIE NR 5/2020 BURMISTRZA z dnia 3 marca 2020 r. w sprawie opłat\n\n§ 1. Opłata wynosi 5 zł.\n"
NEW = """ZARZĄDZENIE NR 7/2025 BURMISTRZA z dnia 31 stycznia 2025 r. w sprawie opłat

§ 1. Opłata wynosi 6 zł.

§ 2. Traci moc zarządzenie nr 5/2020 Burmistrza z dnia 3 marca 2020 r. w sprawie opłat.

§ 3. Zarządzenie wchodzi w życie z dniem 1 maja 2025 r.
"""


@pytest.fixture
def editor(public: Collection) -> User:
    user = User.objects.create_user("redaktorka", password="haslo", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(codename__in=["view_document", "change_document", "add_document"])
    )
    return user


def shown(viewer: User) -> set[tuple[str, str, date]]:
    rows = open_proposals(viewer)
    return {(row.document.file_name, row.field, row.proposed) for row in rows}  # type: ignore[attr-defined]


def numbers(viewer: User, document: Document) -> list[int]:
    return [row.pk for row in open_proposals(viewer).filter(document=document)]


def test_an_indexed_text_proposes_its_own_entry_and_the_end_of_what_it_ends(public: Collection, editor: User) -> None:
    index_in_job(public, OLD, name="5.txt")
    new = index_in_job(public, NEW, name="7.txt")
    assert new.valid_from is None
    assert shown(editor) == {
        ("7.txt", "valid_from", date(2025, 5, 1)),
        ("5.txt", "valid_to", date(2025, 4, 30)),
    }


def test_an_act_that_comes_after_the_one_that_ends_it_hears_of_its_end(public: Collection, editor: User) -> None:
    index_in_job(public, NEW, name="7.txt")
    index_in_job(public, OLD, name="5.txt")
    assert ("5.txt", "valid_to", date(2025, 4, 30)) in shown(editor)


def test_an_accepted_date_is_an_editors_word_and_recorded(public: Collection, editor: User, client: Client) -> None:
    document = index_in_job(public, NEW, name="7.txt")
    client.force_login(editor)
    page = client.get(reverse("admin:ingestion_document_change", args=[document.pk])).content.decode()
    assert "Zarządzenie wchodzi w życie z dniem 1 maja 2025 r." in page
    (number,) = numbers(editor, document)
    client.post(reverse("admin:ingestion_document_validity", args=[document.pk]), {"accept": number})
    document.refresh_from_db()
    assert (document.valid_from, document.edited) == (date(2025, 5, 1), ["valid_from", "valid_to"])
    entry = AuditEntry.objects.get(outcome="validity_accepted")
    assert (entry.documents, entry.user_name, entry.details["valid_from"]) == (
        [document.pk], "redaktorka", "2025-05-01",
    )  # fmt: skip
    assert shown(editor) == set()


def test_many_are_accepted_at_once_from_the_list(public: Collection, editor: User, client: Client) -> None:
    old, new = index_in_job(public, OLD, name="5.txt"), index_in_job(public, NEW, name="7.txt")
    client.force_login(editor)
    page = reverse("admin:ingestion_validityproposal_changelist")
    listed = client.get(page, {"collection": public.slug}).content.decode()
    assert "Traci moc zarządzenie nr 5/2020" in listed
    chosen = list(open_proposals(editor).values_list("pk", flat=True))
    client.post(page, {"action": "accept", "_selected_action": chosen})
    assert list(Document.objects.order_by("pk").values_list("valid_from", "valid_to")) == [
        (None, date(2025, 4, 30)), (date(2025, 5, 1), None),
    ]  # fmt: skip
    assert {old.pk, new.pk} == {
        pk for row in AuditEntry.objects.filter(outcome="validity_accepted") for pk in row.documents
    }


def test_what_was_rejected_stays_so_until_the_words_change(public: Collection, editor: User) -> None:
    document = index_in_job(public, NEW, name="7.txt")
    assert reject_proposals(document=document, numbers=numbers(editor, document), by=editor) == 1
    index_in_job(public, NEW.replace("6 zł", "8 zł"), name="7.txt")
    assert shown(editor) == set()
    index_in_job(public, NEW.replace("1 maja 2025", "1 lipca 2025"), name="7.txt")
    assert shown(editor) == {("7.txt", "valid_from", date(2025, 7, 1))}


def test_what_is_set_already_and_what_the_text_no_longer_says_is_not_proposed(public: Collection, editor: User) -> None:
    index_in_job(public, NEW, name="7.txt", valid_from=date(2025, 5, 1))
    assert shown(editor) == set()
    index_in_job(public, OLD.replace("5/2020", "9/2020"), name="7.txt")
    assert not ValidityProposal.objects.exists()


def test_a_proposal_is_for_those_who_may_read_both_documents(
    public: Collection, restricted: Collection, editor: User, superuser: User
) -> None:
    old = index_in_job(public, OLD, name="5.txt")
    index_in_job(restricted, NEW, name="7.txt")
    assert shown(editor) == set()
    assert len(shown(superuser)) == 2
    chosen = numbers(superuser, old)
    assert accept_proposals(document=old, numbers=chosen, by=editor) == 0
    old.refresh_from_db()
    assert old.valid_to is None


def test_the_api_tells_editors_what_is_proposed_and_sets_it(
    public: Collection, editor: User, employee: User, client: Client
) -> None:
    document = index_in_job(public, NEW, name="7.txt")
    address = f"/api/documents/{document.pk}"
    client.force_login(employee)
    assert client.get(address).json()["proposed_validity"] == []
    client.force_login(editor)
    (said,) = client.get(address).json()["proposed_validity"]
    assert (said["field"], said["day"], said["stated_by"]) == ("valid_from", "2025-05-01", None)
    assert said["quote"] == "Zarządzenie wchodzi w życie z dniem 1 maja 2025 r."
    answer = client.patch(address, {"valid_from": said["day"]}, content_type="application/json")
    assert (answer.json()["valid_from"], answer.json()["proposed_validity"]) == ("2025-05-01", [])


def test_the_start_page_counts_what_waits(public: Collection, editor: User, client: Client) -> None:
    index_in_job(public, NEW, name="7.txt")
    client.force_login(editor)
    assert "1 data obowiązywania" in client.get("/admin/").content.decode()
