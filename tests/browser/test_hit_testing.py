"""An administrator compares two configurations and marks what is right."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

QUESTION = "Ile kosztuje karta parkingowa?"


@pytest.fixture
def hit_testing(administrator: BrowserContext) -> Page:
    page = administrator.new_page()
    page.goto("/admin/rag/hit-testing/")
    expect(page.locator("#hit-testing")).to_be_visible()
    return page


def compare(page: Page) -> None:
    page.locator("#id_question").fill(QUESTION)
    page.locator("#hit-testing button[type=submit]").click()
    expect(page.locator(".kt-hits-found")).to_have_count(2, timeout=60_000)
    page.wait_for_load_state()  # with it the script that takes the forms over


def test_a_mark_is_kept_without_leaving_the_page(hit_testing: Page) -> None:
    page = hit_testing
    page.locator("details:has(#new-set-name) > summary").click()
    page.locator("#new-set-name").fill("Z przeglądarki")
    page.locator("form:has(#new-set-name) button").click()
    expect(page.locator("#id_dataset option:checked")).to_have_text("Z przeglądarki")
    compare(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    address = page.url
    relevant = page.locator("#a-heading ~ .kt-hits-list .kt-hit-marks button[value='2']").first
    expect(relevant).to_have_attribute("aria-pressed", "false")
    relevant.click()
    expect(page.locator("[data-mark-status]")).not_to_be_empty(timeout=30_000)
    expect(relevant).to_have_attribute("aria-pressed", "true")
    assert page.url == address
    compare(page)
    expect(relevant).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".kt-hits-table")).to_be_visible()
