"""Every page by axe, in the light scheme on a desk and in the dark one on a phone, and without a complaint."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from knowledgetree.accessibility.tested import KNOWN_FAULTS, PAGES
from tests.browser.conftest import Site
from tests.browser.quality import complaints_of, overflow, violations
from tests.browser.test_reading import QUESTION, asked

LOOKS = [("light", 1440), ("dark", 360)]
SEEN = ("#nav-sidebar",)  # alike on all pages of the admin, and long; the first pages have it, light and dark
FEW_ROWS = "document.querySelectorAll('#result_list tbody:nth-of-type(n+9)').forEach(row => row.remove())"
TOLD = (
    "wstep", "podmiot", "url", "data-publikacja", "data-aktualizacja", "status", "data-sporzadzenie", "data-przeglad",
    "kontakt", "osoba", "email", "telefon", "procedura", "architektura", "aplikacje",
)  # fmt: skip
"""What the technical conditions of such declarations want to be found by its id."""

HEIGHT = 2400  # so high that bars which stay in sight cover nothing, which axe would hold against what is below


@pytest.fixture(params=LOOKS, ids=["light, 1440 px", "dark, 360 px"])
def page(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme, width = request.param
    context = browser.new_context(
        base_url=site.address, locale="pl-PL", color_scheme=scheme, viewport={"width": width, "height": HEIGHT}
    )
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def check(page: Page) -> None:
    assert violations(page) == []
    assert overflow(page) <= 0, page.url


def test_pages_of_readers(page: Page) -> None:
    complaints = complaints_of(page)
    page.goto("/")
    check(page)
    asked(page)
    check(page)
    page.locator("[data-answer] .chip").first.click()
    expect(page.locator("#panel #cytat")).to_be_visible()
    check(page)
    document = page.locator("#panel-open").get_attribute("href")
    assert document
    for address in (document, "/library/", "/library/?q=urlop", "/login/", "/accessibility/"):
        page.goto(address)
        check(page)
    page.goto("/library/")
    page.locator("main a[href^='/library/']").first.click()
    check(page)
    assert complaints == []


def test_pages_of_ones_own_account(page: Page, signed_in: StorageState) -> None:
    page.context.add_cookies(signed_in["cookies"])
    complaints = complaints_of(page)
    for address in ("/account/", "/account/password/change/", "/account/keys/new/", "/account/second-factor/app/"):
        page.goto(address)
        check(page)
    page.context.clear_cookies()
    for address in ("/account/new/", "/account/off/", "/account/password/reset/done/"):
        page.goto(address)
        check(page)
    assert complaints == []


def test_pages_that_say_what_went_wrong(page: Page) -> None:
    page.goto("/no-such-page/")
    check(page)
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill("Jaka jest stolica Australii?")
    page.keyboard.press("Enter")
    expect(page.locator(".not-found")).to_be_visible()
    check(page)
    page.route("**/ask/stream/", lambda route: route.abort())
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    check(page)


def addresses(page: Page) -> list[str]:
    """Every list of the sidebar, with the form that adds to it and its first entry."""
    found: list[str] = page.eval_on_selector_all(
        "#nav-sidebar a[href^='/admin/']", "links => [...new Set(links.map(link => link.getAttribute('href')))]"
    )
    return found


def test_pages_of_the_administration(administrator: BrowserContext) -> None:
    page = administrator.new_page()
    complaints = complaints_of(page)
    page.goto("/admin/")
    found = [*violations(page)]
    lists = addresses(page)
    assert len(lists) > 12
    for number, address in enumerate(lists):
        page.emulate_media(color_scheme="dark" if number % 2 else "light")
        page.goto(address)
        page.evaluate(FEW_ROWS)
        found += violations(page, without=() if number < 2 else SEEN)
        entry = page.locator("#result_list a[href*='/change/']").first
        if entry.count() and number % 2 == 0:
            page.goto(str(entry.get_attribute("href")))
            found += violations(page, without=SEEN)
    for width in (1440, 360):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        for address in (
            "/admin/rag/evaluationrun/measure/", "/admin/rag/knowledgegap/words/", "/admin/rag/conflict/",
            "/admin/knowledgetree/processingrecord/report/", "/admin/knowledgetree/processingrecord/person/",
            "/admin/ingestion/validityproposal/",
        ):  # fmt: skip
            page.goto(address)
            found += violations(page)
    assert not found, "\n".join(found)
    assert complaints == []


def test_menus_and_questions_before_something_is_deleted(page: Page) -> None:
    asked(page)
    pages = [page.locator(link).first.get_attribute("href") for link in ("[data-rename]", "[data-delete]")]
    for summary in page.locator("#conversation-head summary, .filters > summary").all():
        summary.click()
    check(page)
    for address in pages:
        page.goto(str(address))
        check(page)


def test_the_declaration_tells_what_it_is_asked_for(administrator: BrowserContext) -> None:
    page = administrator.new_page()
    page.goto("/accessibility/")
    page.get_by_role("link", name="Sporządź deklarację").click()
    page.locator("#id_organisation").fill("Urząd Miasta Lipowo")
    page.locator("#id_contact").fill("Sekretarz Miasta")
    page.locator("#id_phone").fill("99 555 01 00")
    page.locator("#id_email").fill("dostepnosc@lipowo.example")
    page.locator("#id_building").fill("Wejście od ul. Rynek 1 jest bez schodów.")
    page.get_by_role("button", name="Zapisz", exact=True).click()
    expect(page.locator("#a11y-status")).to_contain_text("częściowo zgodna")
    for told in TOLD:
        expect(page.locator(f"#a11y-{told}")).to_have_count(1)
    assert violations(page) == []
    page.goto("/admin/knowledgetree/accessibilitystatement/")
    page.locator("#id_unmet").fill("")
    page.get_by_role("button", name="Zapisz", exact=True).click()
    expect(page.locator("#a11y-status")).to_contain_text("jest zgodna")


def test_the_declaration_claims_what_is_looked_at() -> None:
    assert set(LOOKED_AT) == set(PAGES)
    assert not KNOWN_FAULTS  # or `check` has to let them pass


LOOKED_AT = {
    "question": test_pages_of_readers,
    "source": test_pages_of_readers,
    "document": test_pages_of_readers,
    "library": test_pages_of_readers,
    "declaration": test_the_declaration_tells_what_it_is_asked_for,
    "account": test_pages_of_ones_own_account,
    "faults": test_pages_that_say_what_went_wrong,
    "dialogs": test_menus_and_questions_before_something_is_deleted,
    "administration": test_pages_of_the_administration,
}
"""Where each page that the declaration names is looked at."""
