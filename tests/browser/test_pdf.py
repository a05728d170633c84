"""A PDF drawn by the reader's browser: opened from a citation, marked, turned and zoomed by keys."""

import re
from io import BytesIO

from PIL import Image
from playwright.sync_api import BrowserContext, expect

from tests.browser.quality import complaints_of, overflow, violations
from tests.browser.test_page_pictures import QUESTION

INK = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, at) => at % 4 === 0 && value < 100);
}"""
MIDDLE = """canvases => canvases.map(canvas =>
  [...canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data])"""


def test_a_citation_opens_in_the_pdf_and_keys_turn_and_enlarge_it(context: BrowserContext) -> None:
    page = context.new_page()
    page.set_default_timeout(60_000)  # the first page of a cold server, and a process that starts to paint
    complaints = complaints_of(page)
    page.goto("/")
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.get_by_label("Twoje pytanie").press("Enter")
    page.locator("[data-answer] .chip", has_text="2").first.click()
    page.locator("#panel").get_by_role("link", name="Otwórz w PDF").click()

    words = page.locator(".pdf-words span", has_text="Referat zamawiający opisuje fakturę")
    expect(words).to_be_in_viewport()
    expect(page.locator("#cytat rect").first).to_be_in_viewport()
    mark, there = page.locator("#cytat rect").first.bounding_box(), words.bounding_box()
    assert mark
    assert there
    assert abs(mark["y"] - there["y"]) < mark["height"] / 2
    assert there["x"] < mark["x"] + mark["width"]
    assert page.locator(".pdf-sheet canvas").first.evaluate(INK)

    number, column = page.get_by_label("Strona", exact=True), page.get_by_role("main")
    expect(column).to_be_focused()
    expect(number).to_have_value("1")
    page.keyboard.press("ArrowRight")
    expect(number).to_have_value("2")
    expect(page.locator(".pdf-words span", has_text="§ 5. Termin płatności")).to_be_in_viewport()
    expect(page.get_by_role("status")).to_have_text("Strona 2 z 2")
    expect(page).to_have_url(re.compile("page=2"))  # to load it again opens the page that is read
    width = page.locator(".pdf-sheet").first.evaluate("sheet => sheet.offsetWidth")
    page.keyboard.press("+")
    assert page.locator(".pdf-sheet").first.evaluate("sheet => sheet.offsetWidth") > 1.1 * width
    number.fill("1")
    number.press("Enter")
    expect(page.locator("#pdf-previous")).to_have_attribute("aria-disabled", "true")
    expect(column).to_be_focused()

    for scheme, size in (("light", 1440), ("dark", 360)):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.set_viewport_size({"width": size, "height": 900})
        assert violations(page) == []
        assert overflow(page) <= 0
    assert complaints == []


def test_a_pdf_that_is_not_there_leads_to_the_pictures(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/library/?q=obieg+faktur")
    page.get_by_role("link", name="Instrukcja obiegu i kontroli faktur").first.click()
    page.route("**/original/", lambda route: route.fulfill(status=200, body="no PDF"))
    page.get_by_role("link", name="Otwórz w PDF").click()
    expect(page.get_by_role("main")).to_contain_text("Tego pliku PDF nie można tu pokazać.")
    page.get_by_role("link", name="Strony jako obrazy").click()
    expect(page.locator(".page-sheet img")).to_be_visible()


def test_pictures_are_decoded_without_webassembly(context: BrowserContext) -> None:
    """JPEG 2000 and CCITT, which pdf.js leaves to WebAssembly wherever it can."""
    sheets = Image.new("RGBA", (80, 60), (200, 0, 0, 255)), Image.new("1", (80, 60), 0)
    file = BytesIO()
    sheets[0].save(file, "PDF", save_all=True, append_images=sheets[1:])
    assert b"JPXDecode" in file.getvalue()
    assert b"CCITTFaxDecode" in file.getvalue()
    page = context.new_page()
    complaints = complaints_of(page)
    page.goto("/library/?q=obieg+faktur")
    page.get_by_role("link", name="Instrukcja obiegu i kontroli faktur").first.click()
    page.route("**/original/", lambda route: route.fulfill(status=200, body=file.getvalue()))
    page.get_by_role("link", name="Otwórz w PDF").click()
    expect(page.locator(".pdf-sheet canvas")).to_have_count(2)
    colours = page.locator(".pdf-sheet canvas").evaluate_all(MIDDLE)
    assert colours[0][0] > 180 > 60 > colours[0][1]
    assert colours[1][0] < 60
    assert complaints == []
