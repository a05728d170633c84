"""The source of a citation: on a card beside its number, and in the panel, one after another."""

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.test_keyboard import tab_to
from tests.browser.test_reading import asked, complaints_of

OF_TWO_DOCUMENTS = "Porównaj urlop bezpłatny i urlop na żądanie."


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return asked(context.new_page())


def test_a_number_shows_its_source_on_focus_and_on_hover_until_escape(page: Page) -> None:
    chip, card = page.locator("[data-answer] .chip").first, page.locator("#source-card")
    page.locator("body").focus()
    tab_to(page, "[data-answer] .chip")
    expect(card).to_be_visible()
    expect(chip).to_have_attribute("aria-describedby", "source-card")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    chip.blur()

    chip.hover()
    expect(card).to_contain_text("26 dni")
    expect(card.locator("mark.hit").first).to_be_visible()
    expect(card).to_be_in_viewport(ratio=1)
    card.hover()  # it stays under the pointer
    expect(card).to_be_visible()
    page.locator(".question").hover()
    expect(card).to_be_hidden()


def test_the_panel_steps_through_the_sources_and_gives_the_focus_back(context: BrowserContext) -> None:
    page = context.new_page()
    complaints = complaints_of(page)
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(OF_TWO_DOCUMENTS)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/c/"))
    sources = page.locator(".source a[data-source]")
    addresses = list(dict.fromkeys(sources.evaluate_all("links => links.map(link => link.href)")))
    assert len(addresses) > 1
    opened = page.locator("#panel-open")
    following, previous = page.locator("#panel-next"), page.locator("#panel-previous")

    sources.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    expect(sources.first).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#panel-place")).to_have_text(re.compile(r"\d"))
    expect(page.locator("#panel mark.hit").first).to_be_attached()
    expect(previous).to_be_disabled()

    for address in addresses[1:]:
        following.press("Enter")
        expect(opened).to_have_attribute("href", address)
        expect(following).to_be_focused()
    expect(following).to_be_disabled()
    expect(page.locator("#panel-said")).not_to_be_empty()
    previous.press("Enter")
    expect(opened).to_have_attribute("href", addresses[-2])

    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    expect(sources.first).to_be_focused()
    expect(page.locator("[aria-expanded=true]:not(summary)")).to_have_count(0)
    assert complaints == []


SOURCE = """<li class="source" data-number="1"><a class="source-link">Regulamin</a><p class="source-place">s. 3</p>
<blockquote>Wymiar urlopu to 26 dni</blockquote></li>"""
EVENTS = {
    "delta": {"text": "Urlop wynosi 26 dni [1]."},
    "citation": {"citation": {"number": 1, "url": "/documents/1/", "title": "Regulamin"}, "html": SOURCE},
}


def test_a_number_of_an_answer_that_is_being_written_has_its_source_already(context: BrowserContext) -> None:
    page = context.new_page()
    stream = "".join(f"event: {name}\ndata: {json.dumps(fields)}\n\n" for name, fields in EVENTS.items())
    page.route("**/ask/stream/", lambda route: route.fulfill(content_type="text/event-stream", body=stream))
    page.goto("/")
    page.locator("#question").fill("Ile dni urlopu?")
    page.keyboard.press("Enter")
    page.locator(".draft .chip").hover()
    expect(page.locator("#source-card")).to_contain_text("Wymiar urlopu")
