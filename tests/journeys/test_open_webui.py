"""Open WebUI itself, driven in Chromium: people ask an assistant there and see quotes of what they may read, no more.

It is too big to be installed for each run of the tests. To run these, install it elsewhere and name its program:

    python3.11 -m venv ~/open-webui && ~/open-webui/bin/pip install open-webui
    OPEN_WEBUI=~/open-webui/bin/open-webui .venv/bin/pytest tests/journeys/test_open_webui.py -n 1

With SCREENSHOTS=folder each page is painted there.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.browser.conftest import FLAGS, chromium_program
from tests.embedded import furnished_installation
from tests.installation import Installation, free_port, wait_until

PROGRAM = os.environ.get("OPEN_WEBUI", "")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not PROGRAM, reason="OPEN_WEBUI does not name the program of an Open WebUI"),
]

ASSISTANT = "Sprawy pracownicze"
CONFIDENTIAL = "Ile zarabia maksymalnie inspektor?"
PASSWORD = token_urlsafe()
SECRET = token_urlsafe(48)
BOTH_PROGRAMS_KNOW = """
from django.contrib.auth.models import Group, User
from ingestion.models import Collection
from rag.models import Assistant
User.objects.create_user("program")
User.objects.create_user("jan", email="jan@urzad.example")
User.objects.create_user("anna", email="anna@urzad.example").groups.add(Group.objects.get(name="Kierownictwo"))
assistant = Assistant.objects.create(slug="sprawy-pracownicze", name="Sprawy pracownicze")
assistant.collections.set(Collection.objects.filter(slug__in=["kadry", "poufne"]))
"""


@pytest.fixture(scope="module")
def site(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("site") / "var"
    with furnished_installation(furnished, folder, OPENWEBUI_JWT_SECRET=SECRET) as installed:
        installed.manage("shell", "-c", BOTH_PROGRAMS_KNOW)
        yield installed


@pytest.fixture(scope="module")
def open_webui(site: Installation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an Open WebUI that knows `site` alone, with two people."""
    made = site.manage("api_key", "make", "open-webui", "--user", "program", "--scope", "ask", "act_as")
    folder, port = tmp_path_factory.mktemp("open-webui"), free_port()
    environment = {
        "OPENAI_API_BASE_URLS": f"{site.start_web()}/openwebui/v1",
        "OPENAI_API_KEYS": made.stdout.split()[-1],
        "ENABLE_FORWARD_USER_INFO_HEADERS": "true",
        "FORWARD_USER_INFO_HEADER_JWT_SECRET": SECRET,
        "BYPASS_MODEL_ACCESS_CONTROL": "true",  # which assistants somebody is offered is decided by `site`
        "ENABLE_OLLAMA_API": "false",
        "WEBUI_ADMIN_EMAIL": "admin@urzad.example",
        "WEBUI_ADMIN_PASSWORD": PASSWORD,
        "WEBUI_SECRET_KEY": token_urlsafe(),
        "DATA_DIR": str(folder),
        # Nothing is downloaded and no model of its own is loaded.
        "OFFLINE_MODE": "true",
        "HF_HUB_OFFLINE": "1",
        "BYPASS_EMBEDDING_AND_RETRIEVAL": "true",
        "RAG_EMBEDDING_ENGINE": "openai",
        "ANONYMIZED_TELEMETRY": "false",
    }
    with running(port, environment, folder / "log.txt") as address:
        for name in ("jan", "anna"):
            add_person(address, name)
        yield address


@contextmanager
def running(port: int, environment: dict[str, str], log: Path) -> Iterator[str]:
    address = f"http://127.0.0.1:{port}"
    arguments = [PROGRAM, "serve", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as file:
        process = subprocess.Popen(arguments, env={**os.environ, **environment}, stdout=file, stderr=file)
    try:
        wait_until(lambda: process.poll() is not None or is_healthy(address))
        assert process.poll() is None, log.read_text()
        yield address
    finally:
        process.kill()
        process.wait()


def is_healthy(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health").is_success
    except httpx.TransportError:
        return False


def add_person(address: str, name: str) -> None:
    person = {"name": name, "email": f"{name}@urzad.example", "password": PASSWORD, "role": "user"}
    headers = signed_in_as(address, "admin")
    httpx.post(f"{address}/api/v1/auths/add", json=person, headers=headers).raise_for_status()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium_program(), args=FLAGS)
        yield started
        started.close()


@contextmanager
def signed_in(browser: Browser, address: str, name: str) -> Iterator[Page]:
    context = browser.new_context(locale="pl-PL", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/auth")
    page.locator("input[type=email]").fill(f"{name}@urzad.example")
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("button[type=submit]").click()
    expect(page.locator("#chat-input")).to_be_visible()
    yield page
    context.close()


def choose(page: Page, assistant: str) -> None:
    page.locator("button[id^=model-selector]").first.click()
    page.get_by_role("option", name=assistant).or_(page.get_by_label(assistant)).first.click()


def ask(page: Page, question: str) -> Locator:
    """The last answer, once it has been said."""
    before = page.locator(".chat-assistant").count()
    page.locator("#chat-input").click()
    page.keyboard.type(question)
    page.keyboard.press("Enter")
    expect(page.locator(".chat-assistant")).to_have_count(before + 1)
    expect(page.locator("button.regenerate-response-button").last).to_be_attached()
    return page.locator(".chat-assistant").last


def paint(page: Page, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/open-webui-{name}.png")


def test_a_question_is_answered_with_a_quote_by_the_chosen_assistant(
    open_webui: str, site: Installation, browser: Browser
) -> None:
    with signed_in(browser, open_webui, "anna") as page:
        asked_outside: list[str] = []
        page.on("request", lambda request: asked_outside.append(request.url))
        choose(page, ASSISTANT)
        answer = ask(page, CONFIDENTIAL)
        expect(answer).to_contain_text("7 800 zł")
        paint(page, "answer")
        answer.get_by_role("button", name="Widełki płac").first.click()
        quote = page.get_by_role("dialog").or_(page.locator(".modal"))
        expect(quote).to_contain_text("inspektor")
        expect(quote).to_contain_text("7 800 zł")
        link = quote.get_by_role("link", name="Widełki płac i zasady awansowania")
        assert "/documents/" in str(link.get_attribute("href"))
        paint(page, "quote")
        # An icon of a source's address would be asked of Google, with the address of the document.
        assert [url for url in asked_outside if "documents" in url or "favicons" in url] == []
        expect(page).to_have_title(re.compile("^Ile zarabia"))  # its own prompts have been answered
    tasks = site.sql("SELECT count(*) FROM rag_exchange WHERE question LIKE '### Task%'")
    assert tasks == [(0,)]


def test_a_file_that_is_attached_there_takes_the_place_of_no_source(open_webui: str, browser: Browser) -> None:
    with signed_in(browser, open_webui, "anna") as page:
        choose(page, ASSISTANT)
        note = {"name": "notatka.txt", "mimeType": "text/plain", "buffer": b"Inspektor zarabia najwyzej 1 zl."}
        with page.expect_response(lambda response: "/process/status" in response.url) as read:
            page.locator("input[type=file]").first.set_input_files(note)
        read.value.finished()
        expect(page.get_by_text("notatka.txt").first).to_be_visible()
        answer = ask(page, CONFIDENTIAL)
        expect(answer).to_contain_text("Stanowisko: inspektor; Minimum: 6 200 zł")
        paint(page, "file")
        answer.get_by_role("button", name="Widełki płac").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("inspektor | 6 200 zł")


def test_two_people_see_what_each_of_them_may(open_webui: str, browser: Browser) -> None:
    with signed_in(browser, open_webui, "jan") as page:
        choose(page, ASSISTANT)
        expect(ask(page, CONFIDENTIAL)).to_contain_text("Nie znaleziono w źródłach.")
        paint(page, "refused")
        assert "7 800" not in page.content()
        expect(ask(page, "Ile dni urlopu po 10 latach pracy?")).to_contain_text("26 dni")


def test_who_is_not_known_here_is_told_so(open_webui: str) -> None:
    add_person(open_webui, "obcy")
    httpx.get(f"{open_webui}/api/models", headers=signed_in_as(open_webui, "anna")).raise_for_status()
    asked = {"model": "knowledgetree", "messages": [{"role": "user", "content": CONFIDENTIAL}]}
    answer = httpx.post(
        f"{open_webui}/api/chat/completions", json=asked, headers=signed_in_as(open_webui, "obcy"), timeout=60
    )
    assert "obcy@urzad.example" in answer.text
    assert "zł" not in answer.text


def signed_in_as(address: str, name: str) -> dict[str, str]:
    person = {"email": f"{name}@urzad.example", "password": PASSWORD}
    token = httpx.post(f"{address}/api/v1/auths/signin", json=person).raise_for_status().json()["token"]
    return {"Authorization": f"Bearer {token}"}
