"""The browser's "back": a question, an open source and the page before are steps of it."""

import re

from playwright.sync_api import BrowserContext, expect

from tests.browser.test_reading import asked


def test_back_closes_the_source_and_then_leaves_the_conversation(context: BrowserContext) -> None:
    page = asked(context.new_page())
    conversation = page.url
    page.locator(".source a[data-source]").first.click()
    panel = page.locator("#panel")
    expect(panel).to_be_visible()
    page.go_back()
    expect(panel).to_be_hidden()
    assert page.url == conversation
    page.go_forward()
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.go_back()
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.locator(".exchange")).to_have_count(0)
    page.go_forward()
    expect(page).to_have_url(conversation)
    expect(page.locator(".exchange")).to_have_count(1)
