"""A reader asks and something comes between: nothing that was typed or answered is lost."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import Site

QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
MISTYPED = "Ile dni urlopu przysługuje praconikowi z dziesięcioletnim stażem?"

# A stream that says the beginning of an answer and then nothing more, or breaks off. Playwright's route() can only
# answer whole, so the page's own fetch is wrapped.
SLOW = """
const whole = window.fetch;
window.fetchAgain = () => { window.fetch = whole; };
window.fetch = async (address, options) => {
  if (!String(address).includes("/ask/stream/")) return whole(address, options);
  const lines = [
    ["retrieved", {html: "Czytam"}],
    ["citation", {citation: {number: 1, url: "/documents/1/", title: "Urlopy", origin: "document"}, html: ""}],
    ["delta", {text: "Przysługuje 26 dni [1]"}],
  ].map(([name, fields]) => `event: ${name}\\ndata: ${JSON.stringify(fields)}\\n\\n`);
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode(lines.join("")));
      options.signal.addEventListener("abort", () => stream.error(new DOMException("", "AbortError")));
      window.breakOff = () => stream.error(new TypeError("network error"));
    },
  });
  return new Response(body, {headers: {"Content-Type": "text/event-stream"}});
};
"""

# The next question goes to the server again; a button as topics, corrections and examples have it, clicked twice.
ANSWERED_BY_THE_SERVER = "fetchAgain()"
TWO_CLICKS = """(question) => {
  const button = document.createElement("button");
  for (const [name, value] of [["name", "insist"], ["value", question], ["form", "composer"], ["formnovalidate", ""]]) {
    button.setAttribute(name, value);
  }
  document.body.append(button);
  button.click();
  button.click();
}"""


@pytest.fixture
def page(context: BrowserContext) -> Page:
    opened = context.new_page()
    opened.set_default_timeout(60_000)  # beside other tests the first page may take its time
    return opened


def ask(page: Page, question: str = QUESTION) -> None:
    page.locator("#question").fill(question)
    page.locator("#question").press("Enter")


def test_what_came_until_it_was_stopped_stays_with_its_citations(page: Page) -> None:
    page.add_init_script(SLOW)
    page.goto("/")
    ask(page)
    expect(page.locator(".draft")).to_contain_text("26 dni")
    expect(page.locator("#stop")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".stopped")).to_be_visible()
    expect(page.locator(".draft")).to_contain_text("26 dni")
    expect(page.locator(".draft a.chip")).to_have_text("1")
    expect(page.locator(".progress")).to_have_count(0)
    expect(page.locator("#send")).to_be_visible()


def test_what_came_until_the_connection_broke_stays(page: Page) -> None:
    page.add_init_script(SLOW)
    page.goto("/")
    ask(page)
    expect(page.locator(".draft")).to_contain_text("26 dni")
    page.evaluate("breakOff()")
    expect(page.locator(".failure")).to_be_visible()
    expect(page.locator(".draft a.chip")).to_have_text("1")
    expect(page.locator(".exchange .retry")).to_be_visible()


def test_without_a_network_the_question_waits_in_the_box_and_is_sent_when_it_is_back(page: Page) -> None:
    page.goto("/")
    page.context.set_offline(True)
    ask(page)
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#question")).to_have_value(QUESTION)
    expect(page.locator(".exchange")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#question")).to_have_value("")


@pytest.mark.parametrize(("status", "button"), [(500, ".exchange > .answer-area > .retry"), (403, "[data-reload]")])
def test_a_page_instead_of_an_answer_says_what_to_do(page: Page, status: int, button: str) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=status, content_type="text/html", body="<h1>Nie</h1>")

    page.route("**/ask/stream/", refuse)
    page.goto("/")
    ask(page)
    expect(page.locator(".failure")).to_be_visible()
    page.unroute_all()
    page.locator(button).click()
    if status == 403:
        expect(page.locator("#question")).to_have_value(QUESTION)
        page.locator("#question").press("Enter")
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")


def test_what_was_typed_survives_a_reload_and_a_sign_in(page: Page, site: Site) -> None:
    page.goto("/")
    page.locator("#question").fill("Ile dni urlopu")
    page.reload()
    expect(page.locator("#question")).to_have_value("Ile dni urlopu")
    page.locator(".account a[href*=login]").first.click(force=True)
    page.locator("[name=login]").fill(site.administrator)
    page.locator("[name=password]").fill(site.password)
    page.locator("[name=password]").press("Enter")
    expect(page.locator("#question")).to_have_value("Ile dni urlopu")


def test_an_empty_and_a_too_long_question_are_said_at_the_box(page: Page) -> None:
    page.goto("/")
    page.locator("#question").press("Enter")
    expect(page.locator("#trouble")).to_be_visible()
    page.locator("#question").fill("x" * 2001)
    expect(page.locator("#counter")).to_have_text("2001 / 2000")
    page.locator("#question").press("Enter")
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator(".exchange")).to_have_count(0)


def test_a_correction_is_taken_back_in_the_same_conversation(page: Page) -> None:
    page.goto("/")
    ask(page, MISTYPED)
    expect(page).to_have_url(re.compile("/c/"))
    address = page.url
    page.locator(".corrections .insist").click()
    expect(page.locator(".question")).to_have_count(2)
    expect(page.locator(".question").last).to_contain_text('"praconikowi"')
    expect(page.locator(".exchange").last.locator(".answer-area")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".exchange").last.locator(".corrections")).to_have_count(0)
    assert page.url == address


def test_another_question_stops_the_answer_that_is_being_written(page: Page) -> None:
    page.add_init_script(SLOW)
    page.goto("/")
    ask(page, "Kiedy trzeba wykorzystać urlop zaległy?")
    first, second = page.locator(".exchange").nth(0), page.locator(".exchange").nth(1)
    expect(first.locator(".draft")).to_contain_text("26 dni")
    page.evaluate(ANSWERED_BY_THE_SERVER)
    page.evaluate(TWO_CLICKS, QUESTION)
    expect(first.locator(".stopped")).to_be_visible()
    expect(first.locator(".draft")).to_contain_text("26 dni")
    expect(second.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page).to_have_url(re.compile("/c/"))
    expect(page.locator("#stop")).to_be_hidden()
    expect(page.locator(".question")).to_have_count(2)
    page.reload()
    expect(page.locator(".question")).to_have_text([QUESTION])  # what was stopped is not kept


def test_a_correction_is_taken_back_without_javascript(context_without_javascript: BrowserContext) -> None:
    page = context_without_javascript.new_page()
    page.goto("/")
    page.locator("#question").fill(MISTYPED)
    page.locator("#send").click()
    page.locator(".corrections .insist").wait_for()
    page.wait_for_load_state()  # the form that the button belongs to comes after it; before, a click does nothing
    page.locator(".corrections .insist").click()
    expect(page.locator(".question")).to_have_count(2)
    expect(page.locator(".question").last).to_contain_text('"praconikowi"')


def test_filters_are_chosen_kept_and_removed_without_javascript(context_without_javascript: BrowserContext) -> None:
    page = context_without_javascript.new_page()
    page.goto("/")
    page.locator(".filters > summary").click()
    page.locator(".filters [name=collections]").first.check()
    page.locator("#question").fill(QUESTION)
    page.locator("#send").click()
    expect(page).to_have_url(re.compile(r"/c/.*\?collections="))
    expect(page.locator(".filter-chip")).to_have_count(1)
    page.locator(".filter-chip").click()
    expect(page).to_have_url(re.compile("/c/"))
    expect(page.locator(".filter-chip")).to_have_count(0)
    expect(page.locator(".question")).to_have_text(QUESTION)


def test_chosen_filters_are_chips_that_a_reload_keeps(page: Page) -> None:
    page.goto("/")
    page.locator(".filters > summary").click()
    page.locator(".filters [name=collections]").first.check()
    page.locator(".filters [name=modified_from]").fill("2024-05-01")
    expect(page.locator(".filter-chip")).to_have_count(2)
    before = page.locator("#filter-chips").inner_text()
    page.reload()
    expect(page.locator(".filter-chip")).to_have_count(2)
    assert page.locator("#filter-chips").inner_text() == before
    page.locator(".filter-chip").first.click()
    expect(page.locator(".filter-chip")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/\?modified_from=2024-05-01$"))


def test_nothing_jumps_while_an_answer_comes(page: Page) -> None:
    page.add_init_script(
        "window.moved = 0;"
        "new PerformanceObserver((list) => { for (const one of list.getEntries()) moved += one.value; })"
        ".observe({type: 'layout-shift', buffered: true});"
    )
    page.goto("/")
    ask(page)
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page).to_have_url(re.compile("/c/"))
    before = page.evaluate("moved")
    ask(page, "Kiedy trzeba wykorzystać urlop zaległy?")
    expect(page.locator("[data-answer]")).to_have_count(2)
    expect(page.locator("#status")).not_to_be_empty()
    assert page.evaluate("moved") - before < 0.1
    assert before < 0.1


def test_the_chat_page_is_light(page: Page) -> None:
    """Less than 150 KB of scripts and styles, before any compression."""
    sizes: dict[str, int] = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: len(request.response().body())})
            if request.resource_type in ("script", "stylesheet") else None)  # fmt: skip
    page.goto("/", wait_until="networkidle")
    assert sizes
    assert sum(sizes.values()) < 150_000
