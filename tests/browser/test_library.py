"""A reader goes from the library to a document and finds words in it."""

from playwright.sync_api import BrowserContext, Page, expect

PATIENT = 60_000  # milliseconds: the first search of a server reads its dictionaries


def opened_from_the_library(page: Page) -> Page:
    page.set_default_timeout(PATIENT)
    page.goto("/library/")
    page.get_by_role("link", name="Kadry i płace").click()
    page.get_by_role("link", name="Regulamin udzielania urlopów wypoczynkowych").click()
    page.locator("#find-words").fill("urlop")
    return page


def test_a_reader_browses_to_a_document_and_moves_between_its_hits(context: BrowserContext) -> None:
    page = opened_from_the_library(context.new_page())
    page.locator("#find-words").press("Enter")

    current = page.locator("mark.found[aria-current][id]")
    expect(current).to_have_id("trafienie-1", timeout=PATIENT)
    page.locator("body").press("n")
    expect(current).to_have_id("trafienie-2")
    expect(current).to_be_in_viewport()
    expect(page.locator(".find-hit[aria-current]")).to_have_attribute("data-hit", "2")
    page.locator("body").press("p")
    expect(current).to_have_id("trafienie-1")
    expect(page.locator(".outline a[aria-current]")).to_have_count(1)


def test_finding_works_without_javascript(context_without_javascript: BrowserContext) -> None:
    page = opened_from_the_library(context_without_javascript.new_page())
    page.locator(".find-button").click()
    expect(page.locator("#trafienie-1")).to_be_in_viewport(timeout=PATIENT)
    page.locator("#find-next").click()
    expect(page.locator("#trafienie-2")).to_be_in_viewport(timeout=PATIENT)
