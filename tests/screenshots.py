"""Pictures of every page, light and dark: `python -m tests.screenshots [WORD]` remakes those whose name has WORD.

Runs an installation of its own with the sample knowledge base; needs Chromium. Writes `docs/screenshots/*.webp`.
"""

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_urlsafe
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/screenshots"
QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
UNANSWERED = "Jaka jest stolica Australii?"
DESK, PHONE = (1360, 860), (390, 844)


class Shot(NamedTuple):
    """A page by its address, or by what is done from there; `signed_in`: as the administrator."""

    name: str
    address: str = "/"
    then: Callable[[Page], object] | None = None
    size: tuple[int, int] = DESK
    signed_in: bool = False


def ask(page: Page, question: str = QUESTION) -> None:
    page.get_by_label("Twoje pytanie").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".exchange:last-child .answer-area")).to_have_attribute("aria-busy", "false")


def open_source(page: Page) -> None:
    ask(page)
    page.locator("[data-answer] .chip").first.click()
    expect(page.locator("#panel #cytat")).to_be_visible()


def hover_chip(page: Page) -> None:
    ask(page)
    page.locator("[data-answer] .chip").first.hover()
    page.wait_for_timeout(600)


def explain(page: Page) -> None:
    ask(page)
    page.locator(".why summary").first.click()
    page.locator(".why").first.evaluate("part => part.scrollIntoView({ block: 'center' })")


def lose_the_line(page: Page) -> None:
    page.route("**/ask/stream/", lambda route: route.abort())
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()


def unfold_filters(page: Page) -> None:
    page.locator(".filters > summary").first.click()


def to_the_document(page: Page) -> None:
    open_source(page)
    page.goto(str(page.locator("#panel-open").get_attribute("href")))


def to_the_pdf(page: Page) -> None:
    ask(page, "Ile dni ma referat na opisanie faktury pod względem merytorycznym?")
    page.locator("[data-answer] .chip", has_text="2").first.click()
    page.locator("#panel").get_by_role("link", name="Otwórz w PDF").click()
    expect(page.locator(".pdf-words span", has_text="Referat zamawiający opisuje")).to_be_visible()


def first_entry(page: Page) -> None:
    page.goto(str(page.locator("#result_list a[href*='/change/']").first.get_attribute("href")))


def first_collection(page: Page) -> None:
    page.locator("main a[href^='/library/']").first.click()


def compare(page: Page) -> None:
    page.locator("#id_question").fill(QUESTION)
    page.locator("#hit-testing button[type=submit]").click()
    expect(page.locator(".kt-hits-found")).to_have_count(2)


def ask_widget(page: Page) -> None:
    first_entry(page)
    page.goto(str(page.locator("#widget-panel a[href$='/preview/']").get_attribute("href")))
    page.get_by_role("button", name="Zapytaj").click()
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Czy ta odpowiedź pomogła?")).to_be_visible()


READERS = [
    Shot("czat-start"),
    Shot("czat-odpowiedz", then=ask),
    Shot("czat-zrodlo", then=open_source),
    Shot("czat-karta", then=hover_chip),
    Shot("czat-dlaczego", then=explain),
    Shot("czat-brak", then=lambda page: ask(page, UNANSWERED)),
    Shot("czat-blad", then=lose_the_line),
    Shot("czat-filtry", then=unfold_filters),
    Shot("czat-telefon", then=ask, size=PHONE),
    Shot("czat-telefon-zrodlo", then=open_source, size=PHONE),
    Shot("dokument", then=to_the_document),
    Shot("dokument-pdf", then=to_the_pdf),
    Shot("dokument-pdf-telefon", then=to_the_pdf, size=PHONE),
    Shot("biblioteka", "/library/"),
    Shot("biblioteka-kolekcja", "/library/", first_collection),
    Shot("biblioteka-wyszukiwanie", "/library/?q=urlop"),
    Shot("biblioteka-telefon", "/library/", size=PHONE),
    Shot("logowanie", "/login/"),
    Shot("konto", "/account/", signed_in=True),
    Shot("admin-audyt", "/admin/knowledgetree/auditentry/", signed_in=True),
    Shot("nie-ma-strony", "/no-such-page/"),
]
ADMIN = [
    Shot("admin-start", "/admin/"),
    Shot("admin-dokumenty", "/admin/ingestion/document/"),
    Shot("admin-dokument", "/admin/ingestion/document/", first_entry),
    Shot("admin-przesylanie", "/admin/ingestion/document/upload/"),
    Shot("admin-kolekcje", "/admin/ingestion/collection/"),
    Shot("admin-kolekcja", "/admin/ingestion/collection/", first_entry),
    Shot("admin-fragmenty", "/admin/ingestion/chunk/"),
    Shot("admin-zrodla", "/admin/ingestion/source/"),
    Shot("admin-kanal", "/admin/ingestion/source/?q=Komunikaty", first_entry),
    Shot("admin-podzial", "/admin/ingestion/rechunking/"),
    Shot("admin-podzial-nowy", "/admin/ingestion/rechunking/new/"),
    Shot("admin-podzial-telefon", "/admin/ingestion/rechunking/", size=PHONE),
    Shot("admin-synonimy", "/admin/ingestion/synonymgroup/"),
    Shot("admin-slownik", "/admin/ingestion/glossaryentry/"),
    Shot("admin-przestrzenie", "/admin/ingestion/embeddingspace/"),
    Shot("admin-asystenci", "/admin/rag/assistant/"),
    Shot("admin-widzet", "/admin/rag/widget/", first_entry),
    Shot("widzet", "/admin/rag/widget/", ask_widget),
    Shot("widzet-telefon", "/admin/rag/widget/", ask_widget, size=PHONE),
    Shot("admin-test-trafien", "/admin/rag/hit-testing/", compare),
    Shot("admin-luki", "/admin/rag/knowledgegap/"),
    Shot("admin-oceny", "/admin/rag/feedback/"),
    Shot("admin-zestawy", "/admin/rag/evaluationdataset/"),
    Shot("admin-kokpit", "/admin/rag/dashboard/"),
    Shot("admin-zadania", "/admin/ingestion/job/"),
    Shot("admin-zadanie", "/admin/ingestion/job/?kind__exact=sync_source", first_entry),
    Shot("admin-zadanie-telefon", "/admin/ingestion/job/?kind__exact=sync_source", first_entry, size=PHONE),
    Shot("admin-uzytkownicy", "/admin/auth/user/"),
    Shot("admin-grupy", "/admin/auth/group/"),
]


def shots(word: str) -> Iterator[Shot]:
    yield from (shot for shot in READERS if word in shot.name)
    yield from (shot._replace(signed_in=True) for shot in ADMIN if word in shot.name)


def signed_in(browser: Browser, address: str, password: str, folder: Path) -> Path:
    """The cookies of the administrator, in a file."""
    page = browser.new_page(base_url=address, locale="pl-PL")
    page.goto("/admin/")
    page.locator("#id_username").fill("szefowa")
    page.locator("#id_password").fill(password)
    page.keyboard.press("Enter")
    expect(page.locator("#nav-sidebar")).to_be_attached()
    cookies = folder / "cookies.json"
    page.context.storage_state(path=cookies)
    page.context.close()
    return cookies


def take(browser: Browser, address: str, cookies: Path, shot: Shot, scheme: str) -> None:
    width, height = shot.size
    context = browser.new_context(
        base_url=address,
        locale="pl-PL",
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        storage_state=cookies if shot.signed_in else None,
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(shot.address)
    if shot.then:
        shot.then(page)
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.save(FOLDER / f"{shot.name}{'-ciemny' if scheme == 'dark' else ''}.webp", quality=82, method=6)
    context.close()


def main(word: str = "") -> None:
    from tests.browser.conftest import FLAGS, chromium_program
    from tests.installation import installation
    from tests.screenshot_data import FEED_KEY

    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder), "kt_screenshots", **FEED_KEY) as site:
        site.manage("load_sample", "--verbosity", "0")
        password = token_urlsafe()
        site.manage(
            "createsuperuser", "--noinput", "--username", "szefowa", "--email", "", DJANGO_SUPERUSER_PASSWORD=password
        )
        site.manage("shell", "--command", "from tests.screenshot_data import add; add()")
        address = site.start_web(ASK_RATE="10000/min", LOGIN_RATE="1000/min")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_program(), args=FLAGS)
            cookies = signed_in(browser, address, password, Path(folder))
            for shot in shots(word):
                for scheme in ("light", "dark"):
                    try:
                        take(browser, address, cookies, shot, scheme)
                        print(shot.name, scheme, flush=True)  # noqa: T201
                    except Exception as error:
                        print(f"{shot.name}, {scheme}: {str(error).splitlines()[0]}", flush=True)  # noqa: T201
            browser.close()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    import django

    django.setup()
    main(*sys.argv[1:])
