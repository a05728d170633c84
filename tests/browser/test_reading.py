"""A reader asks, reads the answer and opens what it cites."""

import re

from playwright.sync_api import BrowserContext, Page, expect

QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"


def asked(page: Page) -> Page:
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.get_by_label("Twoje pytanie").press("Enter")
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page).to_have_url(re.compile("/c/"))  # the answer is saved
    return page


def complaints_of(page: Page) -> list[str]:
    """What the browser says about broken scripts, missing files and the content security policy."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


def test_an_answer_streams_in_and_its_citation_opens_beside_it(context: BrowserContext) -> None:
    page = context.new_page()
    complaints = complaints_of(page)
    asked(page)
    page.locator("[data-answer] .chip").first.click()

    mark = page.locator("#panel #cytat")
    expect(mark).to_contain_text("26 dni")
    expect(mark).to_be_in_viewport()
    expect(page.get_by_label("Źródło", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator("[data-answer] .chip").first).to_be_focused()
    assert complaints == []


def test_the_conversation_is_there_after_a_reload(context: BrowserContext) -> None:
    page = asked(context.new_page())
    expect(page.locator("#conversations .conversation-link")).to_have_text(QUESTION)
    page.reload()
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page.locator("#conversations a[aria-current=page]")).to_have_text(QUESTION)


def test_a_follow_up_question_joins_the_conversation(context: BrowserContext) -> None:
    page = asked(context.new_page())
    address = page.url
    page.keyboard.press("Escape")
    page.get_by_label("Twoje pytanie").fill("Kiedy trzeba wykorzystać urlop zaległy?")
    page.get_by_role("button", name="Zapytaj", exact=True).click()
    expect(page.locator("[data-answer]")).to_have_count(2)
    assert page.url == address
    expect(page.locator("#conversations .conversation-link")).to_have_count(1)


def test_stop_ends_the_waiting_and_offers_to_ask_again(context: BrowserContext) -> None:
    page = context.new_page()
    page.route("**/ask/stream/", lambda route: None)  # a server that never answers
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Zatrzymaj").click()
    expect(page.locator(".stopped")).to_be_visible()
    page.unroute_all()
    page.get_by_role("button", name="Zapytaj ponownie").click()
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page.locator(".question")).to_have_count(1)


def test_everything_works_without_javascript(context_without_javascript: BrowserContext) -> None:
    page = context_without_javascript.new_page()
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.get_by_role("button", name="Zapytaj", exact=True).click()
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    page.locator("[data-answer] .chip").first.click()
    expect(page.locator("#cytat")).to_contain_text("26 dni")
    expect(page.locator("#cytat")).to_be_in_viewport()


def test_an_example_question_can_be_clicked(context_without_javascript: BrowserContext) -> None:
    page = context_without_javascript.new_page()
    page.goto("/")
    page.get_by_role("button", name=QUESTION).click()
    expect(page.locator(".question")).to_have_text(QUESTION)


def test_a_question_with_no_answer_invents_none(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type("Jaka jest stolica Australii?")
    page.keyboard.press("Enter")
    expect(page.locator(".not-found")).to_be_visible()
    expect(page.locator(".answer-area .chip")).to_have_count(0)


def test_the_page_fits_a_small_phone(context: BrowserContext) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    asked(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("link", name="Rozmowy").click()
    expect(page.locator("#conversations .conversation-link")).to_be_in_viewport()
