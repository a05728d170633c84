"""A source that is a PDF shows its page, with the cited words marked on it."""

from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.test_reading import complaints_of

QUESTION = "Ile dni ma referat na opisanie faktury pod względem merytorycznym?"


def is_painted(picture: Locator) -> None:
    """The file came and is a picture."""
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0


def test_the_panel_shows_the_page_with_the_words_marked_and_turns_it(context: BrowserContext) -> None:
    page = context.new_page()
    page.set_default_timeout(60_000)  # the first page of a cold server, and a process that starts to paint
    complaints = complaints_of(page)
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.get_by_label("Twoje pytanie").press("Enter")
    expect(page.locator("[data-answer]")).to_contain_text("3 dni")
    page.locator("[data-answer] .chip", has_text="2").first.click()  # the first is a row of a table, cell by cell
    panel = page.locator("#panel")
    expect(panel.locator("#cytat rect").first).to_be_in_viewport()
    expect(panel.locator("#cytat-w-tekscie")).to_contain_text("Referat zamawiający")
    is_painted(panel.locator(".page-sheet img"))

    first, sheet = panel.locator("#cytat rect").first.bounding_box(), panel.locator(".page-sheet").bounding_box()
    assert first
    assert sheet
    assert sheet["x"] < first["x"] < first["x"] + first["width"] < sheet["x"] + sheet["width"]
    assert sheet["y"] < first["y"] < sheet["y"] + sheet["height"]
    assert first["width"] > 5 * first["height"] > 0

    panel.locator("a[data-zoom]").click()
    zoomed = panel.locator(".page-view.is-zoomed")
    expect(zoomed.locator("rect").first).to_be_in_viewport()
    assert zoomed.evaluate("view => view.scrollWidth > 1.5 * view.clientWidth")
    panel.locator("a[data-zoom]").click()
    expect(zoomed).to_have_count(0)

    panel.locator("a[data-page][rel=next]").press("Enter")
    is_painted(panel.locator('.page-sheet img[src*="/pages/2.webp"]'))
    expect(panel.locator(".page-picture :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert complaints == []


def test_pages_are_turned_without_javascript(context_without_javascript: BrowserContext) -> None:
    page = context_without_javascript.new_page()
    page.set_default_timeout(60_000)
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.get_by_role("button", name="Zapytaj", exact=True).click()
    page.locator("[data-answer] .chip").first.click()
    expect(page.locator("#cytat rect").first).to_be_in_viewport()
    page.locator("a[data-page]").first.click()
    expect(page.locator('.page-sheet img[src*="/pages/2.webp"]')).to_be_in_viewport()
    page.locator('.page-turning a[href^="#"]').click()
    expect(page.locator(".document-text mark").first).to_be_in_viewport()
