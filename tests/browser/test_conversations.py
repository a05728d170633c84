"""A reader keeps order in conversations, shares one and says what was wrong with an answer."""

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Site
from tests.browser.test_reading import QUESTION, asked, complaints_of

ROWS = "#conversations .row"


def signed_in(context: BrowserContext, site: Site, name: str) -> Page:
    page = context.new_page()
    page.goto("/login/")
    page.locator("#id_username").fill(name)
    page.locator("#id_password").fill(site.password)
    page.locator("#id_password").press("Enter")
    expect(page.locator(".account-name")).to_have_text(name)
    return page


def test_a_conversation_is_judged_renamed_found_and_deleted(context: BrowserContext) -> None:
    page = context.new_page()
    complaints = complaints_of(page)
    asked(page)
    page.locator("[data-verdict=bad]").click()
    expect(page.locator("[data-verdict=bad]")).to_have_attribute("aria-pressed", "true")
    page.locator(".feedback-comment textarea").fill("Brakuje podstawy prawnej.")
    page.locator("[data-verdict=comment]").click()
    expect(page.locator(".feedback-status")).not_to_be_empty()
    page.locator("[data-verdict=good]").click()
    expect(page.locator("[data-verdict=good]")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-verdict=good]").click()
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)

    row = page.locator(ROWS)
    expect(row.locator(".conversation-link")).to_have_text(QUESTION)
    row.hover()
    row.locator("summary").click()
    row.locator("[data-rename]").click()
    page.locator("form.rename input[name=title]").fill("Żółty urlop")
    page.keyboard.press("Enter")
    expect(row.locator(".conversation-link")).to_have_text("Żółty urlop")
    expect(page.locator("#conversation-head h1")).to_have_text("Żółty urlop")

    page.locator("#find").fill("nic takiego")
    expect(row).to_have_count(0)
    page.locator("#find").fill("ZOLTY")
    expect(row).to_have_count(1)
    row.hover()
    row.locator("summary").click()
    row.locator("[data-delete]").click()
    page.locator("#delete-dialog [data-close]").click()
    expect(row.locator("summary")).to_be_focused()
    row.locator("summary").click()
    row.locator("[data-delete]").click()
    expect(page.locator("#delete-dialog")).to_contain_text("Żółty urlop")
    page.locator("#delete-dialog form button:not([type=button])").click()
    expect(page).to_have_url(f"{page.url.split('/c/')[0].rstrip('/')}/")
    expect(row).to_have_count(0)
    assert complaints == []


def test_a_shared_conversation_opens_for_a_colleague(context: BrowserContext, browser: Browser, site: Site) -> None:
    page = asked(signed_in(context, site, site.administrator))
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-copy-sources]").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('/documents/')")
    head = page.locator("#conversation-head")
    head.locator("summary").first.click()
    head.locator("button[name=shared]").click()
    address = page.locator("#share-address").input_value()

    other = browser.new_context(base_url=site.address, locale="pl-PL")
    other.set_default_timeout(15_000)
    reader = other.new_page()
    reader.goto(address)
    expect(reader.locator("#id_username")).to_be_visible()
    colleague = signed_in(other, site, site.colleague)
    complaints = complaints_of(colleague)
    colleague.goto(address)
    expect(colleague.locator("[data-answer]")).to_contain_text("26 dni")
    colleague.locator("[data-verdict=good]").click()
    expect(colleague.locator("[data-verdict=good]")).to_have_attribute("aria-pressed", "true")
    assert complaints == []

    page.locator("button[name=shared]").click()
    expect(page.locator("#share-address")).to_have_count(0)
    colleague.reload()
    expect(colleague.locator("[data-answer]")).to_have_count(0)
    other.close()
