"""Servers of language models in the admin: written, never shown, tried."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core import serializers
from django.test import Client
from django.urls import reverse

from knowledgetree.encryption import decrypt_secret
from rag.llm.configuration import llm_settings
from rag.models import LanguageModelServer, MonthlySpending
from tests.messages_server import Located, MessagesServer, ToolUse, Turn

pytestmark = pytest.mark.django_db

KEY = "sk-bardzo-tajny-klucz"
LIST = reverse("admin:rag_languagemodelserver_changelist")
ADD = reverse("admin:rag_languagemodelserver_add")
CHECK = reverse("admin:rag_languagemodelserver_check_all")


@pytest.fixture
def admin(superuser: User, settings: Any) -> Client:
    settings.RAG = {**settings.RAG, "llm": {}}
    client = Client(headers={"Accept-Language": "pl"})
    client.force_login(superuser)
    return client


def form(**fields: Any) -> dict[str, Any]:
    return {"name": "glowny", "main": "on", "api": "messages", "base_url": "", "model": "duzy", "key": KEY, **fields}


def add(client: Client, **fields: Any) -> LanguageModelServer:
    response = client.post(ADD, form(**fields))
    assert response.status_code == 302, response.content.decode()
    return LanguageModelServer.objects.get(name=fields.get("name", "glowny"))


def address(server: LanguageModelServer, name: str = "change") -> str:
    return reverse(f"admin:rag_languagemodelserver_{name}", args=[server.pk])


class TestTheKey:
    def test_what_is_entered_is_stored_encrypted_and_asked_with(self, admin: Client) -> None:
        server = add(admin)
        assert KEY not in server.encrypted_key
        assert decrypt_secret(server.encrypted_key) == KEY
        assert llm_settings().api_key == KEY

    @pytest.mark.slow
    def test_it_is_in_no_page_no_log_and_no_dump(self, admin: Client, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.DEBUG), MessagesServer(Turn(status=401, message=f"zły klucz {KEY}")) as refusing:
            server = add(admin, base_url=refusing.url)
            pages = [
                admin.get(LIST),
                admin.get(address(server)),
                admin.post(address(server), form(key="", model="inny"), follow=True),
                admin.post(address(server), form(api="telepatia")),  # a form that is shown again
                admin.get(address(server, "history")),
                admin.post(address(server, "check")),
                admin.post(CHECK),
                admin.get(reverse("admin:rag_settings_changelist")),
                admin.get(reverse("admin:rag_prompts_changelist")),
            ]
        assert KEY in str(refusing.requests[0].headers)
        for page in pages:
            assert page.status_code == 200
            assert KEY not in page.content.decode()
        assert KEY not in caplog.text
        assert KEY not in serializers.serialize("json", LanguageModelServer.objects.all())
        assert all(KEY not in f"{entry.change_message} {entry.object_repr}" for entry in LogEntry.objects.all())

    def test_who_changed_it_is_written_down(self, admin: Client, superuser: User) -> None:
        server = add(admin)
        admin.post(address(server), form(key="sk-nowy"))
        entry = LogEntry.objects.latest("pk")
        assert entry.user == superuser
        assert "lucz" in entry.get_change_message()
        assert "sk-nowy" not in entry.change_message

    def test_an_empty_field_leaves_it_and_a_tick_removes_it(self, admin: Client) -> None:
        server = add(admin)
        admin.post(address(server), form(key="", model="inny"))
        server.refresh_from_db()
        assert (decrypt_secret(server.encrypted_key), server.model) == (KEY, "inny")
        admin.post(address(server), form(key="", forget_key="on"))
        server.refresh_from_db()
        assert (server.encrypted_key, server.key_changed) == ("", None)

    def test_it_does_not_go_along_to_another_server(self, admin: Client) -> None:
        server = add(admin, base_url="https://api.example.pl/v1")
        response = admin.post(address(server), form(key="", base_url="https://obcy.example/v1"))
        assert response.status_code == 200
        server.refresh_from_db()
        assert server.base_url == "https://api.example.pl/v1"
        assert admin.post(address(server), form(key="", base_url="https://api.example.pl/v2")).status_code == 302

    def test_one_that_cannot_be_decrypted_is_told_with_what_to_do(self, admin: Client, settings: Any) -> None:
        add(admin)
        LanguageModelServer.objects.update(encrypted_key="gAAAAA-nie-nasz")
        LanguageModelServer.objects.get().save()
        shown = admin.get(LIST).content.decode()
        assert "ENCRYPTION_KEY_FALLBACKS" in shown
        assert not llm_settings().configured


class TestTheEnvironment:
    def test_fields_that_it_decides_say_so_and_by_which_variable(
        self, admin: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "ze-srodowiska")
        settings.RAG = {**settings.RAG, "llm": {"api_key": "ze-srodowiska"}}
        shown = admin.get(ADD).content.decode()
        assert "Ustawione przez zmienną środowiskową ANTHROPIC_API_KEY." in shown
        assert "ze-srodowiska" not in shown
        server = add(admin, base_url="https://obcy.example")
        assert (server.base_url, server.encrypted_key) == ("", "")
        assert (llm_settings().api_key, llm_settings().model) == ("ze-srodowiska", "duzy")

    def test_a_further_server_is_the_admins_own(self, admin: Client, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "llm": {"api_key": "ze-srodowiska"}}
        add(admin)
        other = add(admin, name="drugi", main="", base_url="http://ollama:11434", step_judging="maly")
        shown = admin.get(address(other)).content.decode()
        assert "Ustawione przez" not in shown
        assert other.step_models == {"judging": "maly"}


def test_superusers_alone_see_servers_prices_and_budgets(client: Client, employee: User) -> None:
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    for page in (LIST, reverse("admin:rag_modelprice_changelist"), reverse("admin:rag_monthlybudget_changelist")):
        assert client.get(page).status_code == 403
    assert client.post(CHECK).status_code == 403


class TestTheCheck:
    @pytest.fixture
    def server(self) -> Iterator[MessagesServer]:
        with MessagesServer() as server:
            yield server

    def test_it_tells_what_works(self, admin: Client, server: MessagesServer) -> None:
        server.turns[:] = [
            Turn(pieces=("Po dziesięciu latach 26 dni [1].",)),
            Turn(pieces=('{"wordings": ["wymiar urlopu po 10 latach"]}',)),
            Turn(pieces=("Szukam.", ToolUse(name="search", input={"query": "ekwiwalent"})), stop_reason="tool_use"),
        ]
        shown = admin.post(address(add(admin, base_url=server.url), "check")).content.decode()
        assert "Połączenie działa." in shown
        for said in ("26 dni", "wymiar urlopu po 10 latach", "ekwiwalent"):
            assert said in shown
        assert MonthlySpending.objects.get().requests == 3

    def test_it_tells_what_is_missing_and_what_that_costs(self, admin: Client, server: MessagesServer) -> None:
        server.turns[:] = [Turn(pieces=("Przysługuje 26 dni [1].",)), Turn(pieces=("nie umiem",))]
        shown = admin.post(address(add(admin, base_url=server.url), "check")).content.decode()
        assert "Połączenie działa." in shown
        assert "Co to znaczy:" in shown

    def test_quotes_that_the_server_locates_are_a_source_too(self, admin: Client, server: MessagesServer) -> None:
        quote = "Pracownikowi przysługuje 20 dni urlopu wypoczynkowego, a po dziesięciu latach zatrudnienia 26 dni."
        server.turns[:] = [Turn(pieces=("26 dni.", Located(cited_text=quote)))]
        settings_of = llm_settings()
        assert not settings_of.configured
        shown = admin.post(address(add(admin, base_url=server.url), "check")).content.decode()
        assert "bez źródła" in shown  # quotes of a server of one's own are asked for by the environment alone

    @pytest.mark.parametrize(("status", "said"), [(401, "Klucz został odrzucony"), (404, "Nie ma tam")])
    def test_a_refusal_is_told_with_what_to_do(
        self, admin: Client, server: MessagesServer, status: int, said: str
    ) -> None:
        server.turns[:] = [Turn(status=status)]
        shown = admin.post(address(add(admin, base_url=server.url), "check")).content.decode()
        assert "Połączenie nie działa." in shown
        assert said in shown
        assert len(server.requests) == 1

    def test_a_server_that_is_not_there_is_told(self, admin: Client) -> None:
        shown = admin.post(address(add(admin, base_url="http://127.0.0.1:9"), "check")).content.decode()
        assert "Połączenie nie działa." in shown
        assert "Sprawdź adres" in shown

    def test_without_any_server_it_says_what_is_missing(self, admin: Client) -> None:
        assert "klucz" in admin.post(CHECK).content.decode()
        assert admin.get(CHECK).status_code == 405
