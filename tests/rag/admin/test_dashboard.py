import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.models import Collection
from rag.llm.spending.ledger import Use, add_to_ledger
from rag.models import Assistant, MonthlyBudget
from rag.types import Tokens
from tests.conftest import AddDocument
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db


@pytest.fixture
def analyst(restricted: Collection) -> User:
    """May see what was asked, but not the restricted collection."""
    user = User.objects.create_user("analityk", password="haslo", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_exchange"))
    return user


def page(user: User, **options: str) -> str:
    client = Client()
    client.force_login(user)
    response = client.get(reverse("admin:rag_dashboard_changelist"), options, headers={"Accept-Language": "en"})
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return response.content.decode()


def test_it_is_for_staff_who_may_see_what_was_asked(client: Client, employee: User, analyst: User) -> None:
    address = reverse("admin:rag_dashboard_changelist")
    assert client.get(address).status_code == 302
    client.force_login(employee)
    assert client.get(address).status_code == 302
    employee.is_staff = True
    employee.save()
    assert client.get(address).status_code == 403
    assert address not in client.get(reverse("admin:index")).content.decode()
    client.force_login(analyst)
    assert client.get(address).status_code == 200
    assert address in client.get(reverse("admin:index")).content.decode()


def test_without_questions_it_says_so_and_what_to_do(superuser: User) -> None:
    shown = page(superuser)
    assert reverse("chat:home") in shown
    assert "<svg viewBox" not in shown


def test_a_period_that_is_none_is_the_usual_one(superuser: User) -> None:
    assert '<a href="?last=30d" aria-current="true">' in page(superuser, last="<script>")


def test_charts_have_a_name_a_description_and_their_numbers_in_a_table(superuser: User) -> None:
    asked(at=timezone.now(), total=820, cost=0.25, lexical_hits=2)
    shown = page(superuser, last="7d")
    assert shown.count("<svg viewBox") == 4
    for key in ("questions", "latency", "shares", "cost"):
        assert f'id="{key}-title"' in shown
        assert f'aria-describedby="{key}-desc"' in shown
        assert f'id="{key}-desc"' in shown
    assert "820\xa0ms" in shown.split("<tbody>")[1]


def test_questions_and_titles_of_a_hidden_collection_are_not_shown(
    restricted: Collection, public: Collection, index: AddDocument, analyst: User, superuser: User
) -> None:
    secret = index(restricted, "Dyrektor zarabia 31337 zł.", name="s.txt", title="Widełki płac")
    for _ in range(2):
        asked("Ile zarabia dyrektor?", at=timezone.now(), collections=(restricted,), cites=(secret,))
    asked("Ile zarabia prezes?", at=timezone.now(), collections=(restricted,), outcome="not_found", quality="LOW")
    asked("Gdzie zaparkować rower?", at=timezone.now(), outcome="not_found", quality="LOW")
    hers, his = page(superuser), page(analyst)
    for text in ("Widełki płac", "Ile zarabia dyrektor?", "Ile zarabia prezes?"):
        assert text in hers
        assert text not in his
    assert "Gdzie zaparkować rower?" in his


def test_a_gap_leads_to_its_questions_where_one_may_open_them(superuser: User, analyst: User, client: Client) -> None:
    first, second = (
        asked("Gdzie zaparkować rower?", at=timezone.now(), outcome="not_found", quality="LOW") for _ in range(2)
    )
    asked("Co innego?", at=timezone.now())
    listing = reverse("admin:rag_exchange_changelist")
    assert f'href="{listing}' in page(superuser).split('id="gaps"')[1]
    assert f'href="{listing}?id__in' not in page(analyst)
    client.force_login(superuser)
    found = client.get(f"{listing}?id__in={first.pk},{second.pk}").context["cl"].result_list
    assert {exchange.pk for exchange in found} == {first.pk, second.pk}


def test_what_people_typed_is_text_and_no_markup(superuser: User) -> None:
    asked("<img src=x onerror=alert(1)>", at=timezone.now(), outcome="not_found", quality="LOW")
    assert "<img src=x" not in page(superuser)


def test_budgets_and_costs_stand_there_and_no_name_of_a_hidden_assistant(
    restricted: Collection, superuser: User, analyst: User
) -> None:
    hidden = Assistant.objects.create(name="Tajny pomocnik", slug="tajny")
    hidden.collections.add(restricted)
    for budget in (None, hidden):
        MonthlyBudget.objects.create(assistant=budget, dollars=10)
    add_to_ledger([Use(assistant=hidden.pk, model="claude-haiku-4-5", tokens=Tokens(input=9_000_000))])
    hers, his = page(superuser), page(analyst)
    for shown in (hers, his):
        assert "Budgets of this month" in shown
        assert "nearly used up" in shown
        assert "Cost by month" in shown
    assert "Tajny pomocnik" in hers
    assert "Tajny pomocnik" not in his
    assert "other assistants" in his


def test_the_first_page_warns_of_a_budget(client: Client, superuser: User) -> None:
    MonthlyBudget.objects.create(dollars=0)
    client.force_login(superuser)
    shown = client.get(reverse("admin:index"), headers={"Accept-Language": "en"}).content.decode()
    assert "The budget for language models is used up this month" in shown
