"""An editor changes a chunk; a citation of it opens both texts: in the panel, on a phone and without JavaScript."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, StorageState, expect

from tests.browser.conftest import PATIENCE, Site
from tests.browser.quality import complaints_of, overflow, violations

QUESTION = "Ile znaków musi mieć hasło użytkownika?"
OWN, CHANGED = "Hasło użytkownika musi mieć co najmniej 14 znaków", "Hasło użytkownika musi mieć co najmniej 16 znaków"


@pytest.fixture(scope="module")
def admin(browser: Browser, site: Site, signed_in: StorageState) -> Iterator[Page]:
    """The page of the chunk in the admin, its text changed; afterwards the document's own is put back."""
    context = browser.new_context(base_url=site.address, locale="pl-PL", storage_state=signed_in)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto("/admin/ingestion/chunk/?q=Has%C5%82o+u%C5%BCytkownika+musi+14+znak%C3%B3w")
    page.goto(str(page.locator("#result_list a[href*='/change/']").first.get_attribute("href")))
    text = page.locator("#id_text")
    text.fill(text.input_value().replace(OWN, CHANGED))
    page.get_by_role("button", name="Zapisz i kontynuuj").click()
    expect(page.get_by_role("link", name="Zobacz oba teksty tak jak czytelnik")).to_be_visible()
    address = page.url
    yield page
    page.goto(address)
    page.get_by_role("button", name="Cofnij zmianę").click()
    expect(page.get_by_role("link", name="Zobacz oba teksty tak jak czytelnik")).to_have_count(0)
    context.close()


def sides(page: Page | Locator) -> tuple[Locator, Locator]:
    edited = page.locator(".side", has_text="Tekst zmieniony przez redaktora")
    return edited, page.locator(".side", has_text="Tekst dokumentu")


def asked(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.get_by_role("button", name="Zapytaj", exact=True).click()
    expect(page.locator("[data-answer]")).to_contain_text("16 znaków")


def test_the_citation_opens_both_texts_beside_the_answer(admin: Page, context: BrowserContext) -> None:
    page = context.new_page()
    complaints = complaints_of(page)
    asked(page)
    page.locator("[data-answer] .chip").first.click()
    edited, own = sides(page.locator("#panel"))
    expect(page.locator("#panel #cytat")).to_be_in_viewport()
    expect(edited.locator("mark:not(.hit)").first).to_contain_text("16 znaków")
    expect(own).to_contain_text(OWN)
    expect(own.locator("mark:not(.hit)")).to_have_count(0)
    page.goto(str(page.locator("#panel-open").get_attribute("href")))
    page.get_by_role("link", name="Pokaż to miejsce w dokumencie").click()
    expect(page.locator("mark#miejsce")).to_be_in_viewport()
    assert violations(page) == []
    assert complaints == []


def test_on_a_phone_one_text_stands_below_the_other(admin: Page, context: BrowserContext) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    asked(page)
    page.locator("[data-answer] .chip").first.click()
    expect(page.locator("#panel #cytat")).to_be_in_viewport()
    page.goto(str(page.locator("#panel-open").get_attribute("href")))
    edited, own = page.locator(".side").evaluate_all("sides => sides.map(side => side.getBoundingClientRect())")
    assert edited["left"] == own["left"]
    assert own["top"] >= edited["bottom"]
    assert overflow(page) <= 0


def test_both_texts_stand_there_without_javascript(admin: Page, context_without_javascript: BrowserContext) -> None:
    page = context_without_javascript.new_page()
    asked(page)
    page.locator("[data-answer] .chip").first.click()
    edited, own = sides(page)
    expect(page.locator("#cytat")).to_be_in_viewport()
    expect(edited).to_contain_text(CHANGED)
    expect(own).to_contain_text(OWN)


def test_the_editor_comes_from_the_chunk_to_both_texts(admin: Page) -> None:
    admin.get_by_role("link", name="Zobacz oba teksty tak jak czytelnik").click()
    edited, own = sides(admin)
    expect(edited).to_contain_text(CHANGED)
    expect(own).to_contain_text(OWN)
    tops = admin.locator(".side").evaluate_all("sides => sides.map(side => side.getBoundingClientRect().top)")
    assert tops[0] == tops[1], "side by side"
