"""A question without an answer says what it was looked for under, and lets its reader report the gap."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.quality import complaints_of, overflow, violations

QUESTION = "Jaka jest stolica Australii?"


def asked(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.get_by_role("button", name="Zapytaj", exact=True).click()
    expect(page.locator(".not-found")).to_be_visible()
    expect(page).to_have_url(re.compile("/c/"))  # the answer is saved, and what stands below it is its last


def test_the_gap_is_reported_from_the_keyboard(context: BrowserContext) -> None:
    page = context.new_page()
    complaints = complaints_of(page)
    asked(page)
    lookup = page.get_by_role("region", name="Czego szukano")
    expect(lookup).to_contain_text("stolica")
    expect(lookup.get_by_role("link", name="Szukaj tych słów w bibliotece")).to_have_attribute(
        "href", "/library/?q=stolica%20Australii"
    )
    lookup.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Stolice państw")
    assert (violations(page), overflow(page)) == ([], 0)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    reported = lookup.locator(".reported")
    expect(reported).to_be_focused()
    assert (violations(page), overflow(page)) == ([], 0)
    page.reload()
    expect(reported).to_be_visible()
    expect(page.get_by_text("Zgłoś brak")).to_have_count(0)
    assert complaints == []


def test_the_gap_is_reported_without_javascript(context_without_javascript: BrowserContext) -> None:
    page = context_without_javascript.new_page()
    asked(page)
    page.get_by_text("Zgłoś brak").click()
    page.get_by_role("button", name="Wyślij zgłoszenie").click()
    expect(page.locator(".reported")).to_be_visible()
