"""Pages that nobody hopes to see, by axe in both schemes: not allowed, not there, too often, broken, no database."""

import re
from collections.abc import Iterator

import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import PATIENCE, Site
from tests.browser.quality import complaints_of, overflow, violations
from tests.installation import free_port

QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
HEAR = """() => {
  const status = document.getElementById("status");
  window.heard = [];
  new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true });
}"""  # what a screen reader is told
LOOKS = [("light", 1440), ("dark", 360)]


@pytest.fixture(params=LOOKS, ids=["light, 1440 px", "dark, 360 px"])
def plain(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Without JavaScript; axe brings its own."""
    scheme, width = request.param
    context = browser.new_context(
        locale="pl-PL", color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def broken(site: Site) -> str:
    """A server whose database has no tables: every page that needs one fails."""
    url = re.sub(r"/([^/?]+)(?=\?|$)", r"/\1_empty", site.database, count=1)
    name = re.search(r"/(\w+_empty)", url)
    assert name
    with psycopg.connect(site.database, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name[1]}".encode())
    return site.start_another(DATABASE_URL=url)


@pytest.fixture(scope="module")
def without_database(site: Site) -> str:
    return site.start_another(DATABASE_URL=f"postgresql://nobody@127.0.0.1:{free_port()}/nothing")


@pytest.fixture(scope="module")
def busy(site: Site) -> str:
    return site.start_another(ASK_RATE="1/hour", LOGIN_RATE="1/hour")


def check(page: Page, status: int, response_status: int | None, heading: str) -> None:
    assert response_status == status
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    assert violations(page) == []
    assert overflow(page) <= 0


def opened(page: Page, address: str) -> int | None:
    response = page.goto(address)
    return response.status if response else None


def test_not_there(plain: Page, site: Site) -> None:
    check(plain, 404, opened(plain, f"{site.address}/no-such-page/"), "Tu nic nie ma")


def test_not_allowed(plain: Page, site: Site) -> None:
    """A form that was open too long: its token is no longer known."""
    plain.goto(f"{site.address}/")
    plain.evaluate("document.querySelector('#composer [name=csrfmiddlewaretoken]').value = 'x'.repeat(64)")
    plain.evaluate("document.querySelector('#question').value = 'Ile?'")
    with plain.expect_navigation() as sent:
        plain.evaluate("HTMLFormElement.prototype.submit.call(document.getElementById('composer'))")
    check(plain, 403, sent.value.status, "Nie możesz tego zrobić")


def test_broken(plain: Page, broken: str) -> None:
    check(plain, 500, opened(plain, f"{broken}/"), "Coś się zepsuło po naszej stronie")


def test_no_database(plain: Page, without_database: str) -> None:
    check(plain, 503, opened(plain, f"{without_database}/"), "Baza danych chwilowo nie odpowiada")


def test_one_question_too_many(plain: Page, busy: str) -> None:
    complaints = complaints_of(plain)
    plain.goto(f"{busy}/")
    for _ in range(2):  # whichever of the tests comes first has one question left
        if plain.locator("#countdown").is_hidden():
            ask(plain)
            expect(plain.locator("#countdown, .exchange [data-answer]").locator("visible=true").last).to_be_visible()
    expect(plain.locator("#countdown")).to_contain_text("Spróbuj ponownie za")
    assert violations(plain) == []
    assert overflow(plain) <= 0
    assert not [line for line in complaints if "429" not in line]


def test_one_question_too_many_without_javascript(browser: Browser, busy: str) -> None:
    page = browser.new_context(java_script_enabled=False, locale="pl-PL").new_page()
    page.goto(f"{busy}/")
    for _ in range(2):
        page.locator("#question").fill(QUESTION)
        with page.expect_navigation() as sent:
            page.locator("#send").click()
    assert sent.value.status == 429
    assert int(sent.value.headers["retry-after"]) > 60
    expect(page.locator("#question")).to_have_value(QUESTION)
    expect(page.get_by_role("alert")).to_contain_text("Zbyt wiele pytań w krótkim czasie.")
    page.context.close()


def ask(page: Page) -> None:
    page.locator("#question").fill(QUESTION)
    page.locator("#question").press("Enter")


def test_the_question_stays_and_its_button_waits_for_the_end_of_the_countdown(context: BrowserContext) -> None:
    page = context.new_page()
    asked: list[Route] = []

    def refuse_once(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.fulfill(status=429, headers={"Retry-After": "4", "Content-Type": "text/event-stream"}, body="")
        else:
            route.continue_()

    page.route("**/ask/stream/", refuse_once)
    page.goto("/")
    page.evaluate(HEAR)
    ask(page)
    countdown, send = page.locator("#countdown"), page.locator("#send")
    expect(countdown).to_be_visible()
    expect(page.locator("#question")).to_have_value(QUESTION)
    expect(page.locator(".exchange")).to_have_count(0)
    expect(send).to_be_disabled()
    first = int(page.locator("[data-seconds]").inner_text())
    page.locator("#question").press("Enter")
    expect(page.locator("[data-seconds]")).not_to_have_text(str(first))
    assert len(asked) == 1, "nothing is sent while the reader waits"
    expect(countdown).to_be_hidden()
    expect(send).to_be_enabled()
    told = [text for text in page.evaluate("heard") if text]
    assert told[-2:] == [
        "Zbyt wiele pytań w krótkim czasie. Spróbuj ponownie za 4 s. Pytanie zostaje w polu.",
        "Możesz już zadać pytanie.",
    ]
    send.click()
    expect(page.locator("[data-answer]")).to_be_visible()
